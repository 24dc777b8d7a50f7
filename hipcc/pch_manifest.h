// hipcc/pch_manifest.h - what a cached header was made from, and whether that still holds. One text file per header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hip::hipcc {

struct PchFile {
  std::string path;
  int64_t mtime_ns;
  uint64_t size_bytes;
  size_t name_at; // where in path the part begins by which the file is included, e.g. at "bits/move.h"
};

struct PchManifest {
  std::string key;                 // in full: a hash that two keys share is noticed
  std::string pch;                 // file name of the header beside the manifest
  std::vector<PchFile> files;      // all that was read
  std::vector<std::string> probes; // names asked for with __has_include that no searched folder holds

  // True while every file is as it was and none of include_dirs holds a file that would be found in place of one.
  bool holds(const std::vector<std::string>& include_dirs) const;

  std::string to_text() const;
  static std::optional<PchManifest> from_text(const std::string& text); // empty when the text is damaged
};

// The manifest of a header just built: from clang's dependency file and the search list that clang -v printed.
PchManifest make_manifest(const std::string& key, const std::string& pch, const std::string& dependency_file,
                          const std::string& clang_output);

} // namespace hip::hipcc
