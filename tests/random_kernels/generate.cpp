// generate.cpp - `generate SEED COUNT` writes a HIP program of COUNT kernels to standard output. The program runs them
// on the device and on the host, compares all results bit for bit, and ends with exit code 1 where they differ.
#include "functions.h"
#include "kernel.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long long seed = argc == 3 ? std::strtoull(argv[1], &end, 10) : 0;
  const bool seed_read = argc == 3 && *argv[1] && !*end;
  const unsigned long long count = seed_read ? std::strtoull(argv[2], &end, 10) : 0;
  if (!seed_read || *end || count == 0 || count > 100) {
    std::fprintf(
        stderr, "usage: generate SEED COUNT: writes a program of COUNT (1 to 100) random kernels to standard output\n");
    return 2;
  }
  using namespace random_kernels;
  Random random(seed);
  Program program;
  std::string out = "// Made by generate " + text(seed) + " " + text(count) + ".\n" +
                    (random.chance(50) ? "#define RK_OPERATIONS_CALLED\n" : "") + "#include \"harness.h\"\n\n" +
                    write_functions(random, program);
  std::string table;
  for (unsigned i = 0; i < count; ++i) {
    Kernel kernel(random, program, i);
    kernel.write();
    out += "\n" + kernel.text();
    table += "      " + kernel.row() + ",\n";
  }
  out += "\nint main() {\n  static const Case kKernels[] = {\n" + table + "  };\n  return run_all(" + text(seed) +
         "ull, kKernels);\n}\n";
  return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
