// Registrations are a process's: every case that registers runs in a child of its own.
#include "profiler_register/register.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Table {
  int (*function)();
};
int original() { return 7; }

// Runs the checks in a child; f returns the number of the check that fails, 0 when none does.
template<class F> void in_child(F f) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60); // one that waits for ever is ended
    _exit(f());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0); // the number of the failing check
}
#define CHECK_OR_RETURN(condition)                                                                                     \
  if (!(condition)) {                                                                                                  \
    fprintf(stderr, "register_test.cpp:%d: %s\n", __LINE__, #condition);                                               \
    return 1;                                                                                                          \
  }

int collect(rocprofiler_register_registration_info_t* info, void* data) {
  auto& text = *static_cast<std::string*>(data);
  text += std::string(info->common_name) + " " + std::to_string(info->lib_version) + " " +
          std::to_string(info->api_table_length) + "\n";
  return info->size == 32 && info->lib_version != 3 ? 0 : -1; // version 3 ends it
}

rocprofiler_register_error_code_t add(const char* name, uint32_t version, uint64_t& id, void* table, uint64_t count = 1,
                                      rocprofiler_register_import_func_t import = nullptr) {
  void* tables[2] = {table, table};
  rocprofiler_register_library_indentifier_t handle{id};
  const auto code = rocprofiler_register_library_api_table(name, import, version, tables, count, &handle);
  id = handle.handle;
  return code;
}

template<class F> F* in_tool(const char* name) {
  void* const tool = dlopen(OMNIHIP_TEST_TOOL, RTLD_NOLOAD | RTLD_NOW);
  return tool ? reinterpret_cast<F*>(dlsym(tool, name)) : nullptr;
}

const char* seen_by_tool() {
  auto* const seen = in_tool<const char*()>("unit_profiler_tool_seen");
  return seen ? seen() : "not loaded";
}

} // namespace

TEST_CASE("The library is the one that ROCm's clients ask for") {
  void* const library = dlopen("librocprofiler-register.so.0", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  for (const char* name :
       {"rocprofiler_register_library_api_table", "rocprofiler_register_error_string",
        "rocprofiler_register_iterate_registration_info", "rocprofiler_register_invoke_nonpropagated_registrations",
        "rocprofiler_register_invoke_all_registrations", "rocprofiler_register_attach",
        "rocprofiler_register_detach"}) {
    CAPTURE(name);
    CHECK(dlsym(library, name));
  }
  dlclose(library);
}

TEST_CASE("Every code has a text of its own") {
  std::vector<std::string> texts;
  for (int code = 0; code < 10; ++code)
    texts.push_back(rocprofiler_register_error_string(static_cast<rocprofiler_register_error_code_t>(code)));
  CHECK(texts[0] == "Success");
  std::sort(texts.begin(), texts.end());
  CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
  for (const int code : {-1, 10, 1000})
    CHECK(rocprofiler_register_error_string(static_cast<rocprofiler_register_error_code_t>(code)) ==
          std::string("rocprofiler_register_unknown_error"));
}

TEST_CASE("Without a profiler, tables are remembered, and stay as they are") {
  in_child([] {
    Table table{original};
    uint64_t id = 77;
    const char* const names[] = {"hsa", "hip", "roctx", "hip_compiler", "rccl", "rocdecode", "rocjpeg", "rocattach"};
    for (uint64_t i = 0; i < std::size(names); ++i) {
      CHECK_OR_RETURN(add(names[i], 70200, id, &table) == ROCP_REG_NO_TOOLS);
      CHECK_OR_RETURN(id == 8 * i);
    }
    for (uint64_t i = 1; i < 8; ++i) {
      CHECK_OR_RETURN(add("hip", 3, id, &table, 2) == ROCP_REG_NO_TOOLS);
      CHECK_OR_RETURN(id == 8 + i);
    }
    id = 77;
    CHECK_OR_RETURN(add("hip", 70200, id, &table) == ROCP_REG_EXCESS_API_INSTANCES);
    CHECK_OR_RETURN(id == 77);
    CHECK_OR_RETURN(table.function() == 7);
    std::string text;
    CHECK_OR_RETURN(rocprofiler_register_iterate_registration_info(collect, &text) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(text == "hsa 70200 1\nhip 70200 1\nhip 3 2\n"); // where collect() ends it
    CHECK_OR_RETURN(rocprofiler_register_invoke_all_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(table.function() == 7);
    return 0;
  });
}

TEST_CASE("What is not valid is refused and leaves no registration") {
  in_child([] {
    Table table{original};
    void* tables[1] = {&table};
    uint64_t id = 77;
    rocprofiler_register_library_indentifier_t handle{77};
    CHECK_OR_RETURN(add("hip", 1, id, &table, 0) == ROCP_REG_BAD_API_TABLE_LENGTH);
    CHECK_OR_RETURN(add("hip", 1, id, &table, ~0ull) == ROCP_REG_BAD_API_TABLE_LENGTH);
    CHECK_OR_RETURN(add("none", 1, id, &table) == ROCP_REG_UNSUPPORTED_API);
    CHECK_OR_RETURN(add("", 1, id, &table) == ROCP_REG_UNSUPPORTED_API);
    const auto call = rocprofiler_register_library_api_table;
    CHECK_OR_RETURN(call(nullptr, nullptr, 1, tables, 1, &handle) == ROCP_REG_INVALID_ARGUMENT);
    CHECK_OR_RETURN(call("hip", nullptr, 1, nullptr, 1, &handle) == ROCP_REG_INVALID_ARGUMENT);
    CHECK_OR_RETURN(call("hip", nullptr, 1, tables, 1, nullptr) == ROCP_REG_INVALID_ARGUMENT);
    CHECK_OR_RETURN(rocprofiler_register_iterate_registration_info(nullptr, nullptr) == ROCP_REG_INVALID_ARGUMENT);
    CHECK_OR_RETURN(rocprofiler_register_attach("", "") == ROCP_REG_ATTACHMENT_NOT_AVAILABLE);
    CHECK_OR_RETURN(rocprofiler_register_detach() == ROCP_REG_NO_TOOLS);
    std::string text;
    CHECK_OR_RETURN(rocprofiler_register_iterate_registration_info(collect, &text) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(text.empty() && id == 77 && handle.handle == 77);
    return 0;
  });
}

TEST_CASE("Variables are off by all of ROCm's words, and on by others") {
  const char* const off[] = {"0", "00", "f", "N", "no", "off", "OFF", "false", "False"};
  const char* const on[] = {"1", "10", "on", "yes", "true", "offline", "nope", "0x0", ""};
  in_child([&] { // nothing is remembered
    Table table{original};
    uint64_t id = 77;
    std::string text;
    for (const char* const word : off) {
      setenv("ROCPROFILER_REGISTER_ENABLED", word, 1);
      CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS && id == 77);
    }
    CHECK_OR_RETURN(rocprofiler_register_iterate_registration_info(collect, &text) == ROCP_REG_SUCCESS && text.empty());
    for (const char* const word : {"1", "on", "offline", ""}) {
      setenv("ROCPROFILER_REGISTER_ENABLED", word, 1);
      CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS);
    }
    return id == 8 + 3 ? 0 : 1;
  });
  for (const char* const word : off)
    in_child([&] { // the tool is not loaded, though its library is named
      setenv("ROCPROFILER_REGISTER_LIBRARY", OMNIHIP_TEST_TOOL, 1);
      setenv("ROCPROFILER_REGISTER_FORCE_LOAD", word, 1);
      Table table{original};
      uint64_t id = 77;
      CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS && table.function() == 7);
      return 0;
    });
  in_child([&] { // which looks at where the import function is
    Table table{original};
    uint64_t id = 77;
    const auto import = [] { return uint32_t{1}; };
    size_t refused = 0;
    for (const char* const word : on) {
      setenv("ROCPROFILER_REGISTER_SECURE", word, 1);
      refused += add("hip", 1, id, &table, 1, import) == ROCP_REG_INVALID_API_ADDRESS;
    }
    CHECK_OR_RETURN(refused == std::size(on) - 1); // nothing is the default, which is 0
    for (const char* const word : {"0", "off", "False"}) {
      setenv("ROCPROFILER_REGISTER_SECURE", word, 1);
      CHECK_OR_RETURN(add("roctx", 1, id, &table, 1, import) == ROCP_REG_NO_TOOLS);
    }
    return 0;
  });
}

TEST_CASE("In secure mode the import function has to be in the library of the name") {
  in_child([] {
    Table table{original};
    uint64_t id = 77;
    const auto import = [] { return uint32_t{1}; }; // in this program
    setenv("ROCPROFILER_REGISTER_SECURE", "1", 1);
    CHECK_OR_RETURN(add("hip", 1, id, &table, 1, import) == ROCP_REG_INVALID_API_ADDRESS);
    CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS);
    unsetenv("ROCPROFILER_REGISTER_SECURE");
    CHECK_OR_RETURN(add("hip", 1, id, &table, 1, import) == ROCP_REG_NO_TOOLS);
    return 0;
  });
}

TEST_CASE("A profiler gets tables and may change them") {
  in_child([] {
    setenv("ROCPROFILER_REGISTER_LIBRARY", OMNIHIP_TEST_TOOL, 1);
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("hip", 70200, id, &table) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(table.function() == 42);
    CHECK_OR_RETURN(add("hip", 70201, id, &table, 2) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(id == 9);
    CHECK_OR_RETURN(add("rccl", 5, id, &table) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(add("rocjpeg", 6, id, &table) == ROCP_REG_ROCPROFILER_ERROR);
    const std::string expected = "hip 70200 0 1\nhip 70201 1 2\nrccl 5 0 1\n2\nrocjpeg 6 0 1\n";
    CHECK_OR_RETURN(seen_by_tool() == expected);
    // Only what was refused is new; that ends it.
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_ROCPROFILER_ERROR);
    CHECK_OR_RETURN(seen_by_tool() == expected + "rocjpeg 6 0 1\n");
    return 0;
  });
}

TEST_CASE("A profiler's constructor registers, and so does a thread that it waits for") {
  in_child([] {
    setenv("ROCPROFILER_REGISTER_LIBRARY", OMNIHIP_TEST_TOOL, 1);
    setenv("UNIT_PROFILER_TOOL_CONSTRUCTOR", "1", 1);
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("hip", 70200, id, &table) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(table.function() == 42);
    // They were told that there is no tool yet, and their tables have reached it since, once.
    CHECK_OR_RETURN(seen_by_tool() == std::string("hip 70200 0 1\nroctx 8 0 1\nrocattach 9 0 1\n"));
    int results[4]{};
    in_tool<void(int (&)[4])>("unit_profiler_tool_constructed")(results);
    CHECK_OR_RETURN(results[0] == ROCP_REG_NO_TOOLS && results[1] == ROCP_REG_NO_TOOLS);
    CHECK_OR_RETURN(results[2] == 42 && results[3] == 42);
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(seen_by_tool() == std::string("hip 70200 0 1\nroctx 8 0 1\nrocattach 9 0 1\n"));
    return 0;
  });
}

TEST_CASE("A profiler's function waits for a thread that registers") {
  in_child([] {
    setenv("ROCPROFILER_REGISTER_LIBRARY", OMNIHIP_TEST_TOOL, 1);
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("rocdecode", 3, id, &table) == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(seen_by_tool() == std::string("rocdecode 3 0 1\nhsa 1 0 1\n0\n"));
    return 0;
  });
}

TEST_CASE("A profiler that comes later gets the tables when it asks") {
  in_child([] {
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("roctx", 400, id, &table) == ROCP_REG_NO_TOOLS);
    setenv("ROCP_TOOL_LIBRARIES", "tool.so", 1);
    setenv("ROCPROFILER_REGISTER_LIBRARY", OMNIHIP_TEST_TOOL, 1);
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(table.function() == 42);
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(seen_by_tool() == std::string("roctx 400 0 1\n"));
    CHECK_OR_RETURN(rocprofiler_register_invoke_all_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(seen_by_tool() == std::string("roctx 400 0 1\nroctx 400 0 1\n"));
    return 0;
  });
}

TEST_CASE("A profiler's library that is missing does not end the program") {
  in_child([] {
    setenv("ROCPROFILER_REGISTER_LIBRARY", "/nonexistent/librocprofiler-sdk.so", 1);
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS);
    CHECK_OR_RETURN(id == 8 && table.function() == 7);
    return 0;
  });
}

TEST_CASE("A profiler that the program loads after the named library was missing gets the tables") {
  in_child([] {
    setenv("ROCPROFILER_REGISTER_LIBRARY", "/nonexistent/librocprofiler-sdk.so", 1);
    Table table{original};
    uint64_t id = 77;
    CHECK_OR_RETURN(add("hip", 1, id, &table) == ROCP_REG_NO_TOOLS);
    CHECK_OR_RETURN(dlopen(OMNIHIP_TEST_TOOL, RTLD_NOW | RTLD_GLOBAL));
    CHECK_OR_RETURN(rocprofiler_register_invoke_nonpropagated_registrations() == ROCP_REG_SUCCESS);
    CHECK_OR_RETURN(table.function() == 42);
    CHECK_OR_RETURN(seen_by_tool() == std::string("hip 1 0 1\n"));
    return 0;
  });
}

TEST_CASE("Threads register side by side") {
  in_child([] {
    std::array<uint64_t, 8> ids{};
    std::array<Table, 8> tables{};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < ids.size(); ++i) threads.emplace_back([&, i] { add("hsa", 1, ids[i], &tables[i]); });
    for (auto& thread : threads) thread.join();
    std::sort(ids.begin(), ids.end());
    for (size_t i = 0; i < ids.size(); ++i) CHECK_OR_RETURN(ids[i] == i);
    return 0;
  });
}
