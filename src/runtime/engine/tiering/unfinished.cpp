// runtime/engine/tiering/unfinished.cpp - see unfinished.h.
#include "runtime/engine/tiering/unfinished.h"

#include <dlfcn.h>
#include <mutex>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

extern char** environ;

namespace hip::engine {
namespace {

struct Heir {
  std::string program;
  std::function<PackedRequests()> unfinished;
  pid_t process = getpid();
};

bool write_all(int fd, const void* data, size_t size) {
  const auto* p = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = write(fd, p, size);
    if (n <= 0) return false;
    p += n, size -= size_t(n);
  }
  return true;
}

// Starts the heir. It reads the requests from its standard input, inherits no other open file, and belongs to no terminal.
void hand_over(const Heir& heir, const PackedRequests& requests) {
  const int file = memfd_create("omnihip-translations", MFD_CLOEXEC);
  if (file < 0) return;
  bool written = true;
  for (const auto& request : requests) {
    const uint64_t size = request.size();
    written = written && write_all(file, &size, sizeof size) && write_all(file, request.data(), request.size());
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (written && lseek(file, 0, SEEK_SET) == 0 && posix_spawn_file_actions_init(&actions) == 0) {
    if (posix_spawnattr_init(&attributes) == 0) {
      bool ready = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID) == 0;
      ready = ready && posix_spawn_file_actions_adddup2(&actions, file, 0) == 0;
      for (int fd : {1, 2})
        ready = ready && posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", 1 /* O_WRONLY */, 0) == 0;
      ready = ready && posix_spawn_file_actions_addclosefrom_np(&actions, 3) == 0;
      char* arguments[] = {const_cast<char*>(heir.program.c_str()), nullptr};
      pid_t child;
      if (ready)
        static_cast<void>(posix_spawn(&child, heir.program.c_str(), &actions, &attributes, arguments, environ));
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(file);
}

Heir* heir = nullptr; // never destroyed

void at_exit(void*) noexcept try {
  if (heir->process != getpid()) return; // a child that was forked
  const PackedRequests requests = heir->unfinished();
  if (!requests.empty()) hand_over(*heir, requests);
} catch (...) { // out of memory: the requests are lost, and the next run makes them again
}

} // namespace

void finish_elsewhere(std::string program, std::function<PackedRequests()> unfinished) {
  static std::once_flag once;
  std::call_once(once, [&] {
    // The C library's function: the one of this shared object does nothing (exit.cpp).
    using Register = int (*)(void (*)(void*), void*, void*);
    const auto add = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "__cxa_atexit"));
    heir = new Heir{std::move(program), std::move(unfinished)};
    if (add) static_cast<void>(add(at_exit, nullptr, nullptr));
  });
}

} // namespace hip::engine
