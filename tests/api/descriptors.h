// Descriptors that stand for memory and semaphores of other interfaces, and the test's own second descriptor of each:
// an import that succeeds owns the one that it was given.
#pragma once

#include "testing.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

// Files and eventfds can be imported: by software GPUs and by the fake driver, which stands for NVIDIA's.
inline bool imports_files() { return on_nvidia() != kernels_run(); }

inline bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

class Descriptor {
public:
  explicit Descriptor(int given) : given(given), own_(::dup(given)) { REQUIRE(own_ >= 0); }
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() { ::close(own_); }
  const int given; // for the import
  int own() const { return own_; }

private:
  const int own_;
};

inline int make_file(size_t bytes) {
  const int file = ::memfd_create("external", MFD_CLOEXEC);
  REQUIRE(file >= 0);
  REQUIRE(::ftruncate(file, static_cast<off_t>(bytes)) == 0);
  return file;
}

struct FileMemory : Descriptor {
  explicit FileMemory(const std::vector<unsigned char>& content) : Descriptor(make_file(content.size())) {
    REQUIRE(::pwrite(own(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
  }
  std::vector<unsigned char> read(size_t offset, size_t bytes) const {
    std::vector<unsigned char> content(bytes);
    REQUIRE(::pread(own(), content.data(), bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes));
    return content;
  }
};

struct EventSemaphore : Descriptor {
  explicit EventSemaphore(int flags = 0) : Descriptor(::eventfd(0, EFD_CLOEXEC | flags)) {}
  void signal() const {
    const uint64_t one = 1;
    REQUIRE(::write(own(), &one, sizeof one) == sizeof one);
  }
  // The counter, which becomes 0; 0 when it is.
  uint64_t take() const {
    pollfd ready{own(), POLLIN, 0};
    if (::poll(&ready, 1, 0) == 0) return 0;
    uint64_t value = 0;
    REQUIRE(::read(own(), &value, sizeof value) == sizeof value);
    return value;
  }
};

struct TimelineSemaphore : Descriptor {
  TimelineSemaphore() : Descriptor(make_file(sizeof(uint64_t))) {
    word_ = static_cast<uint64_t*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, own(), 0));
    REQUIRE(word_ != MAP_FAILED);
  }
  ~TimelineSemaphore() { ::munmap(word_, 4096); }
  uint64_t value() const { return __atomic_load_n(word_, __ATOMIC_ACQUIRE); }
  void set(uint64_t value) const { __atomic_store_n(word_, value, __ATOMIC_RELEASE); }

private:
  uint64_t* word_;
};

// Descriptors that nothing can be imported from, closed at the end.
struct Pipe {
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  int ends[2];
};
