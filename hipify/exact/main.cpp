// hipify-clang: the exact form, and the processes that it starts to compile.
#include "driver.h"
#include "exact/parse_job.h"
#include "exact/parser.h"

#include <cstring>

int main(int argc, char** argv) {
  using namespace hip::hipify;
  if (argc > 1 && std::strcmp(argv[1], kParseJob) == 0) return run_parse_job({argv + 2, argv + argc});
  return run_hipify(argc, argv, parse_program);
}
