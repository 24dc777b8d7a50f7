// api_coverage_check <trace>...: whether the tests whose traces (OMNIHIP_TRACE) these files are had, of every function
// of api.def, a success and every error that HIP documents for it (documented_errors.def). What unproven.def excuses
// must be missing indeed. Prints what is wrong and a summary; the result is 1 when anything is wrong.
// api_coverage_check --page <file>: writes docs/api-coverage.md, what the first form proves, from the same tables.
// --check-page <file>: the result is 1 when the file is not what --page would write.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Names = std::vector<std::string>;

Names split(std::string_view list) { // "a, b"
  Names all;
  std::string word;
  for (const char c : list) {
    if (c != ',' && c != ' ') {
      word += c;
    } else if (!word.empty()) {
      all.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) all.push_back(word);
  return all;
}

struct Function {
  std::string name, node;
  bool returns_error;
  bool is_private() const { return node == "omnihip"; } // of our own libraries; programs have no header of it
};

const std::vector<Function> kFunctions = {
#define HIP_API(name, node, area, params, args, ...) {#name, #node, true},
#define HIP_API_BARE(name, node, area, params, args) {#name, #node, true},
#define HIP_API_TODO(name, node, area, params, args) {#name, #node, true},
#define HIP_API_RET(type, name, node, area, params, args) {#name, #node, false},
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) {#name, #node, false},
#define HIP_COMPILER_API(type, name, node, params, args) {#name, #node, false},
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value) {#name, #node, false},
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
};

// The second name of an error says the same as its first.
const std::set<std::string> kErrors = {
#define HIP_ERROR(name, value, text) #name,
#define HIP_ERROR_ALIAS(name, value, other)
#include "api/errors.def"
#undef HIP_ERROR
#undef HIP_ERROR_ALIAS
};

struct Row {
  std::string function, like;
  Names errors;
};
#define HIP_DOCUMENTED_ERRORS(function, ...) {#function, "", split("" __VA_OPT__(#__VA_ARGS__))},
#define HIP_DOCUMENTED_ALIKE(function, other) {#function, #other, {}},
const std::vector<Row> kDocumented = {
#include "api/documented_errors.def"
};

struct Excuse {
  std::string error, instead; // no error: a success
  std::string reason;
  Names functions;
};
#define HIP_UNPROVEN(error, reason, ...) {#error, "", reason, split(#__VA_ARGS__)},
#define HIP_UNPROVEN_INSTEAD(error, instead, reason, ...) {#error, #instead, reason, split(#__VA_ARGS__)},
#define HIP_UNPROVEN_SUCCESS(reason, ...) {"", "", reason, split(#__VA_ARGS__)},
const std::vector<Excuse> kExcuses = {
#include "unproven.def"
};

int wrong = 0;
void complain(const std::string& what) {
  std::printf("%s\n", what.c_str());
  ++wrong;
}

// Results by function, without "hipError"; "Success" where one was had.
using Seen = std::map<std::string, std::set<std::string>>;

// "omnihip trace <thread>: <function>(<arguments>) = <result> in <time> us"; all else in the file is not ours.
void read_trace(const char* path, Seen& seen) {
  std::ifstream file(path);
  if (!file) complain(std::string("cannot read ") + path);
  constexpr std::string_view kStart = "omnihip trace ";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kStart)) continue;
    const size_t name = line.find(": "), open = line.find('('), result = line.rfind(") = "), end = line.rfind(" in ");
    if (name == line.npos || open == line.npos || result == line.npos || end == line.npos || end < result) continue;
    std::string what = line.substr(result + 4, end - result - 4);
    if (what.starts_with("hipError")) what.erase(0, 8);
    if (what == "hipSuccess" || what == "done") what = "Success";
    seen[line.substr(name + 2, open - name - 2)].insert(what);
  }
}

std::map<std::string, Names> documented_errors() {
  std::map<std::string, Names> documented;
  for (const Row& row : kDocumented) {
    if (!row.like.empty() && !documented.contains(row.like))
      complain(row.function + " is alike " + row.like + ", which has no row before it");
    if (!documented.emplace(row.function, row.like.empty() ? row.errors : documented[row.like]).second)
      complain(row.function + " has two rows of documented errors");
    for (const std::string& error : row.errors)
      if (!kErrors.contains(error)) complain(row.function + ": " + error + " is no error's first name");
  }
  return documented;
}

// Functions that programs call, and errors that are documented for them; and what is excused of both.
struct Totals {
  size_t functions = 0, errors = 0, without_success = 0, without_error = 0;
};
Totals totals(const std::map<std::string, Names>& documented) {
  Totals sum;
  std::set<std::string> counted;
  for (const Function& function : kFunctions) {
    if (function.is_private()) continue;
    counted.insert(function.name);
    ++sum.functions;
    if (function.returns_error) sum.errors += documented.at(function.name).size();
  }
  for (const Excuse& excuse : kExcuses)
    for (const std::string& function : excuse.functions)
      if (counted.contains(function)) ++(excuse.error.empty() ? sum.without_success : sum.without_error);
  return sum;
}

// Which tests are meant, how many there are, and each exception.
std::string page() {
  const Totals sum = totals(documented_errors());
  std::ostringstream out;
  out << "# Host interface: what its tests show\n\n"
      << sum.functions - sum.without_success << " of " << sum.functions << " functions succeed in a test, and "
      << sum.errors - sum.without_error << " of the " << sum.errors
      << " errors that HIP documents for them\n(hip/api/documented_errors.def) are returned by one. The test "
         "`api_coverage` records every call of the API's tests and\nfails when one of these is missing, or when an "
         "exception of this page is none. Made from hip/api/*.def and\ntests/api/coverage/unproven.def by the target "
         "`api_coverage_docs`; not edited by hand.\n\n"
         "## No success\n\n| functions | why |\n|---|---|\n";
  const auto list = [](const Names& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
    return text;
  };
  const auto is_private = [](const Excuse& excuse) { // a row names functions of one kind
    return std::any_of(kFunctions.begin(), kFunctions.end(),
                       [&](const Function& f) { return f.is_private() && f.name == excuse.functions[0]; });
  };
  for (const Excuse& excuse : kExcuses)
    if (excuse.error.empty() && !is_private(excuse))
      out << "| " << list(excuse.functions) << " | " << excuse.reason << " |\n";
  out << "\n## Errors that are not returned\n\n| error | why | instead | functions |\n|---|---|---|---|\n";
  for (const Excuse& excuse : kExcuses)
    if (!excuse.error.empty())
      out << "| " << excuse.error << " | " << excuse.reason << " | " << excuse.instead << " | "
          << list(excuse.functions) << " |\n";
  return out.str();
}

} // namespace

int main(int count, char** arguments) {
  const std::string_view option = count == 3 ? arguments[1] : "";
  if (option == "--page") {
    std::ofstream(arguments[2]) << page();
    return wrong != 0;
  }
  if (option == "--check-page") {
    std::ifstream file(arguments[2]);
    if (std::string(std::istreambuf_iterator<char>(file), {}) != page())
      complain(std::string(arguments[2]) +
               " is not what the tables say; build the target api_coverage_docs and commit it.");
    return wrong != 0;
  }
  Seen seen;
  for (int i = 1; i < count; ++i) read_trace(arguments[i], seen);

  std::map<std::string, Names> documented = documented_errors();
  std::set<std::pair<std::string, std::string>> excused;
  for (const Excuse& excuse : kExcuses) {
    for (const std::string& function : excuse.functions) {
      const std::string& error = excuse.error;
      const Names& errors = documented[function];
      if (std::none_of(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == function; }))
        complain("unproven.def names " + function + ", which is no function");
      else if (!error.empty() && std::find(errors.begin(), errors.end(), error) == errors.end())
        complain("unproven.def excuses " + function + " for " + error + ", which is not documented");
      else if (seen[function].contains(error.empty() ? "Success" : error))
        complain("unproven.def excuses " + function + " for " + (error.empty() ? "success" : error) + ", which it had");
      else if (!excuse.instead.empty() && !seen[function].contains(excuse.instead))
        complain(function + " did not return " + excuse.instead + ", which unproven.def promises instead of " + error);
      excused.emplace(function, error);
    }
  }

  size_t functions = 0, successes = 0, errors = 0, proven = 0;
  for (const Function& function : kFunctions) {
    const std::set<std::string>& results = seen[function.name];
    functions += !function.is_private();
    if (results.contains("Success"))
      successes += !function.is_private();
    else if (!excused.contains({function.name, ""}))
      complain(function.name + " has no test in which it succeeds");
    if (!function.returns_error) continue;
    if (!documented.contains(function.name)) complain(function.name + " has no row of documented errors");
    for (const std::string& error : documented[function.name]) {
      ++errors;
      if (results.contains(error))
        ++proven;
      else if (!excused.contains({function.name, error}))
        complain(function.name + " has no test in which it returns " + error);
    }
  }
  std::printf("%zu of %zu functions succeed, %zu of %zu documented errors were returned; excused: %zu\n", successes,
              functions, proven, errors, excused.size());
  return wrong != 0;
}
