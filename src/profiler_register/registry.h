// profiler_register/registry.h - the tables that libraries have registered, and the numbers that they got.
// Thread safety: any thread. The lock is never held while foreign code runs or the loader is asked: a constructor may
// register, and the loader holds a lock of its own around constructors.
#pragma once

#include "profiler_register/register.h"
#include "profiler_register/tool.h"

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
    bool is_at_tool = false; // a thread is handing it over
  };
  // A registration that is to reach the tool.
  struct Offer {
    size_t library, instance;
    Propagate which; // New: unless a tool has had it meanwhile
  };

  // Ends with the first one that the tool does not take. While another thread looks for the tool the offers are left to
  // that thread; they count as NO_TOOLS.
  rocprofiler_register_error_code_t offer(std::vector<Offer> offers);
  // The tool, which this thread looks for when nobody has found it. Null: there is none, or another thread looks, which
  // has the offers then. `left` are those that other threads have left to this one.
  SetApiTable* tool_for(std::vector<Offer>& offers, std::vector<Offer>& left);
  bool hand_over(SetApiTable* tool, const Offer& offer); // false: refused

  std::mutex mutex_; // guards what follows
  std::array<std::vector<Registration>, kLibraries.size()> registrations_;
  SetApiTable* tool_ = nullptr; // once it was found
  bool is_searching_ = false;   // a thread is in find_tool()
  std::vector<Offer> waiting_;  // for the end of that
};

} // namespace hip::profiler_register
