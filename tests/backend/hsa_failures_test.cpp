// AMD's runtime where something fails: each call in turn with each status that the interface documents, over a stand-in
// (hsa_standin.cpp). Every case is a process of its own: whatever happens, it ends by itself, the error is named,
// nothing is left behind, and the software GPU works as before.
#include "hsa_child.h"

#include <catch2/catch.hpp>

#include <map>
#include <poll.h>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

TEST_CASE("Nothing fails, and nothing is left behind", "[hsa][failures]") {
  const Outcome outcome = in_child([] { scenario([](StandIn&) {}); });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 1);
  CHECK(outcome.number("right") == 1);
  CHECK(outcome.number("software") == 1);
  CHECK_FALSE(outcome.has("error: "));
  for (int kind = 0; kind < kStandInKinds; ++kind) CHECK(outcome.number("alive" + std::to_string(kind)) == 0);
}

TEST_CASE("A child that hangs says where its threads are", "[hsa][failures]") {
  const Outcome outcome = in_child(
      [] {
        std::thread other([] {
          for (;;) ::pause();
        });
        for (;;) ::poll(nullptr, 0, -1);
      },
      std::chrono::milliseconds(500));
  INFO(outcome.text);
  CHECK_FALSE(outcome.ended);
  CHECK(outcome.has("The child hangs."));
  const size_t first = outcome.text.find(" is at\n");
  REQUIRE(first != outcome.text.npos);
  CHECK(outcome.text.find(" is at\n", first + 1) != outcome.text.npos); // both
  CHECK(outcome.has("(pause+"));
  CHECK(outcome.has("poll+"));
  CHECK(outcome.has("The child was ended by signal 9."));
}

namespace {

struct Row {
  StandInCall call;
  StandInKind kind;
  int change;
  std::vector<int> statuses;
};

// What HIP's documentation calls what HSA's calls by the status.
std::string hip_error(const std::string& call, int status) {
  const std::map<int, const char*> names{{HSA_STATUS_ERROR, "hipErrorUnknown"},
                                         {HSA_STATUS_ERROR_INVALID_ARGUMENT, "hipErrorInvalidValue"},
                                         {HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "hipErrorNotSupported"},
                                         {HSA_STATUS_ERROR_INVALID_ALLOCATION, "hipErrorInvalidValue"},
                                         {HSA_STATUS_ERROR_INVALID_AGENT, "hipErrorInvalidDevice"},
                                         {HSA_STATUS_ERROR_INVALID_SIGNAL, "hipErrorInvalidHandle"},
                                         {HSA_STATUS_ERROR_INVALID_QUEUE, "hipErrorInvalidHandle"},
                                         {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "hipErrorOutOfMemory"},
                                         {HSA_STATUS_ERROR_RESOURCE_FREE, "hipErrorInvalidValue"},
                                         {HSA_STATUS_ERROR_NOT_INITIALIZED, "hipErrorNotInitialized"},
                                         {HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "hipErrorUnknown"},
                                         {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "hipErrorNoBinaryForGpu"},
                                         {HSA_STATUS_ERROR_INVALID_ISA, "hipErrorInvalidHandle"},
                                         {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "hipErrorInvalidImage"},
                                         {HSA_STATUS_ERROR_INVALID_EXECUTABLE, "hipErrorInvalidHandle"},
                                         {HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "hipErrorIllegalState"},
                                         {HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "hipErrorInvalidSymbol"},
                                         {HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, "hipErrorInvalidSymbol"},
                                         {HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "hipErrorSharedObjectSymbolNotFound"},
                                         {HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "hipErrorInvalidHandle"},
                                         {HSA_STATUS_ERROR_INVALID_MEMORY_POOL, "hipErrorInvalidHandle"}};
  if (status == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
      (call == "hsa_amd_memory_pool_allocate" || call == "hsa_amd_vmem_handle_create"))
    return "hipErrorOutOfMemory"; // the size of one that is asked for
  const auto found = names.find(status);
  return found == names.end() ? "no error" : found->second;
}

// Calls by the dozen are one loop's: of these, some.
void add_numbers(std::set<int>& numbers, int first, int last) {
  for (int number = first; number <= last; ++number)
    if (number < first + 24 || (number - first) % 8 == 0 || number == last) numbers.insert(number);
}

// Every error that tells of `told` is `error`.
void check_errors(const std::string& text, const std::string& told, const std::string& error) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("error: ") || line.find(told) == line.npos) continue;
    INFO(line);
    CHECK(line.ends_with("(" + error + ")"));
  }
}

} // namespace

TEST_CASE("Each call fails with each of its statuses: named, without a hang or a leak", "[hsa][failures]") {
  const Outcome clean = in_child([] { scenario([](StandIn& state) { state.shared_memory = 1; }); });
  const Row rows[] = {
#define HSA_STANDS_IN(name, kind, change, ...) {kStandIn_##name, kind, change, {__VA_ARGS__}},
#include "hsa_standin.def"
  };
  for (const Row& row : rows) {
    if (row.call == kStandIn_hsa_status_string || row.call == kStandIn_hsa_shut_down) continue; // below
    const std::string name = kStandInNames[row.call];
    const int first = clean.number("first_" + name), used = clean.number("used_" + name), calls = clean.number(name);
    INFO(name);
    REQUIRE(calls > 0); // the scenario uses all
    std::set<int> numbers{0};
    add_numbers(numbers, 1, first);
    add_numbers(numbers, used + 1, calls); // when the device ends
    // Every status where the call always fails, and where its first or last one does; between these the first stands
    // for all.
    std::vector<std::pair<int, int>> failures; // status, number
    for (const int status : row.statuses)
      for (const int number : numbers)
        if (number <= 1 || number == *numbers.rbegin() || status == row.statuses.front())
          failures.emplace_back(status, number);
    for (const auto& [status, number] : failures) {
      const Outcome outcome = in_child([&] {
        scenario([&](StandIn& state) {
          state.shared_memory = 1;
          state.failing_call = row.call;
          state.failing_number = number;
          state.failing_status = status;
        });
      });
      INFO(name << " number " << number << " of " << calls << " gives " << std::hex << status << std::dec << "\n"
                << outcome.text);
      REQUIRE(outcome.ended);
      CHECK(outcome.number("failed") > 0);
      std::ostringstream told;
      told << name << " gives 0x" << std::hex << status;
      CHECK(outcome.has(told.str()));
      if (status == HSA_STATUS_CU_MASK_REDUCED) { // is no error
        CHECK(outcome.number("right") == 1);
        CHECK_FALSE(outcome.has("error: "));
      } else {
        check_errors(outcome.text, told.str(), hip_error(name, status));
      }
      // Once it is over the device works, unless it was left out from the beginning.
      if (number != 0 && outcome.number("devices") == 1) CHECK(outcome.number("again") == 1);
      CHECK(outcome.number("software") == 1);
      for (int kind = 0; kind < kStandInKinds; ++kind) {
        const int expected = row.change < 0 && kind == row.kind ? outcome.number("failed") : 0; // did not go away
        CHECK(outcome.number("alive" + std::to_string(kind)) == expected);
      }
    }
  }
}

TEST_CASE("A status without a text is told by its number", "[hsa][failures]") {
  for (const int status : {HSA_STATUS_ERROR_NOT_INITIALIZED, HSA_STATUS_ERROR_INVALID_ARGUMENT}) {
    const Outcome outcome = in_child([status] {
      ::setenv("OMNIHIP_HSA_TIMEOUT_S", "1", 1); // as below
      scenario([status](StandIn& state) {
        state.failing_call = kStandIn_hsa_status_string;
        state.failing_status = status;
        state.queue_error = HSA_STATUS_ERROR_EXCEPTION;
        state.queue_error_at = 1;
      });
    });
    INFO(outcome.text);
    REQUIRE(outcome.ended);
    CHECK(outcome.has("0x1016: no text"));
  }
}

TEST_CASE("A runtime that is of no use, and cannot be ended, is told of with both", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    scenario([](StandIn& state) {
      state.failing_call = kStandIn_hsa_system_get_major_extension_table;
      state.failing_status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
      state.second_failing_call = kStandIn_hsa_shut_down;
      state.second_failing_status = HSA_STATUS_ERROR_NOT_INITIALIZED;
    });
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 0);
  CHECK(outcome.has("hsa_system_get_major_extension_table gives 0x1001"));
  CHECK(outcome.has("hsa_shut_down gives 0x100b"));
  CHECK(outcome.number("software") == 1);
}

TEST_CASE("A queue that fails at any point ends the device, not the program", "[hsa][failures]") {
  // What AMD's runtime tells of a queue.
  const std::pair<int, const char*> errors[] = {
      {HSA_STATUS_ERROR, "hipErrorLaunchFailure"},
      {HSA_STATUS_ERROR_INVALID_ARGUMENT, "hipErrorInvalidConfiguration"},
      {HSA_STATUS_ERROR_INVALID_ALLOCATION, "hipErrorLaunchOutOfResources"},
      {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "hipErrorLaunchOutOfResources"},
      {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "hipErrorLaunchFailure"},
      {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "hipErrorInvalidConfiguration"},
      {HSA_STATUS_ERROR_INVALID_ISA, "hipErrorLaunchOutOfResources"},
      {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "hipErrorInvalidDeviceFunction"},
      {HSA_STATUS_ERROR_EXCEPTION, "hipErrorLaunchFailure"},
      {HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, "hipErrorIllegalAddress"},
      {HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "hipErrorLaunchFailure"},
      {HSA_STATUS_ERROR_MEMORY_FAULT, "hipErrorIllegalAddress"},
      {HSA_STATUS_ERROR_OUT_OF_REGISTERS, "hipErrorLaunchOutOfResources"}};
  for (const auto& [status, error] : errors)
    for (int doorbell = 1; doorbell <= 6; ++doorbell) {
      const Outcome outcome = in_child([status = status, doorbell] {
        ::setenv("OMNIHIP_HSA_TIMEOUT_S", "1", 1); // what a copy waits for that the queue does not do any more
        scenario([&](StandIn& state) {
          state.queue_error = status;
          state.queue_error_at = doorbell;
        });
      });
      INFO(std::hex << status << std::dec << " at " << doorbell << "\n" << outcome.text);
      REQUIRE(outcome.ended);
      CHECK(outcome.has("has lost a queue"));
      check_errors(outcome.text, "has lost a queue", error);
      CHECK(outcome.number("again") == 0); // the device is lost, and says so
      CHECK(outcome.text.rfind("has lost a queue") > outcome.text.find("first_hsa_init")); // in the second use, too
      CHECK(outcome.number("software") == 1);
    }
}

TEST_CASE("Copies that never end are given up", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    ::setenv("OMNIHIP_HSA_TIMEOUT_S", "1", 1);
    scenario([](StandIn& state) { state.withhold_copies = true; });
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("OMNIHIP_HSA_TIMEOUT_S (1 s)"));
  CHECK(outcome.number("right") == 0);
  CHECK(outcome.number("software") == 1);
}

TEST_CASE("A GPU without memory pools is left out", "[hsa][failures]") {
  const Outcome outcome = in_child([] { scenario([](StandIn& state) { state.no_pools = true; }); });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 0);
  CHECK(outcome.has("The GPU has no coarse-grained memory."));
  CHECK(outcome.number("software") == 1);
}

TEST_CASE("What is no runtime is named", "[hsa][failures]") {
  const auto with = [](const char* file) {
    return in_child([file] {
      ::setenv("OMNIHIP_HSA_RUNTIME", file, 1);
      auto hsa = backend::create_hsa_backend();
      if (good(hsa))
        say("absence: " + std::string((*hsa)->absence()) + "\ndevices=" + std::to_string((*hsa)->devices().size()) +
            "\n");
      auto software = backend::create_aql_backend();
      if (good(software)) say("\nsoftware=" + std::to_string(use(*(*software)->devices()[0])) + "\n");
    });
  };
  const std::pair<const char*, const char*> cases[] = {
      {"/nowhere/libhsa-runtime64.so.1", "/nowhere/libhsa-runtime64.so.1"}, // not there
      {"/etc/passwd", "/etc/passwd"},                                       // no shared object
      {OMNIHIP_TEST_OLD_RUNTIME, "has no function hsa_"}};                  // one of a version before
  for (const auto& [file, words] : cases) {
    const Outcome outcome = with(file);
    INFO(file << "\n" << outcome.text);
    REQUIRE(outcome.ended);
    CHECK(outcome.number("devices") == 0);
    CHECK(outcome.has(words));
    CHECK(outcome.number("software") == 1);
  }
}

TEST_CASE("Two processes use the runtime at the same time", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    const pid_t other = ::fork();
    if (other == 0) {
      scenario([](StandIn&) {});
      ::_exit(0);
    }
    scenario([](StandIn&) {});
    int status = -1;
    ::waitpid(other, &status, 0);
    say("\nother=" + std::to_string(status) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("other") == 0);
  size_t right = 0;
  for (size_t at = 0; (at = outcome.text.find("\nright=1\n", at)) != outcome.text.npos; ++at) ++right;
  CHECK(right == 2);
}
