// An entry is a sequence of texts, each with its length before it: the inputs, the results, then pairs of names and of
// files.
#include "runtime/rtc/program_store.h"

#include "runtime/rtc/compiler_cache.h"

#include <cstring>
#include <sys/stat.h>

namespace hip::rtc {
namespace {

using Bytes = CodeCache::Bytes;

void put(Bytes& out, const std::string& text) {
  const uint64_t size = text.size();
  const auto append = [&](const void* from, size_t count) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out.insert(out.end(), bytes, bytes + count);
  };
  append(&size, sizeof size);
  append(text.data(), text.size());
}

// Takes one text from the front; false when there is none.
bool take(std::span<const std::byte>& in, std::string& text) {
  uint64_t size = 0;
  if (in.size() < sizeof size) return false;
  std::memcpy(&size, in.data(), sizeof size);
  in = in.subspan(sizeof size);
  if (size > in.size()) return false;
  text.assign(reinterpret_cast<const char*>(in.data()), static_cast<size_t>(size));
  in = in.subspan(static_cast<size_t>(size));
  return true;
}

// Empty: there is no such file.
std::string stamp_of(const std::string& path) {
  struct stat s;
  if (stat(path.c_str(), &s) != 0) return {};
  return std::to_string(s.st_size) + " " + std::to_string(s.st_mtim.tv_sec) + "." + std::to_string(s.st_mtim.tv_nsec);
}

} // namespace

ProgramStore::ProgramStore(const std::string& sdk) : cache_(open_compiler_cache("rtc", sdk)) {}

std::optional<CompiledProgram> ProgramStore::find(const std::string& inputs) const {
  const std::optional<Bytes> entry = cache_.find(CodeCache::key_of(inputs));
  if (!entry) return std::nullopt;
  std::span<const std::byte> rest(*entry);
  std::string first, second;
  CompiledProgram program;
  if (!take(rest, first) || first != inputs || !take(rest, program.code) || !take(rest, program.bitcode) ||
      !take(rest, program.log))
    return std::nullopt;
  // Names until an empty one, then files.
  while (take(rest, first) && !first.empty()) {
    if (!take(rest, second)) return std::nullopt;
    program.lowered[first] = second;
  }
  while (take(rest, first))
    if (!take(rest, second) || stamp_of(first) != second) return std::nullopt;
  if (!rest.empty()) return std::nullopt;
  return program;
}

void ProgramStore::store(const std::string& inputs, const CompiledProgram& program,
                         const std::vector<std::string>& files) {
  Bytes entry;
  for (const std::string* text : {&inputs, &program.code, &program.bitcode, &program.log}) put(entry, *text);
  for (const auto& [expression, name] : program.lowered) {
    put(entry, expression);
    put(entry, name);
  }
  put(entry, "");
  for (const std::string& file : files) {
    const std::string stamp = stamp_of(file);
    if (stamp.empty()) return; // it has gone, or was never a file
    put(entry, file);
    put(entry, stamp);
  }
  cache_.store(CodeCache::key_of(inputs), entry);
}

} // namespace hip::rtc
