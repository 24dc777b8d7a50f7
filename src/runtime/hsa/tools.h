// runtime/hsa/tools.h - libraries that wrap the interface's functions (hsa_api_trace.h says how). Thread safety: by
// one thread at a time, while the runtime is initialised or ends.
#pragma once

#include <string>
#include <vector>

namespace hip::hsa {

class Tools {
public:
  // Opens the tools of HSA_TOOLS_LIB and of the process, and calls their OnLoad, lowest priority number first. What
  // cannot be opened or refuses is left out, which the log says (as a fault with HSA_TOOLS_REPORT_LOAD_FAILURE).
  void load();
  // Calls their OnUnload, the last one first, and resets the tables. The libraries stay open: the call that ends the
  // runtime may come out of one of them.
  void unload() noexcept;

private:
  struct Tool {
    void* library = nullptr;
    std::string name;
    uint64_t order = 0;
  };
  std::vector<Tool> tools_;
};

} // namespace hip::hsa
