// runtime/base/shared_file.h - memory that several mappings and several processes share: an anonymous file
// (memfd), which has no name that could be left behind and goes with its last descriptor and mapping.
// Thread safety: a SharedFile is used by one thread at a time; the functions keep no state.
#pragma once

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hip {

// Owns a file descriptor.
class SharedFile {
public:
  SharedFile() noexcept = default;
  explicit SharedFile(int descriptor) noexcept : descriptor_(descriptor) {}
  SharedFile(SharedFile&& o) noexcept : descriptor_(std::exchange(o.descriptor_, -1)) {}
  SharedFile& operator=(SharedFile&& o) noexcept {
    std::swap(descriptor_, o.descriptor_);
    return *this;
  }
  ~SharedFile();

  // A new file of zeros, whose size cannot change. Error: OutOfMemory.
  static Result<SharedFile> create(size_t bytes);
  // Another descriptor of the same file, which create() of this or another process made. Error: InvalidValue for a
  // descriptor of something else.
  static Result<SharedFile> adopt(int descriptor, size_t& bytes);
  // The file behind a descriptor of another process. Error: InvalidValue when there is none, or it is another file.
  static Result<SharedFile> open(int32_t process, int32_t descriptor, uint64_t inode, size_t& bytes);

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }
  uint64_t inode() const noexcept;
  // A descriptor that the caller closes.
  Result<int> duplicate() const;
  // Takes the contents of the mapped pages at `address` over and becomes what is mapped there, for reading and writing.
  Status replace(uint64_t address, size_t bytes) const;

private:
  // Writes what lies in memory to the file, except where it is zero.
  Status take_contents(const void* memory, size_t bytes) const;
  int descriptor_ = -1;
};

// One page of a SharedFile, mapped for reading and writing.
class SharedPage {
public:
  static constexpr size_t kBytes = 4096;
  // Error: OutOfMemory.
  static Result<SharedPage> map(SharedFile file);
  SharedPage(SharedPage&& o) noexcept : file_(std::move(o.file_)), memory_(std::exchange(o.memory_, nullptr)) {}
  SharedPage& operator=(SharedPage&&) = delete;
  ~SharedPage();
  void* memory() const noexcept { return memory_; }
  const SharedFile& file() const noexcept { return file_; }

private:
  SharedPage(SharedFile file, void* memory) noexcept : file_(std::move(file)), memory_(memory) {}
  SharedFile file_;
  void* memory_;
};

} // namespace hip
