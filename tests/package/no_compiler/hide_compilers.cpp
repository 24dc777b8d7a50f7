// Preloaded into a program: files and programs that belong to an installed clang are not there for it. What the SDK
// brings itself (OMNIHIP_TEST_SDK, its folder) is.
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

bool is_hidden(const char* path) {
  const char* const sdk = std::getenv("OMNIHIP_TEST_SDK");
  if (!path || !sdk || std::strncmp(path, sdk, std::strlen(sdk)) == 0) return false;
  for (const char* name : {"llvm-", "clang", "/lld", "ld.lld", "/opt/rocm"})
    if (std::strstr(path, name)) return true;
  return false;
}

template<class F> F* real(const char* name) { return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name)); }

int not_there() {
  errno = ENOENT;
  return -1;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

} // namespace

#define OPEN(name)                                                                                                     \
  int name(const char* path, int flags, ...) {                                                                         \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    const mode_t mode = mode_of(flags, arguments);                                                                     \
    va_end(arguments);                                                                                                 \
    static const auto next = real<int(const char*, int, ...)>(#name);                                                  \
    return is_hidden(path) ? not_there() : next(path, flags, mode);                                                    \
  }
#define OPEN_AT(name)                                                                                                  \
  int name(int folder, const char* path, int flags, ...) {                                                             \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    const mode_t mode = mode_of(flags, arguments);                                                                     \
    va_end(arguments);                                                                                                 \
    static const auto next = real<int(int, const char*, int, ...)>(#name);                                             \
    return is_hidden(path) ? not_there() : next(folder, path, flags, mode);                                            \
  }
#define STAT(name, type)                                                                                               \
  int name(const char* path, struct type* to) {                                                                        \
    static const auto next = real<int(const char*, struct type*)>(#name);                                              \
    return is_hidden(path) ? not_there() : next(path, to);                                                             \
  }

extern "C" {
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
STAT(stat, stat)
STAT(stat64, stat64)

int access(const char* path, int mode) {
  static const auto next = real<int(const char*, int)>("access");
  return is_hidden(path) ? not_there() : next(path, mode);
}
int execve(const char* path, char* const arguments[], char* const environment[]) {
  static const auto next = real<int(const char*, char* const[], char* const[])>("execve");
  return is_hidden(path) ? not_there() : next(path, arguments, environment);
}
int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  static const auto next = real<decltype(posix_spawn)>("posix_spawn");
  return is_hidden(path) ? ENOENT : next(child, path, actions, attributes, arguments, environment);
}
int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  static const auto next = real<decltype(posix_spawnp)>("posix_spawnp");
  return is_hidden(file) ? ENOENT : next(child, file, actions, attributes, arguments, environment);
}
}
