// Conformance: what kernels print is out when the host has synchronised, once, in one piece per call.
#include "conformance.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

namespace {

// Standard output of the process goes to a file while this lives.
class CapturedOutput {
public:
  CapturedOutput() {
    std::fflush(stdout);
    file_ = std::tmpfile();
    REQUIRE(file_);
    saved_ = ::dup(1);
    ::dup2(::fileno(file_), 1);
  }
  ~CapturedOutput() { restore(); }
  std::string text() {
    restore();
    std::string all;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) all += static_cast<char>(c);
    return all;
  }

private:
  void restore() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    ::dup2(saved_, 1);
    ::close(saved_);
    saved_ = -1;
  }
  std::FILE* file_ = nullptr;
  int saved_ = -1;
};

} // namespace

TEST_CASE("Buffered device printf", "[backend]") {
  backend::Device& device = subject("aql").device();
  const auto code = load(device, "printf.co");
  const auto queue = good(device.create_queue({}));
  std::vector<std::string> lines;
  {
    CapturedOutput output;
    for (int i = 0; i < 3; ++i)
      REQUIRE_OK(launch(*queue, good(code->find_kernel("speak")), {{4, 1, 1}, {4, 1, 1}, 0}, 4, 0.5));
    REQUIRE_OK(queue->synchronize());
    std::istringstream text(output.text());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  REQUIRE(lines.size() == 12);
  std::sort(lines.begin(), lines.end());
  for (int item = 0; item < 4; ++item)
    CHECK(std::count(lines.begin(), lines.end(), fmt::format("item {} of 4 says 0.50 and enough", item)) == 3);
}
