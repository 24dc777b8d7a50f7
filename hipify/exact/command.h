// hipify/exact/command.h - the words of clang's driver for one source.
#pragma once

#include "options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hip::hipify {

enum class Side { Host, Device };

// How a source is read: CUDA sources are compiled for both sides, other ones by the C++ or C compiler alone.
enum class SourceLanguage { Cuda, Cpp, C };

class Commands {
public:
  // Throws HipifyError where there is no SDK or no clang.
  explicit Commands(const ExactOptions& options);

  // Folders with CUDA's declarations, canonical, with a slash at the end.
  const std::vector<std::string>& cuda_folders() const { return cuda_folders_; }

  // Everything but the source, which comes last. `words`: what the build says about this source. `directory`: where
  // relative folders of these are; may be empty.
  std::vector<std::string> command(SourceLanguage language, Side side, const std::vector<std::string>& words,
                                   const std::filesystem::path& directory) const;

  // The header that comes before every CUDA source: nvcc includes its own by itself. Empty: clang does it, with a
  // toolkit.
  std::string first_header() const;

private:
  void add_user_words(std::vector<std::string>& command, const std::vector<std::string>& words,
                      const std::filesystem::path& directory) const;

  const ExactOptions& options_;
  std::string sdk_, clangxx_;
  std::vector<std::string> cuda_folders_;
};

} // namespace hip::hipify
