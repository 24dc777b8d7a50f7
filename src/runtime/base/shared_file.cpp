#include "runtime/base/shared_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hip {

namespace {

constexpr unsigned kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW;

// The size of a file that create() made.
Result<size_t> size_of(int descriptor) {
  struct stat facts{};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (static_cast<unsigned>(seals) & kFixedSize) != kFixedSize || ::fstat(descriptor, &facts) != 0)
    return error(ErrorCode::InvalidValue, "File descriptor {} is not memory that HIP exported.", descriptor);
  return static_cast<size_t>(facts.st_size);
}

} // namespace

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<SharedFile> SharedFile::create(size_t bytes) {
  SharedFile file(::memfd_create("omnihip", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file)
    return error(ErrorCode::OutOfMemory, "Making a file for {} bytes of shared memory fails: {}.", bytes,
                 std::strerror(errno));
  if (::ftruncate(file.descriptor_, static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(file.descriptor_, F_ADD_SEALS, kFixedSize) != 0)
    return error(ErrorCode::OutOfMemory, "Making {} bytes of shared memory fails: {}.", bytes, std::strerror(errno));
  return file;
}

Result<SharedFile> SharedFile::adopt(int descriptor, size_t& bytes) {
  RT_TRY_ASSIGN(bytes, size_of(descriptor));
  SharedFile file(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!file)
    return error(ErrorCode::OutOfMemory, "Duplicating file descriptor {} fails: {}.", descriptor, std::strerror(errno));
  return file;
}

Result<SharedFile> SharedFile::open(int32_t process, int32_t descriptor, uint64_t inode, size_t& bytes) {
  const std::string name = fmt::format("/proc/{}/fd/{}", process, descriptor);
  SharedFile file(::open(name.c_str(), O_RDWR | O_CLOEXEC));
  if (!file)
    return error(ErrorCode::InvalidValue,
                 "Memory of process {} cannot be opened: {}; has it ended, or freed the memory?", process,
                 std::strerror(errno));
  if (file.inode() != inode)
    return error(ErrorCode::InvalidValue, "The memory of process {} that the handle names is not there any more.",
                 process);
  RT_TRY_ASSIGN(bytes, size_of(file.descriptor_));
  return file;
}

uint64_t SharedFile::inode() const noexcept {
  struct stat facts{};
  return ::fstat(descriptor_, &facts) == 0 ? facts.st_ino : 0;
}

Result<int> SharedFile::duplicate() const {
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return error(ErrorCode::OutOfMemory, "Duplicating a file descriptor fails: {}.", std::strerror(errno));
  return copy;
}

Status SharedFile::replace(uint64_t address, size_t bytes) const {
  void* const memory = reinterpret_cast<void*>(address);
  RT_TRY(take_contents(memory, bytes));
  if (::mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor_, 0) == MAP_FAILED)
    return error(ErrorCode::OutOfMemory, "Sharing {} bytes at {:#x} fails: {}.", bytes, address, std::strerror(errno));
  return Status();
}

Status SharedFile::take_contents(const void* memory, size_t bytes) const {
  constexpr size_t kPiece = 64 * 1024;
  const auto* const from = static_cast<const char*>(memory);
  for (size_t at = 0; at < bytes; at += kPiece) {
    const size_t piece = std::min(kPiece, bytes - at);
    // Zeros are there already, and pages that were never touched stay untouched.
    if (from[at] == 0 && std::memcmp(from + at, from + at + 1, piece - 1) == 0) continue;
    for (size_t done = 0; done < piece;) {
      const ssize_t written = ::pwrite(descriptor_, from + at + done, piece - done, static_cast<off_t>(at + done));
      if (written <= 0)
        return error(ErrorCode::OutOfMemory, "Writing {} bytes of shared memory fails: {}.", bytes,
                     std::strerror(errno));
      done += static_cast<size_t>(written);
    }
  }
  return Status();
}

Result<SharedPage> SharedPage::map(SharedFile file) {
  void* const memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (memory == MAP_FAILED)
    return error(ErrorCode::OutOfMemory, "Mapping a shared page fails: {}.", std::strerror(errno));
  return SharedPage(std::move(file), memory);
}

SharedPage::~SharedPage() {
  if (memory_) ::munmap(memory_, kBytes);
}

} // namespace hip
