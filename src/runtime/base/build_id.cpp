// runtime/base/build_id.cpp - see build_id.h. The linker puts program headers and notes at a file's start.
#include "runtime/base/build_id.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <span>
#include <unistd.h>

namespace hip {
namespace {

constexpr size_t kHeadBytes = 4096;

using Bytes = std::span<const std::byte>;

template<class T> bool read_at(Bytes file, uint64_t offset, T& out) {
  if (offset > file.size() || sizeof out > file.size() - offset) return false;
  std::memcpy(&out, file.data() + offset, sizeof out);
  return true;
}

std::vector<std::byte> find_note(Bytes file, uint64_t at, uint64_t end) {
  constexpr char kOwner[] = "GNU";
  const auto padded = [](uint64_t n) { return (n + 3) / 4 * 4; };
  Elf64_Nhdr note;
  for (; at < end && read_at(file, at, note); at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz)) {
    char owner[sizeof kOwner];
    const uint64_t contents = at + sizeof note + padded(note.n_namesz);
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof owner || !read_at(file, at + sizeof note, owner) ||
        std::memcmp(owner, kOwner, sizeof owner) != 0 || contents + note.n_descsz > file.size())
      continue;
    const auto found = file.subspan(contents, note.n_descsz);
    return {found.begin(), found.end()};
  }
  return {};
}

} // namespace

std::vector<std::byte> build_id_of(const std::string& path) {
  std::vector<std::byte> head(kHeadBytes);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t count = read(fd, head.data(), head.size());
  close(fd);
  const Bytes file = Bytes(head).first(count > 0 ? size_t(count) : 0);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return {};
  for (unsigned k = 0; k < header.e_phnum; ++k) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + k * sizeof segment, segment)) break;
    if (segment.p_type != PT_NOTE || segment.p_offset >= file.size()) continue;
    const uint64_t bytes = std::min<uint64_t>(segment.p_filesz, file.size() - segment.p_offset);
    if (auto id = find_note(file, segment.p_offset, segment.p_offset + bytes); !id.empty()) return id;
  }
  return {};
}

} // namespace hip
