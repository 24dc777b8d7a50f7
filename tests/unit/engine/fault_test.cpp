// What goes wrong in a kernel becomes a report, never a signal of the process; and waiting kernels make progress.
#include "rig.h"

#include <catch2/catch.hpp>
#include <csetjmp>
#include <csignal>
#include <cstdlib>

using namespace hip;
using namespace hip::engine::test;
using Catch::Matchers::Contains;

TEST_CASE("a read beyond the allocation, inside the arena") {
  Rig rig;
  uint32_t* in = rig.array<uint32_t>(1024);
  uint32_t* out = rig.array<uint32_t>(64);
  // Lane 63 alone is beyond the page.
  constexpr uint64_t kStride = 66;
  Status status = rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, out, kStride);
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_THAT(status.message(), Contains("fault_read") && Contains("global_load_dword") && Contains("work-group (0, 0, 0)"));
  REQUIRE_THAT(status.message(), Contains(fmt::format("{:#x}", reinterpret_cast<uint64_t>(in) + 63 * kStride)));
  // The engine goes on working.
  status = rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, out, uint64_t(4));
  REQUIRE(status.ok());
}

TEST_CASE("interpreted, an access that the host has refused is reported with its lanes") {
  const char* const before = std::getenv("OMNIHIP_TIER");
  const std::string tier = before ? before : "";
  setenv("OMNIHIP_TIER", "0", 1);
  Rig rig; // reads it
  before ? setenv("OMNIHIP_TIER", tier.c_str(), 1) : unsetenv("OMNIHIP_TIER");
  uint32_t* in = rig.array<uint32_t>(1024);
  uint32_t* out = rig.array<uint32_t>(64);
  // Lanes 62 and 63 are in the next page; the host may stop at either.
  Status status = rig.launch("fault_read", {.groups_x = 1, .items_x = 64}, in, out, uint64_t(67));
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  const uint64_t address = reinterpret_cast<uint64_t>(in);
  const bool is_62 = status.message().find(fmt::format("{:#x}", address + 62 * 67)) != std::string::npos;
  REQUIRE_THAT(status.message(), Contains(is_62 ? ", lane 62)" : ", lane 63)"));
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
  REQUIRE_THAT(status.message(), Contains("private_far") && Contains("overflows the stack") &&
                                     Contains("of private memory, of which each work-item has") &&
                                     Contains("hipLimitStackSize"));
}

TEST_CASE("recursion that is too deep for the private memory is called so") {
  Rig rig;
  uint32_t* out = rig.array<uint32_t>(64);
  REQUIRE(rig.launch("recursion", {.groups_x = 1, .items_x = 64}, out, uint32_t(3)).ok());
  const Status status = rig.launch("recursion", {.groups_x = 1, .items_x = 64}, out, uint32_t(100000));
  REQUIRE(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_THAT(status.message(),
               Contains("Kernel recursion:") && Contains("overflows the stack") && Contains("lanes 0-"));
}

TEST_CASE("a jump to where no code is: the kernel that was launched, and where the jump came from") {
  Rig rig;
  uint32_t* data = rig.array<uint32_t>(64);
  Status status = rig.launch("call_at", {.groups_x = 1, .items_x = 64}, data);
  INFO(status.message());
  REQUIRE(status.code() == ErrorCode::LaunchFailure);
  REQUIRE_THAT(status.message(), Contains("Kernel call_at: control reaches the address") &&
                                     Contains("It comes from 's_") && Contains("has an instruction: ") &&
                                     Contains("work-group (0, 0, 0), wave 0"));
  status = rig.launch("branch_outside", {.groups_x = 1, .items_x = 64});
  INFO(status.message());
  REQUIRE(status.code() == ErrorCode::LaunchFailure);
  REQUIRE_THAT(status.message(),
               Contains("Kernel branch_outside: control reaches the address") && Contains("It comes from 's_branch"));
  REQUIRE(rig.launch("fault_write", {.groups_x = 1, .items_x = 64}, data).ok());
}

TEST_CASE(
    "an atomic at an address that is not aligned is reported with its lanes, and changes nothing that is aligned") {
  Rig rig;
  struct Case {
    const char* kernel;
    uint64_t by;
    uint64_t at; // the address, counted from the memory; of LDS it is not known
    const char* bytes;
    const char* lanes;
  };
  // In LDS translated code stops at the first 16 lanes that have such a lane.
  for (const Case& c :
       {Case{"misaligned_global", 2, 26, "4 bytes", "lanes 3, 40"},
        Case{"misaligned_wide", 4, 28, "8 bytes", "lanes 3, 40"}, Case{"misaligned_one", 1, 1, "4 bytes", "lane 3"},
        Case{"misaligned_swap", 3, 27, "4 bytes", "lane 3"}, Case{"misaligned_lds", 1, 0, "4 bytes", "3"},
        Case{"misaligned_lds_wide", 4, 0, "8 bytes", "3"}}) {
    INFO(c.kernel);
    char* data = rig.array<char>(1024);
    Status status = rig.launch(c.kernel, {.groups_x = 1, .items_x = 64}, data, c.by);
    INFO(status.message());
    REQUIRE(status.code() == ErrorCode::IllegalAddress);
    const std::string address = c.at ? fmt::format("{:#x}", reinterpret_cast<uint64_t>(data) + c.at) : "of LDS";
    REQUIRE_THAT(status.message(), Contains(fmt::format("which is not a multiple of the atomic's {}", c.bytes)) &&
                                       Contains(address) && Contains(c.lanes));
    // The same kernels with aligned addresses.
    status = rig.launch(c.kernel, {.groups_x = 1, .items_x = 64}, data, uint64_t(0));
    REQUIRE(status.ok());
  }
}

TEST_CASE("accesses outside LDS: loads give 0, stores do nothing, as on cards") {
  Rig rig;
  uint32_t* out = rig.array<uint32_t>(64);
  const Status status = rig.launch("lds_anywhere", {.groups_x = 1, .items_x = 64}, out, uint32_t(1) << 20);
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < 64; ++k) REQUIRE(out[k] == (k + 1) * 100);
}

TEST_CASE("a launch whose time is over ends, wherever its waves are, and says where that was") {
  Rig rig;
  struct Case {
    const char* kernel;
    const char* place;
  };
  for (const Case& c : {Case{"endless", "wave"}, Case{"endless_lane", "wave"}, Case{"endless_barriers", "wave"},
                        Case{"endless_wait", "wave"}, Case{"endless_sleep", "wave"}})
    for (const uint32_t groups : {1u, 50u})
      for (const unsigned threads : {1u, 2u}) {
        uint32_t* memory = rig.array<uint32_t>(256);
        INFO(c.kernel << " " << groups << " " << threads);
        // On a host that is busy the time may be over before a wave has begun; then it has more.
        Status status;
        for (uint32_t time = 20; time <= 2000; time *= 10) {
          status = rig.launch(c.kernel, {.groups_x = groups, .items_x = 256, .threads = threads, .time_out_ms = time}, memory);
          if (status.message().find("work-group (") != std::string::npos) break;
        }
        INFO(status.message());
        REQUIRE(status.code() == ErrorCode::LaunchTimeOut);
        REQUIRE_THAT(
            status.message(),
            Contains(fmt::format("Kernel {}: it has executed for longer than the time of the test", c.kernel)) &&
                Contains("work-group (") && Contains(c.place) && Contains("(offset 0x"));
      }
  uint32_t* memory = rig.array<uint32_t>(64);
  // What comes afterwards is as ever, also with a time that is not used up.
  REQUIRE(rig.launch("fault_write", {.groups_x = 1, .items_x = 64, .time_out_ms = 60000}, memory).ok());
  for (int k = 0; k < 64; ++k) REQUIRE(memory[k] == 1);
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
