// tests/unit/hipcc/command.h - running programs and keeping files for a test.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc::test {

struct Outcome {
  int code;           // 128 + signal when the program was killed
  std::string output; // stdout and stderr in one
  bool mentions(const std::string& text) const { return output.find(text) != std::string::npos; }
};

// Runs a shell command line.
Outcome shell(const std::string& line);

// A folder for hipcc's cache that all tests of this program share, so that headers are parsed a few times instead of
// hundreds.
const std::string& shared_cache();

// The built hipcc with this command line, in the given folder, with the given cache folder ($XDG_CACHE_HOME).
Outcome hipcc(const std::string& folder, const std::string& arguments, const std::string& cache = shared_cache());

// The built omnicc, likewise.
Outcome omnicc(const std::string& folder, const std::string& arguments);

// A folder of its own for a test, removed at the end.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const; // makes the folders on the way
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;
  std::vector<std::string> list(const std::string& folder, const std::string& ending) const;

private:
  std::string path_;
};

} // namespace hip::hipcc::test
