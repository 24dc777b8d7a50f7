// Tools that wrap functions of HSA: what HSA_TOOLS_LIB names is loaded, and sees the calls. The environment is the
// CMake file's: a name of nothing, and the tool of tool.cpp.
#include "testing.h"

#include <dlfcn.h>
#include <hsa/hsa_api_trace.h>

using namespace hip::test;

namespace {

template<class R = int> R of_tool(const char* function) {
  void* const tool = ::dlopen(OMNIHIP_HSA_TOOL, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(tool);
  auto* const found = reinterpret_cast<R (*)()>(::dlsym(tool, function));
  REQUIRE(found);
  return found();
}

} // namespace

TEST_CASE("A tool sees the calls of the program, and none after the end", "[hsa][tool]") {
  for (int round = 1; round <= 2; ++round) {
    int allocations = 0;
    {
      Hsa hsa;
      CHECK(of_tool("tool_loads") == round);
      std::string failed;
      for (int i = 0; i < round; ++i) failed += "/nowhere/libtool.so;";
      CHECK(of_tool<const char*>("tool_failed_names") == failed);
      const int queues = of_tool("tool_queues");
      allocations = of_tool("tool_allocations");
      hsa_queue_t* const queue = hsa.queue(64);
      CHECK(queue->size == 128); // the tool's doing
      CHECK(of_tool("tool_queues") == queues + 1);
      hsa.allocate<char>(hsa.fine, 100);
      CHECK(of_tool("tool_allocations") == allocations + 1);
      REQUIRE_HSA(hsa_queue_destroy(queue));
    }
    CHECK(of_tool("tool_unloads") == round);
  }
}

TEST_CASE("The tables have ROCr's layout", "[hsa][tool]") {
  // Numbers of ROCr 7.2's header.
  CHECK(offsetof(CoreApiTable, hsa_queue_create_fn) == 16 + 7 * 8);
  CHECK(offsetof(CoreApiTable, hsa_signal_cas_scacq_screl_fn) == 16 + 72 * 8);
  CHECK(offsetof(AmdExtTable, hsa_amd_queue_intercept_create_fn) == 16 + 37 * 8);
  CHECK(offsetof(AmdExtTable, hsa_amd_vmem_address_reserve_fn) == 16 + 55 * 8);
  CHECK(sizeof(HsaApiTable) == 16 + 6 * 8);
}
