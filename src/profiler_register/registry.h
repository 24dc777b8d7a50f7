// profiler_register/registry.h - the tables that libraries have registered, and the numbers that they got.
// Thread safety: any thread.
#pragma once

#include "profiler_register/register.h"

#include <array>
#include <mutex>
#include <vector>

namespace hip::profiler_register {

inline constexpr size_t kInstancesPerLibrary = 8;

// Libraries that may register, in the order of their numbers. `file` is what their file names begin with.
struct Library {
  const char* name;
  const char* file;
};
inline constexpr std::array<Library, 8> kLibraries = {{{"hsa", "libhsa-runtime64.so."},
                                                       {"hip", "libamdhip64.so."},
                                                       {"roctx", "libroctx64.so."},
                                                       {"hip_compiler", "libamdhip64.so."},
                                                       {"rccl", "librccl.so."},
                                                       {"rocdecode", "librocdecode.so."},
                                                       {"rocjpeg", "librocjpeg.so."},
                                                       {"rocattach", "librocprofiler-sdk-attach.so."}}};

enum class Propagate { New, All };

class Registry {
public:
  static Registry& instance() noexcept; // never destroyed

  rocprofiler_register_error_code_t add(const char* name, rocprofiler_register_import_func_t import, uint32_t version,
                                        void** tables, uint64_t count, uint64_t& id);
  void each(rocprofiler_register_registration_info_cb_t callback, void* data);
  rocprofiler_register_error_code_t propagate(Propagate which);

private:
  struct Registration {
    uint32_t version = 0;
    std::vector<void*> tables;
    bool is_propagated = false;
  };
  // Locks for a thread that is not inside already; in a tool's function it is.
  class Entry;

  static bool hand_over(size_t library, size_t instance, Registration& registration);

  std::mutex mutex_;
  std::array<std::vector<Registration>, kLibraries.size()> registrations_;
};

} // namespace hip::profiler_register
