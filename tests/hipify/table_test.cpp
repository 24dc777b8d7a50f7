// The table: lookup, versions, advice, and that the names it leads to are those of this SDK.
#include "table/documents.h"
#include "table/table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace hip::hipify;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  REQUIRE(file.good());
  return text.str();
}

void add_names(const std::string& text, std::set<std::string>& names) {
  std::string name;
  for (char c : text + " ") {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter || (!name.empty() && c >= '0' && c <= '9')) {
      name += c;
    } else {
      if (!name.empty()) names.insert(name);
      name.clear();
    }
  }
}

const fs::path kSource = OMNIHIP_SOURCE_DIR;

} // namespace

TEST_CASE("names are found, and others are not") {
  Row row;
  REQUIRE(find_row("cudaMalloc", row));
  CHECK(row.hip == "hipMalloc");
  CHECK(row.kind == Kind::RuntimeFunction);
  CHECK(row.api == Api::Runtime);
  CHECK(row.has_hip());
  REQUIRE(find_row("cublasSgemm", row));
  CHECK(row.has_roc());
  CHECK(row.roc == "rocblas_sgemm");
  REQUIRE(find_row("cuda.h", row));
  CHECK(row.kind == Kind::Include);
  CHECK_FALSE(find_row("cudaMallo", row));
  CHECK_FALSE(find_row("cudaMallocX", row));
  CHECK_FALSE(find_row("", row));
  CHECK_FALSE(find_row("hipMalloc", row));
}

TEST_CASE("every row is found by its name, and rows are sorted") {
  REQUIRE(row_count() > 9000);
  std::string_view last;
  for (size_t i = 0; i < row_count(); ++i) {
    const Row expected = row(i);
    Row found;
    REQUIRE(find_row(expected.cuda, found));
    CHECK(found.number == i);
    CHECK(expected.cuda > last);
    last = expected.cuda;
    // What can be used has a name, but for headers and macros that HIP does without.
    if (expected.has_hip() && expected.kind != Kind::Include && expected.kind != Kind::Macro)
      CHECK_FALSE(expected.hip.empty());
  }
}

TEST_CASE("versions as people write them") {
  CHECK(version_text("12.0") == "12.0");
  CHECK(version_text("<=7.0") == "7.0 or earlier");
  CHECK(version_text("cuDNN 8.0.1") == "cuDNN 8.0.1");
  CHECK(version_text("?") == "not known");
  CHECK(version_text("") == "");
}

TEST_CASE("every row says since when") {
  std::set<std::string> unknown_cuda, unknown_hip;
  for (size_t i = 0; i < row_count(); ++i) {
    const Row r = row(i);
    INFO(r.cuda);
    for (std::string_view version : {r.cuda_added, r.cuda_deprecated, r.cuda_removed, r.hip_added, r.hip_deprecated}) {
      if (version.empty() || version == "?" || version == "OmniHIP") continue;
      const size_t number = version.find_first_of("0123456789");
      REQUIRE(number != std::string_view::npos);
      const std::string_view before = version.substr(0, number);
      CHECK((before.empty() || before == "<=" || before == "cuDNN " || before == "<=cuDNN " || before == "cuTENSOR " ||
             before == "<=cuTENSOR "));
      CHECK(version.find_first_not_of("0123456789.", number) == std::string_view::npos);
      CHECK(version.find('.') != std::string_view::npos);
    }
    CHECK_FALSE(r.cuda_added.empty());
    if (r.cuda_added == "?") unknown_cuda.insert(std::string(r.cuda));
    if (!r.has_hip()) continue;
    // What is dropped, or is a type of C++, has no version.
    if (!r.hip.empty() && r.hip != "void*") CHECK_FALSE(r.hip_added.empty());
    if (r.hip_added == "?" && !r.hip.starts_with("hipdnn") && !r.hip.starts_with("HIPDNN") && r.hip != "hipDNN.h")
      unknown_hip.insert(std::string(r.cuda));
  }
  // No header of a toolkit that was looked at declares these. hipDNN is not released with HIP, and never had versions.
  CHECK(unknown_cuda == std::set<std::string>{"cutensorComputeType_t", "float_as_uint", "uint_as_float"});
  CHECK(unknown_hip.empty());
}

TEST_CASE("every name without counterpart says what to do by hand, and every advice is of use") {
  std::set<std::string_view> used;
  for (size_t i = 0; i < row_count(); ++i) {
    const Row r = row(i);
    if (r.has_hip()) continue;
    INFO(r.cuda);
    CHECK_FALSE(advice_for(r.cuda).empty());
    used.insert(advice_for(r.cuda));
  }
  std::istringstream lines(read(kSource / "hipify/table/advice.tsv"));
  std::string line;
  std::getline(lines, line);
  for (; std::getline(lines, line);) {
    INFO(line);
    CHECK(used.contains(line.substr(line.find('\t') + 1)));
  }
}

TEST_CASE("the table as documents") {
  const std::string text = document(Api::Runtime, DocumentFormat::Markdown);
  CHECK_THAT(text, Contains("|`cudaMallocAsync`|11.2|||`hipMallocAsync`|5.2.0||||\n"));
  CHECK_THAT(text, Contains("|`cudaMalloc`|4.0 or earlier|||`hipMalloc`|"));
  CHECK_THAT(text, Contains("|`cudaSetDoubleForDevice`|4.0 or earlier|") &&
                       Contains("|no||||every GPU of today has double: remove the call|\n"));
  CHECK_THAT(document(Api::CuBlas, DocumentFormat::Csv),
             Contains("cublasSgemm,library functions,<=4.0,,,hipblasSgemm,1.8.2,,rocblas_sgemm,,\n"));
  size_t rows = 0;
  for (size_t i = 0; i < kApiCount; ++i) {
    const std::string csv = document(static_cast<Api>(i), DocumentFormat::Csv);
    rows += static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n')) - 1;
  }
  CHECK(rows == row_count());
}

TEST_CASE("the advice of the longest prefix") {
  CHECK(advice_for("other") == "");
  CHECK_FALSE(advice_for("cublasXtSgemm").empty());
  CHECK(advice_for("CUDA_VERSION") == advice_for("CUDART_VERSION"));
}

TEST_CASE("names of the runtime lead to names of this SDK") {
  std::set<std::string> names;
  for (const char* file :
       {"hip/api/api.def", "hip/api/errors.def", "hip/api/attributes.def", "hip/device/functions.def"})
    add_names(read(kSource / file), names);
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "include/hip")) {
    if (entry.is_regular_file()) add_names(read(entry.path()), names);
  }
  std::ostringstream missing;
  for (size_t i = 0; i < row_count(); ++i) {
    const Row r = row(i);
    const bool ours = r.api == Api::Runtime || r.api == Api::Driver || r.api == Api::Nvrtc || r.api == Api::CuComplex;
    if (!ours || !r.has_hip() || r.hip.empty() || r.kind == Kind::Include || names.contains(std::string(r.hip)))
      continue;
    missing << r.cuda << " " << r.hip << "\n";
  }
  // Names of AMD's HIP that this SDK does not have. A row that is no longer missing leaves the list; a new one is a
  // mistake of the table or a gap of the headers.
  CHECK(missing.str() == read(kSource / "tests/hipify/missing_names.txt"));
}

TEST_CASE("headers of the runtime lead to headers of this SDK") {
  for (size_t i = 0; i < row_count(); ++i) {
    const Row r = row(i);
    if (r.kind != Kind::Include || !r.has_hip() || !r.hip.starts_with("hip/")) continue;
    const fs::path header = kSource / "include" / r.hip;
    INFO(r.cuda << " -> " << r.hip);
    CHECK((fs::exists(header) || fs::exists(header.string() + ".in")));
  }
}
