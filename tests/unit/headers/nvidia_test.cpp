// The headers of HIP_PLATFORM=nvidia as text, where no CUDA is at hand to compile them: which functions they declare
// and with which parameters, against api.def; their errors, against the runtime's table of CUDA's results. With CUDA's
// headers the tests headers_nvidia_* compile them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

const fs::path kSource = OMNIHIP_SOURCE_DIR;

std::vector<std::string> parts(const std::string& text, const char* pattern, int group = 1) {
  const std::regex regex(pattern, std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.push_back((*i)[group]);
  return found;
}

// All headers of the platform in one text.
std::string headers() {
  std::string text;
  for (const auto& entry : fs::directory_iterator(kSource / "include/hip/nvidia_detail")) text += read(entry.path());
  return text;
}

// The parenthesis that opens at `at`, with what is in it; one blank where there is any white space, default arguments
// left out.
std::string parenthesis(const std::string& text, size_t at) {
  std::string out;
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (text.compare(i, 9, " __dparm(") == 0) {
      for (int inner = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++inner;
        if (text[i] == ')' && --inner == 0) break;
      }
      continue;
    }
    const bool blank = text[i] == ' ' || text[i] == '\n';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : text[i];
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) break;
  }
  return out;
}

// A function's name and its parameters.
using Functions = std::map<std::string, std::string>;

// Rows `macro(name, skipped, (parameters), ...` of a text: the first parenthesis that follows the name.
void add_rows(const std::string& text, const char* pattern, Functions& functions) {
  const std::regex regex(pattern, std::regex::multiline);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
    const size_t after = static_cast<size_t>(i->position() + i->length());
    functions[(*i)[1]] = parenthesis(text, text.find('(', after));
  }
}

Functions table() {
  Functions functions;
  add_rows(read(kSource / "hip/api/api.def"), R"(^HIP_API(?:_BARE|_TODO)?\((\w+),)", functions);
  add_rows(read(kSource / "hip/api/api.def"), R"(^HIP_API_RET(?:_TODO)?\([^,]+, (\w+),)", functions);
  REQUIRE(functions.size() > 400);
  return functions;
}

} // namespace

TEST_CASE("every function for NVIDIA GPUs has a row in api.def with its parameters", "[headers]") {
  const Functions api = table();
  Functions rows;
  add_rows(headers(), R"(^HIP_TO_CU(?:DA)?\((\w+),)", rows);
  CHECK(rows.size() > 300);
  for (const auto& [name, parameters] : rows) {
    INFO(name);
    const auto row = api.find(name);
    REQUIRE(row != api.end());
    CHECK(parameters == (row->second == "()" ? "(void)" : row->second));
  }
}

TEST_CASE("every function of api.def is declared for NVIDIA GPUs, or listed as undeclared", "[headers]") {
  const std::string text = headers();
  std::set<std::string> declared;
  for (const char* pattern : {R"(^HIP_TO_CU(?:DA)?\((\w+),)", R"(^static inline [\w ]+[ *]+(hip\w+)\()"})
    for (const std::string& name : parts(text, pattern)) declared.insert(name);
  for (const char* current : {"hipGetDeviceProperties", "hipChooseDevice"}) // macros, for the structure of HIP 6
    if (declared.erase(current)) declared.insert(std::string(current) + "R0600");
  std::set<std::string> undeclared;
  for (const std::string& name :
       parts(read(kSource / "tests/nvidia/undeclared.h"), R"(^#define HIP_NV_UNDECLARED_(\w+))"))
    undeclared.insert(name);
  for (const auto& [name, parameters] : table()) {
    INFO(name);
    CHECK(declared.count(name) + undeclared.count(name) == 1);
    undeclared.erase(name);
  }
  CHECK(undeclared.empty()); // names that api.def does not have
}

TEST_CASE("CUDA's errors are the same for programs by nvcc as in the runtime", "[headers]") {
  const std::string text = read(kSource / "include/hip/nvidia_detail/error.h");
  std::map<std::string, std::string> by_name, by_number;
  const std::regex shared(R"(F\((\w+), \w+, (\w+)\))"), numbered(R"(F\((\d+), (\w+)\))");
  const std::string own =
      text.substr(text.find("#define HIP_NV_ERRORS(F)"),
                  text.find("#define HIP_NV_ERRORS_OF_RUNTIME") - text.find("#define HIP_NV_ERRORS(F)"));
  for (std::sregex_iterator i(own.begin(), own.end(), shared), end; i != end; ++i) by_name[(*i)[2]] = (*i)[1];
  for (std::sregex_iterator i(text.begin(), text.end(), numbered), end; i != end; ++i) by_number[(*i)[1]] = (*i)[2];
  by_name["CONTEXT_ALREADY_CURRENT"] = "ContextAlreadyCurrent"; // a case of its own: the runtime has no such error
  const std::string results = read(kSource / "src/runtime/backend/cuda/results.def");
  const std::regex row(R"(CUDA_RESULT\((\d+), (\w+), (\w+), \w+\))");
  size_t rows = 0;
  for (std::sregex_iterator i(results.begin(), results.end(), row), end; i != end; ++i, ++rows) {
    INFO((*i)[0]);
    const auto named = by_name.find((*i)[2]);
    const auto number = by_number.find((*i)[1]);
    REQUIRE((named != by_name.end()) + (number != by_number.end()) == 1);
    CHECK((named != by_name.end() ? named->second : number->second) == (*i)[3]);
  }
  CHECK(rows == by_name.size() + by_number.size());
}
