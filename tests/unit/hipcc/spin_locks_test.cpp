// Locks of threads that run in step, as hipcc compiles them (src/device/codegen/spin_locks.cpp).
// tests/cuda/programs/locks.cu runs what is taken in.
#include "command.h"

#include <catch2/catch.hpp>

using namespace hip::hipcc;

TEST_CASE("a release is taken into the loop that waits for the lock, or a warning says that the wave may hang") {
  const std::string begin = R"(#include <hip/hip_runtime.h>
__global__ void locked(int* lock, int* sum, const int* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
)";
  const std::string take = "while (atomicCAS(lock, 0, 1) != 0) {}\n";
  const std::string work = "*sum += in[i]; __threadfence();\n", release = "atomicExch(lock, 0);\n";
  const std::string section = take + work + release;
  const test::Folder project;
  const auto compile = [&](const std::string& body, const std::string& arch) {
    project.write("lock.hip", begin + body + "}\n");
    const std::string arguments = "-O3 --cuda-device-only -S lock.hip -o lock.s --offload-arch=" + arch;
    const test::Outcome outcome = test::hipcc(project.path(), arguments);
    INFO(body << arch << "\n" << outcome.output);
    REQUIRE(outcome.code == 0);
    const std::string text = project.read("lock.s");
    const bool warns = outcome.mentions("each thread waits in a loop");
    const bool taken_in = text.find("wave barrier") != std::string::npos;
    return warns ? std::string("warning") : taken_in ? "taken in" : "as it is";
  };
  const std::pair<std::string, std::string> waves_of_64[] = {
      {section, "taken in"},
      {"if (i < count) {" + section + "}", "taken in"},
      {"if (threadIdx.x % 32 == 0) {" + section + "}", "taken in"}, // two of a wave
      {"if (in[i] > 4) {" + section + "}", "taken in"},
      {take + "*sum += in[i]; if (*sum < 0) {" + release + "return; }" + release, "taken in"},
      // Threads talk to each other where one has the lock.
      {take + "*sum += __shfl(in[i], 0); __threadfence();" + release, "warning"},
      {"while (*(volatile int*)lock != threadIdx.x / 32) {} *sum += __shfl(in[i], 0);"
       "*(volatile int*)lock = threadIdx.x / 32 + 1;",
       "warning"},
      // One thread of the wave, of a block's first or last.
      {"if (threadIdx.x == 0) {" + section + "}", "as it is"},
      {"if (threadIdx.x % 64 == 0) {" + section + "}", "as it is"},
      {"if (threadIdx.x < 1) {" + section + "}", "as it is"},
      {"if (threadIdx.x != 0) return;" + section, "as it is"},
      {"if (atomicAdd(sum, 1) == count) {" + section + "}", "as it is"},
      {"for (int k = 0; k < 64; ++k) if (k == threadIdx.x) {" + section + "}", "as it is"},
      // A second way out; nobody waits; a value that all threads wait for; no lock.
      {"int n = 0; while (atomicCAS(lock, 0, 1) != 0 && ++n < count) {}" + work + release, "as it is"},
      {take + work, "as it is"},
      {"while (*(volatile int*)lock != count) {} *sum += in[i]; *(volatile int*)lock = count + 1;", "as it is"},
      {"int was = *sum, seen; do { seen = was; was = atomicCAS(sum, seen, seen * in[i]); } while (was != seen);"
       "atomicAdd(sum, 1);",
       "as it is"},
  };
  for (const auto& [body, result] : waves_of_64) CHECK(compile(body, "gfx942") == result);
  CHECK(compile("if (threadIdx.x % 32 == 0) {" + section + "}", "gfx1100") == "as it is");
  CHECK(compile(section, "gfx1100") == "taken in");
}
