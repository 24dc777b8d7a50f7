#include "runtime/base/descriptor.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace hip {

Result<std::string> name_of_descriptor(int descriptor) {
  std::array<char, 256> name{};
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t length = descriptor < 0 ? -1 : ::readlink(link.c_str(), name.data(), name.size());
  if (length < 0) return error(ErrorCode::InvalidValue, "File descriptor {} is not open.", descriptor);
  return std::string(name.data(), static_cast<size_t>(length));
}

Result<uint64_t> size_of_descriptor(int descriptor) {
  RT_TRY_ASSIGN(const std::string name, name_of_descriptor(descriptor));
  struct stat facts{};
  if (::fstat(descriptor, &facts) != 0)
    return error(ErrorCode::InvalidValue, "File descriptor {} ({}) cannot be asked for its size: {}.", descriptor, name,
                 std::strerror(errno));
  if (S_ISREG(facts.st_mode)) return static_cast<uint64_t>(facts.st_size);
  // The kernel gives a dma-buf's size as the end of its file.
  const off_t end = name.find("dmabuf") != std::string::npos ? ::lseek(descriptor, 0, SEEK_END) : -1;
  if (end <= 0)
    return error(ErrorCode::InvalidValue, "File descriptor {} ({}) is neither a file nor a dma-buf.", descriptor, name);
  return static_cast<uint64_t>(end);
}

} // namespace hip
