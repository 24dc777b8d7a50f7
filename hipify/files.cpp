// Files on POSIX systems.
#include "files.h"

#include "options.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }
std::string reason() { return std::strerror(errno); }

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  // False where the last bytes did not reach the file.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
  int fd_;
};

std::string read_all(int fd, const std::string& name) {
  std::string text;
  constexpr size_t kChunk = 1 << 16;
  constexpr size_t kLimit = 0xffff0000; // places in a file have 32 bits
  for (;;) {
    const size_t size = text.size();
    text.resize(size + kChunk);
    const ssize_t count = ::read(fd, text.data() + size, kChunk);
    if (count < 0 && errno == EINTR) {
      text.resize(size);
      continue;
    }
    if (count < 0) throw HipifyError(name + " cannot be read: " + reason());
    text.resize(size + static_cast<size_t>(count));
    if (count == 0) return text;
    if (text.size() > kLimit) throw HipifyError(name + " has 4 GiB or more, which is no source");
  }
}

void check_encoding(const std::string& text, const std::string& name) {
  const auto starts = [&](std::string_view mark) { return text.starts_with(mark); };
  constexpr std::string_view kUtf32Little("\xff\xfe\0\0", 4), kUtf32Big("\0\0\xfe\xff", 4);
  if (starts(kUtf32Little) || starts(kUtf32Big))
    throw HipifyError(name + " is in UTF-32; convert it to UTF-8 first (iconv -f UTF-32 -t UTF-8)");
  if (starts("\xff\xfe") || starts("\xfe\xff"))
    throw HipifyError(name + " is in UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)");
  const size_t zero = text.find('\0');
  if (zero != std::string::npos) throw HipifyError(name + " is no text: byte " + std::to_string(zero) + " is zero");
}

void write_all(int fd, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw HipifyError(quoted(path) + " cannot be written: " + reason());
    text.remove_prefix(static_cast<size_t>(count));
  }
}

// Links are followed, so that what a link names is replaced and not the link.
fs::path real_place(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

} // namespace

std::string read_source(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw HipifyError(quoted(path) + " cannot be opened: " + reason());
  struct stat status;
  if (fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode)) throw HipifyError(quoted(path) + " is a folder");
  std::string text = read_all(file.get(), quoted(path));
  check_encoding(text, quoted(path));
  return text;
}

std::string read_standard_input() {
  std::string text = read_all(STDIN_FILENO, "standard input");
  check_encoding(text, "standard input");
  return text;
}

void write_source(const fs::path& path, const std::string& text, const fs::path& like) {
  const fs::path place = real_place(path);
  struct stat status;
  const bool exists = ::stat(place.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    // A pipe or device: nothing to lose, and nothing to rename.
    if (S_ISDIR(status.st_mode)) throw HipifyError(quoted(path) + " is a folder; name a file, or use -o-dir");
    Descriptor file(::open(place.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) throw HipifyError(quoted(path) + " cannot be opened: " + reason());
    write_all(file.get(), text, path);
    if (!file.close()) throw HipifyError(quoted(path) + " cannot be written: " + reason());
    return;
  }
  require_writable(path);
  mode_t mode = 0;
  if (exists || ::stat(like.c_str(), &status) == 0) mode = status.st_mode & 07777;

  static std::atomic<unsigned> count = 0;
  const std::string temporary =
      place.string() + ".hipify-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) throw HipifyError("no file can be made beside " + quoted(path) + ": " + reason());
  try {
    if (mode && ::fchmod(file.get(), mode | S_IWUSR) != 0)
      throw HipifyError("the permissions of " + quoted(path) + " cannot be set: " + reason());
    write_all(file.get(), text, path);
    // Before the rename: else a crash of the machine could leave an empty file under the name.
    if ((exists && ::fsync(file.get()) != 0) || !file.close())
      throw HipifyError(quoted(path) + " cannot be written: " + reason());
    if (::rename(temporary.c_str(), place.c_str()) != 0)
      throw HipifyError(quoted(path) + " cannot be replaced: " + reason());
  } catch (const HipifyError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void require_writable(const fs::path& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  // Permissions count for root as well.
  if ((status.st_mode & 0222) == 0 || ::access(path.c_str(), W_OK) != 0)
    throw HipifyError(quoted(path) + " is read-only");
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

bool is_source_name(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (std::string_view known :
       {".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".hdl"}) {
    if (extension == known) return true;
  }
  return false;
}

std::vector<fs::path> find_sources(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::none, error);
  if (error) throw HipifyError("the folder " + quoted(folder) + " cannot be read: " + error.message());
  for (; it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (error) throw HipifyError("the folder " + quoted(folder) + " cannot be read: " + error.message());
    const fs::path& path = it->path();
    if (it->is_directory(error)) {
      if (path.filename().string().starts_with('.')) it.disable_recursion_pending();
    } else if (it->is_regular_file(error) && is_source_name(path)) {
      found.push_back(path);
    }
  }
  if (error) throw HipifyError("the folder " + quoted(folder) + " cannot be read: " + error.message());
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace hip::hipify
