// Marks and ranges: levels, ids, what a tool is told, what the trace says.
#include "roctx/roctx.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Call {
  int domain;
  uint32_t operation;
  std::string message;
  uint64_t id;
};
std::vector<Call> calls;

int remember(int domain, uint32_t operation, void* data) {
  // Read by offset, as tools of another compiler do.
  const char* message = nullptr;
  uint64_t id = 0;
  std::memcpy(&message, data, sizeof message);
  std::memcpy(&id, static_cast<char*>(data) + 8, sizeof id);
  calls.push_back({domain, operation, message ? message : "(null)", id});
  return 1; // ignored
}

// What this program says on standard error when it runs the hidden case below with the environment given.
std::string output_of_marks(const std::string& environment) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  FILE* const pipe = popen((environment + " '" + self + "' '[marks]' 2>&1 >/dev/null").c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  std::array<char, 4096> buffer;
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  CHECK(pclose(pipe) == 0);
  return text;
}

} // namespace

TEST_CASE("The library has the version of ROCm's and its symbols are in that version's node") {
  CHECK(roctx_version_major() == 4);
  CHECK(roctx_version_minor() == 1);
  void* const library = dlopen("libroctx64.so.4", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  for (const char* name : {"roctx_version_major", "roctx_version_minor", "roctxMarkA", "roctxRangePushA",
                           "roctxRangePop", "roctxRangeStartA", "roctxRangeStop", "roctxRegisterTracerCallback"}) {
    CAPTURE(name);
    CHECK(dlvsym(library, name, "ROCTX_4.1"));
  }
  CHECK_FALSE(dlsym(library, "roctxMark")); // a macro of the header
  dlclose(library);
}

TEST_CASE("Nested ranges have levels, for each thread its own") {
  CHECK(roctxRangePop() == -1);
  CHECK(roctxRangePushA("a") == 0);
  CHECK(roctxRangePushA("b") == 1);
  std::thread([] {
    CHECK(roctxRangePop() == -1);
    CHECK(roctxRangePushA("other") == 0);
    CHECK(roctxRangePop() == 0);
  }).join();
  CHECK(roctxRangePushA(nullptr) == 2);
  CHECK(roctxRangePop() == 2);
  CHECK(roctxRangePop() == 1);
  CHECK(roctxRangePop() == 0);
  CHECK(roctxRangePop() == -1);
  CHECK(roctxRangePushA("again") == 0);
  CHECK(roctxRangePop() == 0);
}

TEST_CASE("Ranges by id have different ids and end on any thread") {
  const uint64_t first = roctxRangeStartA("a");
  const uint64_t second = roctxRangeStartA("b");
  CHECK(first >= 1);
  CHECK(second == first + 1);
  std::thread([&] { roctxRangeStop(first); }).join();
  roctxRangeStop(second);
  roctxRangeStop(12345678); // never started
}

TEST_CASE("A tool is told of each call, with the numbers of roctracer") {
  calls.clear();
  roctxRegisterTracerCallback(remember);
  roctxMarkA("mark");
  roctxMarkA(nullptr);
  roctxRangePushA("push");
  roctxRangePop();
  roctxRangePop(); // one too many is told, too
  const uint64_t id = roctxRangeStartA("start");
  roctxRangeStop(id);
  roctxRegisterTracerCallback(nullptr);
  roctxMarkA("nobody hears it");

  const Call expected[] = {{6, 0, "mark", 0},   {6, 0, "(null)", 0}, {6, 1, "push", 0},   {6, 2, "(null)", 0},
                           {6, 2, "(null)", 0}, {6, 3, "start", id}, {6, 4, "(null)", id}};
  REQUIRE(calls.size() == std::size(expected));
  for (size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(i);
    CHECK(calls[i].domain == expected[i].domain);
    CHECK(calls[i].operation == expected[i].operation);
    CHECK(calls[i].message == expected[i].message);
    CHECK(calls[i].id == expected[i].id);
  }
}

TEST_CASE("Marks for the trace", "[.][marks]") {
  roctxMarkA("here");
  for (int i = 0; i < 70; ++i) roctxRangePushA("deep"); // more than are timed
  for (int i = 0; i < 70; ++i) roctxRangePop();
  roctxRangePop();
  roctxRangeStop(roctxRangeStartA(nullptr));
}

TEST_CASE("OMNIHIP_TRACE shows every mark and range, and nothing without it") {
  CHECK(output_of_marks("OMNIHIP_TRACE=0").empty());
  const std::string text = output_of_marks("OMNIHIP_TRACE=1");
  CAPTURE(text);
  for (const char* part : {": roctxMarkA(message = \"here\")\n", ": roctxRangePushA(message = \"deep\") = 0\n",
                           ": roctxRangePushA(message = \"deep\") = 69\n", ": roctxRangePop() = 69\n",
                           ": roctxRangePop() = 0, a range of ", ": roctxRangePop() = -1\n",
                           ": roctxRangeStartA(message = null) = 1\n", ": roctxRangeStop(id = 1)\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 70 + 70 + 1 + 2);
}
