// hipify/files.h - reading sources and writing results so that no fault loses a source: a file is written under another
// name beside its place and renamed once it is complete.
//
// Thread safety: functions of their arguments; two threads must not write one file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hip::hipify {

// The text of a source. Throws HipifyError for what is no text that can be converted: a folder, UTF-16 or UTF-32 (by
// the byte order mark), bytes of zero, 4 GiB or more.
std::string read_source(const std::filesystem::path& path);
std::string read_standard_input();

// Replaces or makes the file, and keeps the permissions of the one that was there, or takes those of `like`. Throws
// HipifyError where it is read-only or the text cannot be written whole; what was there is then unchanged.
void write_source(const std::filesystem::path& path, const std::string& text, const std::filesystem::path& like);

// Throws HipifyError for a file that is there and is read-only.
void require_writable(const std::filesystem::path& path);

// True where both paths name one file that exists.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// True for the extensions of C, C++ and CUDA: what is converted in a folder.
bool is_source_name(const std::filesystem::path& path);

// The sources in a folder and below, sorted; hidden folders are left out, links to folders are not followed.
std::vector<std::filesystem::path> find_sources(const std::filesystem::path& folder);

} // namespace hip::hipify
