// Places in files.
#include "exact/places.h"

#include "passes.h"

#include <filesystem>

namespace hip::hipify {
namespace {

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string real_path(llvm::StringRef path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path.str(), error);
  return error ? path.str() : real.string();
}

} // namespace

bool Places::is_cuda_folder(llvm::StringRef file) const {
  const std::string absolute = std::filesystem::absolute(file.str()).lexically_normal().string();
  for (const std::string& folder : folders_) {
    if (absolute.starts_with(folder)) return true;
  }
  return false;
}

TokenBits Places::owner(clang::SourceLocation definition) const {
  if (definition.isInvalid()) return 0;
  const clang::SourceLocation place = sources_.getExpansionLoc(definition);
  const clang::FileID id = sources_.getFileID(place);
  const auto [known, added] = owners_.try_emplace(id, TokenBits(0));
  if (!added) return known->second;
  const clang::OptionalFileEntryRef file = sources_.getFileEntryRefForID(id);
  if (!file) return known->second; // built in
  if (is_cuda_folder(file->getName()))
    known->second = kCudaName;
  else if (!sources_.isInSystemHeader(place))
    known->second = kProgramName;
  return known->second;
}

TokenBits Places::owner(const clang::Decl& declaration) const {
  if (declaration.isInvalidDecl()) return 0; // a call that was taken for a declaration, for one
  TokenBits bits = 0;
  for (const clang::Decl* one : declaration.redecls()) bits |= owner(one->getLocation());
  // A program may declare CUDA's functions once more.
  return bits & kCudaName ? kCudaName : bits;
}

FileKnowledge* Places::file_of(clang::FileID id) {
  const auto [known, added] = files_.try_emplace(id, nullptr);
  if (!added) return known->second;
  const clang::OptionalFileEntryRef file = sources_.getFileEntryRefForID(id);
  if (!file) return nullptr;
  if (sources_.isInSystemHeader(sources_.getLocForStartOfFile(id)) || is_cuda_folder(file->getName())) return nullptr;
  return known->second = &knowledge_.files[real_path(file->getName())];
}

void Places::add(clang::SourceLocation location, TokenBits bits) {
  if (!bits || location.isInvalid()) return;
  const auto [id, offset] = sources_.getDecomposedLoc(sources_.getSpellingLoc(location));
  FileKnowledge* file = file_of(id);
  if (!file) return;
  bool invalid = false;
  const llvm::StringRef text = sources_.getBufferData(id, &invalid);
  if (invalid || offset >= text.size() || !is_word(text[offset])) return;
  const llvm::StringRef name = text.drop_front(offset).take_while(is_word);
  // A name with a line continuation in it is shortened here, and left to the table.
  Row row;
  if (find_row({name.data(), name.size()}, row) || looks_like_cuda({name.data(), name.size()})) file->add(offset, bits);
}

void Places::add_place(clang::SourceLocation location, TokenBits bits) {
  // An argument of a macro stands in the file, what a macro's body says does not.
  if (location.isInvalid() || (location.isMacroID() && !sources_.isMacroArgExpansion(location))) return;
  const auto [id, offset] = sources_.getDecomposedLoc(sources_.getSpellingLoc(location));
  if (FileKnowledge* file = file_of(id)) file->add(offset, bits);
}

void Places::add_origin(clang::SourceLocation location, TokenBits bits) {
  if (location.isInvalid()) return;
  const auto [id, offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(location));
  if (FileKnowledge* file = file_of(id)) file->add(offset, bits);
}

void Places::enter(clang::SourceLocation location) {
  const clang::FileID id = sources_.getFileID(sources_.getExpansionLoc(location));
  if (file_of(id)) skipped_.try_emplace(id);
}

void Places::add_skipped(clang::SourceLocation begin, clang::SourceLocation end) {
  const auto [id, first] = sources_.getDecomposedLoc(sources_.getExpansionLoc(begin));
  const auto [end_id, last] = sources_.getDecomposedLoc(sources_.getExpansionLoc(end));
  if (id != end_id || !file_of(id)) return;
  // The directive itself was read.
  const llvm::StringRef text = sources_.getBufferData(id);
  size_t line_end = first;
  do line_end = text.find('\n', line_end + 1);
  while (line_end != llvm::StringRef::npos &&
         (text[line_end - 1] == '\\' || (line_end > 1 && text.substr(line_end - 2, 2) == "\\\r")));
  if (line_end < last) skipped_[id].emplace_back(static_cast<uint32_t>(line_end), last);
}

void Places::finish() {
  for (auto& [id, ranges] : skipped_) {
    std::sort(ranges.begin(), ranges.end());
    file_of(id)->add_reading(ranges);
  }
}

} // namespace hip::hipify
