// hipify/exact/places.h - from clang's locations to offsets in files, and from declarations to their owners.
#pragma once

#include "exact/collector.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <map>

namespace hip::hipify {

class Places {
public:
  Places(const clang::SourceManager& sources, const CudaFolders& folders, ProgramKnowledge& knowledge)
      : sources_(sources), folders_(folders), knowledge_(knowledge) {}

  // kCudaName, kProgramName, or 0 for the compiler's and the system's own.
  TokenBits owner(const clang::Decl& declaration) const;
  TokenBits owner(clang::SourceLocation definition) const;
  bool is_cuda_folder(llvm::StringRef file) const;

  // Writes down what is known about the name that is spelled at a location, if it is one that a conversion asks for and
  // is spelled in a file of the program.
  void add(clang::SourceLocation location, TokenBits bits);
  // The same for a place whose spelling is no matter: a header's name, the first token of an expression or declaration.
  void add_place(clang::SourceLocation location, TokenBits bits);

  // The same for the place in a file that something comes from, in macros as well.
  void add_origin(clang::SourceLocation location, TokenBits bits);

  void enter(clang::SourceLocation location);
  void add_skipped(clang::SourceLocation begin, clang::SourceLocation end);
  // The end of the compilation: what was skipped goes to the files.
  void finish();

private:
  // The file that a location is in, if it is the program's.
  FileKnowledge* file_of(clang::FileID id);

  const clang::SourceManager& sources_;
  const CudaFolders& folders_;
  ProgramKnowledge& knowledge_;
  std::map<clang::FileID, FileKnowledge*> files_;           // null: not the program's
  std::map<clang::FileID, std::vector<ByteRange>> skipped_; // by each reading of a file
  mutable std::map<clang::FileID, TokenBits> owners_;
};

} // namespace hip::hipify
