// Errors of clang's, line by line -> advice.
#include "cuda_advice.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace hip::hipcc {
namespace {

// The text without the escape sequences of colours.
std::string without_colours(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033' && i + 1 < text.size() && text[i + 1] == '[') {
      while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
      continue;
    }
    out += text[i];
  }
  return out;
}

struct Error {
  std::string place, message; // "file:line", and what stands behind "error: "
};

// "file:line:column: error: message"; false for other lines.
bool read_error(const std::string& line, Error& error) {
  constexpr std::string_view kError = ": error: ", kFatal = ": fatal error: ";
  size_t at = line.find(kError), length = kError.size();
  if (at == std::string::npos) {
    at = line.find(kFatal);
    length = kFatal.size();
  }
  if (at == std::string::npos || line.starts_with("<inline asm>")) return false;
  const size_t column = line.rfind(':', at - 1);
  error.place = line.substr(0, column == std::string::npos ? at : column);
  error.message = line.substr(at + length);
  return true;
}

bool is_asm(const std::string& message) {
  for (const char* part : {"in asm", "inline asm", "invalid instruction", "in inline", "register for constraint",
                           "unknown token in expression", "not a valid operand", "unexpected token"})
    if (message.find(part) != std::string::npos) return true;
  return false;
}

// The header's name when it belongs to one of CUDA's libraries.
std::string library_header(const std::string& message) {
  const size_t end = message.find("' file not found");
  if (!message.starts_with('\'') || end == std::string::npos) return {};
  const std::string name = message.substr(1, end - 1);
  for (const char* library : {"cublas", "cufft",      "curand", "cusparse", "cusolver", "cudnn",          "thrust/",
                              "cub/",   "cuda/",      "npp",    "nvjpeg",   "nvrtc",    "nccl",           "cutensor",
                              "nvml",   "nvToolsExt", "nvtx3/", "mma.h",    "cudaGL",   "cuda_gl_interop"})
    if (name.starts_with(library)) return name;
  return {};
}

} // namespace

std::string cuda_advice(const std::string& diagnostics) {
  const std::string text = without_colours(diagnostics);
  std::string advice;
  std::vector<std::string> said;
  const auto say = [&](const std::string& sentence) {
    if (std::find(said.begin(), said.end(), sentence) != said.end()) return;
    said.push_back(sentence);
    advice += "hipcc: note: " + sentence + "\n";
  };
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    Error error;
    const bool found = read_error(text.substr(at, end - at), error);
    at = end + 1;
    if (!found) continue;
    const std::string header = library_header(error.message);
    if (is_asm(error.message))
      say(error.place +
          ": inline PTX is NVIDIA's instruction set, which no AMD GPU has; write C++, or keep it under #if "
          "defined(__NVPTX__)");
    else if (error.message.starts_with("no template named 'texture'") ||
             error.message.starts_with("unknown type name 'texture'"))
      say(error.place +
          ": texture references (texture<...>) are not there on NVIDIA's GPUs since CUDA 12; compile for AMD's alone "
          "(--offload-arch), or use texture objects");
    else if (!header.empty())
      say(error.place + ": '" + header +
          "' belongs to a library of CUDA's, not to the runtime; the SDK has none of them. hipify-perl converts calls "
          "of those that "
          "AMD has a counterpart of");
  }
  return advice;
}

} // namespace hip::hipcc
