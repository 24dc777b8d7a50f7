// What goes wrong in a kernel becomes a report, never a signal of the process; and waiting kernels make progress.
#include "rig.h"

#include <catch2/catch.hpp>
#include <csetjmp>
#include <csignal>

using namespace hip;
using namespace hip::engine::test;
using Catch::Matchers::Contains;

TEST_CASE("a read beyond the allocation, inside the arena") {
  Rig rig;
  uint32_t* in = rig.array<uint32_t>(1024);
  uint32_t* out = rig.array<uint32_t>(64);
  // Lane 63 alone is beyond the page: which of several lanes is named, is the host compiler's choice.
  constexpr uint64_t kStride = 66;
  Status status = rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, out, kStride);
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_THAT(status.message(), Contains("fault_read") && Contains("global_load_dword") && Contains("work-group (0, 0, 0)"));
  REQUIRE_THAT(status.message(), Contains(fmt::format("{:#x}", reinterpret_cast<uint64_t>(in) + 63 * kStride)));
  // The engine goes on working.
  status = rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, out, uint64_t(4));
  REQUIRE(status.ok());
}

TEST_CASE("a write outside the arena is refused without a signal, lane by lane") {
  Rig rig;
  std::vector<uint32_t> host(64, 7);
  Status status = rig.launch("fault_write", {.groups_x = 1, .items_x = 64}, host.data());
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_THAT(status.message(), Contains("lanes 0-15") && Contains("no allocation near"));
  for (uint32_t v : host) REQUIRE(v == 7);
}

TEST_CASE("a null pointer") {
  Rig rig;
  Status status = rig.launch("fault_write", {.groups_x = 4, .items_x = 64, .threads = 2}, static_cast<uint32_t*>(nullptr));
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
}

TEST_CASE("bytes that are no instruction, and traps") {
  Rig rig;
  Status status = rig.launch("undecodable", {.groups_x = 1, .items_x = 64});
  REQUIRE(status.code() == ErrorCode::InvalidKernelFile);
  REQUIRE_THAT(status.message(), Contains("undecodable") && Contains("0xffffffff"));
  status = rig.launch("trap", {.groups_x = 1, .items_x = 64});
  REQUIRE(status.code() == ErrorCode::LaunchFailure);
  REQUIRE_THAT(status.message(), Contains("s_trap"));
}

TEST_CASE("a report names the kernel that was launched, not the function whose instructions it executes") {
  Rig rig;
  // Both begin at the same address and execute what the second one is made of.
  for (const char* name : {"without_end", "private_far"}) {
    const Status status = rig.launch(name, {.groups_x = 1, .items_x = 64}, rig.array<uint32_t>(64), uint32_t(1) << 20);
    REQUIRE(status.code() == ErrorCode::IllegalAddress);
    REQUIRE_THAT(status.message(), Contains(std::string("Kernel ") + name + ":"));
  }
}

TEST_CASE("an access behind the private memory says so, and how much there is") {
  Rig rig;
  const Status status = rig.launch("private_far", {.groups_x = 1, .items_x = 64}, rig.array<uint32_t>(64), uint32_t(1) << 20);
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_THAT(status.message(), Contains("private_far") && Contains("of private memory, of which each work-item has") && Contains("hipLimitStackSize"));
}

namespace {
sigjmp_buf host_jump;
void host_handler(int) { siglongjmp(host_jump, 1); }
} // namespace

TEST_CASE("a fault of the host reaches the handler that was there before") {
  // Installed before the first engine of this process would be best; the engine keeps what it finds, so install ours on
  // top and restore: both orders must leave guest faults reported.
  Rig rig;
  struct sigaction mine {}, before {};
  mine.sa_handler = host_handler;
  mine.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &mine, &before);
  bool caught = false;
  if (sigsetjmp(host_jump, 1) == 0)
    *reinterpret_cast<volatile int*>(rig.arena.arena_base + rig.arena.arena_bytes - 8) = 1;
  else
    caught = true;
  sigaction(SIGSEGV, &before, nullptr);
  REQUIRE(caught);
  uint32_t* in = rig.array<uint32_t>(1024);
  REQUIRE(rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, in, uint64_t(4096)).code() == ErrorCode::IllegalAddress);
}

TEST_CASE("dispatches that cannot run are refused") {
  Rig rig;
  uint32_t* out = rig.array<uint32_t>(64);
  REQUIRE(rig.launch("reverse", {.groups_x = 1, .items_x = 2048}, out, out).code() == ErrorCode::InvalidConfiguration);
  REQUIRE(rig.launch("reverse", {.groups_x = 0, .items_x = 64}, out, out).code() == ErrorCode::InvalidConfiguration);
}

TEST_CASE("waves of a group that wait for each other without a barrier") {
  Rig rig;
  uint32_t* flags = rig.array<uint32_t>(2);
  Status status = rig.launch("spin_waves", {.groups_x = 1, .items_x = 128}, flags);
  INFO(status.to_string());
  REQUIRE(status.ok());
  REQUIRE(flags[0] == 1);
}

TEST_CASE("groups that wait for each other, on one thread and on two, cooperative and not") {
  Rig rig;
  for (bool cooperative : {true, false})
    for (unsigned threads : {1u, 2u}) {
      uint32_t* arrived = rig.array<uint32_t>(1);
      Status status = rig.launch("spin_groups", {.groups_x = 40, .items_x = 64, .threads = threads, .cooperative = cooperative},
                                 arrived, 40u);
      INFO(status.to_string());
      REQUIRE(status.ok());
      REQUIRE(*arrived == 40);
    }
}
