// AMD's runtime where something fails: each call in turn with each status that the interface documents, over a stand-in
// (hsa_standin.cpp). Every case is a process of its own: whatever happens, it ends by itself, the error is named,
// nothing is left behind, and the software GPU works as before.
#include "hsa_child.h"

#include <catch2/catch.hpp>

#include <set>
#include <sys/wait.h>
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

TEST_CASE("Each call fails with each of its statuses: named, without a hang or a leak", "[hsa][failures]") {
  const Outcome clean = in_child([] { scenario([](StandIn& state) { state.shared_memory = 1; }); });
  struct Row {
    StandInCall call;
    StandInKind kind;
    int change;
    std::vector<int> statuses;
  };
  const Row rows[] = {
#define HSA_STANDS_IN(name, kind, change, ...) {kStandIn_##name, kind, change, {__VA_ARGS__}},
#include "hsa_standin.def"
#undef HSA_STANDS_IN
  };
  for (const Row& row : rows) {
    if (row.call == kStandIn_hsa_status_string) continue; // below
    if (row.call == kStandIn_hsa_shut_down) continue;     // of a runtime that is not used, whose end nobody waits for
    const std::string name = kStandInNames[row.call];
    const int calls = clean.number(name);
    INFO(name);
    REQUIRE(calls > 0); // the scenario uses all
    for (const int status : row.statuses)
      for (const int number : std::set<int>{0, 1, (calls + 1) / 2, calls}) {
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
        CHECK(outcome.has(name + " gives 0x"));
        CHECK(outcome.number("software") == 1);
        for (int kind = 0; kind < kStandInKinds; ++kind) {
          const int expected = row.change < 0 && kind == row.kind ? outcome.number("failed") : 0; // did not go away
          CHECK(outcome.number("alive" + std::to_string(kind)) == expected);
        }
      }
  }
}

TEST_CASE("A status without a text is told by its number", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    scenario([](StandIn& state) {
      state.failing_call = kStandIn_hsa_status_string;
      state.failing_status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
      state.queue_error = HSA_STATUS_ERROR_EXCEPTION;
      state.queue_error_at = 1;
    });
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("0x1016: no text"));
}

TEST_CASE("A queue that fails at any point ends the device, not the program", "[hsa][failures]") {
  const int status =
      GENERATE(int(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT), int(HSA_STATUS_ERROR_EXCEPTION),
               int(HSA_STATUS_ERROR_MEMORY_FAULT), int(HSA_STATUS_ERROR_OUT_OF_RESOURCES),
               int(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION), int(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION));
  for (int doorbell = 1; doorbell <= 6; ++doorbell) {
    const Outcome outcome = in_child([&] {
      scenario([&](StandIn& state) {
        state.queue_error = status;
        state.queue_error_at = doorbell;
      });
    });
    INFO(status << " at " << doorbell << "\n" << outcome.text);
    REQUIRE(outcome.ended);
    CHECK(outcome.has("has lost a queue"));
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
