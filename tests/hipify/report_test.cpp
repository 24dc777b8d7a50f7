// Findings -> warnings, statistics and the report.
#include "report.h"

#include <catch2/catch.hpp>

using namespace hip::hipify;
using Catch::Matchers::Contains;

namespace {

FileResult result_of(const char* source) {
  FileResult file;
  file.name = "a.cu";
  file.conversion = convert(source, {});
  return file;
}

constexpr const char* kSource = "cudaMalloc(a);\ncudaMalloc(b); k<<<1, 1>>>(sqrtf(x));\ncudaNewer(c);\n"
                                "cudaMemcpyToSymbol(c, h, n);\n";

} // namespace

TEST_CASE("warnings look like a compiler's") {
  CHECK_THAT(warnings_text(result_of(kSource)), Contains("a.cu:3:1: warning: 'cudaNewer' ") && Contains("[unknown]\n"));
  CHECK(warnings_text(result_of("cudaFree(p);\n")).empty());
}

TEST_CASE("counts") {
  Counts counts;
  counts.add(result_of(kSource).conversion);
  CHECK(counts.references == 4);
  CHECK(counts.unchanged == 1);
  CHECK(counts.launches == 1);
  CHECK(counts.rewritten == 1);
  CHECK(counts.warnings == 1);
  CHECK(counts.lines == 4);
  CHECK(counts.converted["cudaMalloc"]["hipMalloc"] == 2);
  CHECK(counts.by_kind["runtime functions"] == 3);
  CHECK(counts.by_api["runtime"] == 4);
  const std::string text = statistics_text("a.cu", counts);
  CHECK_THAT(text, Contains("file 'a.cu' statistics") && Contains("CONVERTED refs count: 4\n") &&
                       Contains("TOTAL lines of code: 4\n") && Contains("WARNINGS: 1\n") &&
                       Contains("  cudaMalloc => hipMalloc: 2\n"));
}

TEST_CASE("statistics as CSV") {
  FileResult file = result_of(kSource);
  file.name = "a,\"b\".cu";
  CHECK_THAT(statistics_csv({file}), Contains("file,what,cuda,hip,count\n") &&
                                         Contains("\"a,\"\"b\"\".cu\",converted,cudaMalloc,hipMalloc,2\n") &&
                                         Contains(",warnings,,,1\n"));
}

TEST_CASE("the report says what was done and what is left, by line") {
  FileResult failed;
  failed.name = "b.cu";
  failed.error = "'b.cu' cannot be opened";
  const std::string text = markdown_report({result_of(kSource), failed});
  CHECK_THAT(text, Contains("| `a.cu` | 4 | 3 | 1 | 1 | 1 |"));
  CHECK_THAT(text, Contains("not converted: 'b.cu' cannot be opened"));
  CHECK_THAT(text,
             Contains("Of 2 files 0 should build as converted, 0 have places to look at, and 2 name what HIP does not "
                      "have, or were not converted."));
  CHECK_THAT(markdown_report({result_of("int n = cudaSuccess;")}), Contains("Of 1 file 1 should build as converted"));
  CHECK_THAT(text, Contains("| 3:1 | `cudaNewer` | unknown |"));
  CHECK_THAT(text, Contains("| `cudaMalloc` | `hipMalloc` | runtime, runtime functions | 2 | 1, 2 |"));
  CHECK_THAT(text, Contains("| 4 | `cudaMemcpyToSymbol` | its variable is named with HIP\\_SYMBOL |"));
  CHECK_THAT(text, Contains("Kernel launches: 1."));
}
