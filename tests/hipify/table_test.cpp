// The table: lookup, versions, advice, and that the names it leads to are those of this SDK.
#include "table/table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace hip::hipify;
namespace fs = std::filesystem;

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
  CHECK(cuda_version("120") == "12.0");
  CHECK(cuda_version("90") == "9.0");
  CHECK(cuda_version("CUDNN_801") == "cuDNN 8.0.1");
  CHECK(cuda_version("CUDNN_10") == "cuDNN 1.0");
  CHECK(cuda_version("") == "");
  CHECK(hip_version("6020") == "6.2.0");
  CHECK(hip_version("1060") == "1.6.0");
  CHECK(hip_version("1092") == "1.9.2");
  CHECK(hip_version("") == "");
}

TEST_CASE("the advice of the longest prefix") {
  CHECK(advice_for("cuMalloc") == "");
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
