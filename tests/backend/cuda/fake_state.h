// tests/backend/cuda/fake_state.h - inside the fake driver: GPUs over host memory. One thread runs everything in the
// order in which it was submitted, which satisfies every order that streams ask for; the host sees it as asynchronous.
// Thread safety: one lock, the state's; nothing of a caller runs under it.
#pragma once

#include "fake_cuda.h"
#include "runtime/backend/cuda/driver_types.h"
#include "runtime/codeobject/ptx.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hip::cuda {

struct CUctx_st {
  int device = 0;
  int users = 0;
  unsigned flags = 0;
  CUresult lost = kSuccess; // what every call gives from then on
  uint64_t null_stream_last = 0;
};
// What was captured; its nodes in the order in which they came.
struct CUgraphNode_st {
  std::function<void()> run;
  std::vector<CUgraphNode_st*> dependencies;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::shared_ptr<const CUgraph_st> graph;
  std::map<const CUgraphNode_st*, std::function<void()>> changed{}; // what these nodes do instead
};
struct CUstream_st {
  CUctx_st* context;
  bool blocking;
  uint64_t last = 0;                             // number of its newest operation
  std::shared_ptr<CUgraph_st> capture = nullptr; // what it captures into
  std::vector<CUgraphNode_st*> capture_dependencies{};
};
struct EventRecord {
  uint64_t operation = 0;
  uint64_t time_ns = 0;
};
struct CUevent_st {
  CUctx_st* context;
  unsigned flags;
  std::shared_ptr<EventRecord> record; // null: never recorded
};
struct CUmod_st {
  CUctx_st* context;
  codeobject::PtxModule ptx;
  std::map<std::string, std::vector<std::byte>> variables;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};
// Elements lie row after row, slice after slice.
struct CUarray_st {
  CUctx_st* context;
  CUDA_ARRAY3D_DESCRIPTOR shape;
  bool is_level;
  std::vector<std::byte> data;
};
struct CUmipmappedArray_st {
  CUctx_st* context;
  std::vector<std::unique_ptr<CUarray_st>> levels;
};
struct CUmemPoolHandle_st {
  CUctx_st* context;
  CUmemPoolProps properties;
  bool is_default;
  int switches[3] = {1, 1, 1};
  uint64_t threshold = 0, used_high = 0;
  uint64_t freed_apart = 0;  // by cuMemFree: counts as used for ever, as in NVIDIA's driver
  std::map<int, int> access; // by device; what is not here is none
};
struct CUextMemory_st {
  int descriptor;
  uint64_t bytes;
};
struct CUextSemaphore_st {
  int descriptor;
  uint64_t* timeline; // its value; null: an opaque semaphore
};
struct CUfunc_st {
  CUmod_st* module;
  const codeobject::PtxKernel* kernel;
  unsigned static_shared = 0, max_threads = 1024, max_dynamic_shared = 0;
};

} // namespace hip::cuda

namespace hip::test {
using namespace cuda;

enum class From { Device, Managed, Host, Pool, Mapped };
struct Block {
  size_t bytes, mapped;
  From from;
  CUctx_st* context;
  CUmemoryPool pool = nullptr; // From::Pool
};

// Numbers begin anew in each context, as they may in CUDA.
struct Object {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC sampling;
};
using Objects = std::map<std::pair<CUctx_st*, unsigned long long>, Object>;

struct Operation {
  uint64_t number;
  CUctx_st* context;
  bool is_host_function;
  std::function<void()> run;
};

class Fake {
public:
  static Fake& get();
  static constexpr size_t kMemoryBytes = size_t{4} << 30;

  // The start of every entry: counts the call; gives what it must return at once, or success.
  CUresult enter(const char* name);
  // The calling thread's context, alive; else the error.
  CUresult current(CUctx_st*& context);
  // Submits to a stream (null, legacy, or live) of the current context, or adds a node to what the stream captures.
  // Locked by the caller.
  CUresult submit(CUstream stream, std::function<void()> run, bool is_host_function = false,
                  uint64_t* number = nullptr); // of the operation; not set for a node
  bool captures(CUstream stream) const {       // locked
    return stream && stream != kStreamLegacy && streams.contains(stream) && stream->capture;
  }
  // Waits for what the stream has; locked.
  CUresult wait_for(std::unique_lock<std::mutex>& lock, CUctx_st& context, uint64_t number);
  // The last operation that `stream` waits for; locked.
  uint64_t last_of(CUstream stream, CUctx_st& context);
  // The newest operation of all streams of the context; locked.
  uint64_t last_of_all(const CUctx_st& context) const;
  // The block that `address` lies in; locked.
  std::map<uintptr_t, Block>::iterator block_of(uintptr_t address);
  // `bytes` from there leave the block that they begin in; locked.
  bool leaves_block(uintptr_t address, size_t bytes);
  CUresult allocate(CUctx_st& context, size_t bytes, From from, void*& base); // locked
  void drop_block(std::map<uintptr_t, Block>::iterator block);                // locked
  CUmemoryPool default_pool(CUctx_st& context);                               // locked
  uint64_t used_of(CUmemoryPool pool) const;                                  // bytes; locked

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<CUctx_st>> contexts; // by device
  std::map<uintptr_t, Block> blocks;
  std::map<uintptr_t, size_t> registered;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUmodule> modules;
  std::set<CUarray> arrays; // with levels of mipmapped ones
  std::set<CUmipmappedArray> mipmapped_arrays;
  Objects textures, surfaces;
  std::vector<std::shared_ptr<CUdevResourceDesc_st>> descriptions;
  std::set<CUgreenCtx> green_contexts;
  std::set<CUexternalMemory> external_memories;
  std::set<CUexternalSemaphore> semaphores;
  std::map<CUgraph, std::shared_ptr<CUgraph_st>> graphs;
  std::set<CUgraphExec> graph_execs;
  std::map<CUmemoryPool, std::unique_ptr<CUmemPoolHandle_st>> pools;
  struct PhysicalMemory {
    int file;
    size_t bytes;
    int handle_types;
    unsigned char compression;
  };
  std::map<unsigned long long, PhysicalMemory> physical;
  unsigned long long next_physical = 1;
  CUaccessPolicyWindow window{}; // the last one that a stream was told
  std::map<uintptr_t, size_t> reservations, mappings;
  std::set<std::pair<int, int>> peers;
  size_t used_bytes = 0;
  uint64_t completed = 0;
  std::map<std::string, CUresult> faults; // by kernel

  struct Injection {
    std::string name;
    int countdown;
    CUresult result;
  };
  std::vector<Injection> injections;
  std::vector<const char*> calls;
  bool held = false;
  std::optional<uint64_t> clock_ns; // what tests have said; none: steady_clock's

private:
  Fake();
  void work();
  uint64_t submitted_ = 0;
  std::deque<Operation> operations_;
};

int environment_number(const char* name, int otherwise);
// Set on the thread that runs operations while it calls a host function.
bool& in_host_function() noexcept;
CUcontext& current_context() noexcept;

#define FAKE_ENTER(name)                                                                                               \
  Fake& fake = Fake::get();                                                                                            \
  if (const CUresult injected = fake.enter(#name); injected != kSuccess) return injected
// And the context, under the lock.
#define FAKE_ENTER_CONTEXT(name)                                                                                       \
  FAKE_ENTER(name);                                                                                                    \
  std::unique_lock lock(fake.mutex);                                                                                   \
  CUctx_st* context = nullptr;                                                                                         \
  if (const CUresult lost = fake.current(context); lost != kSuccess) return lost

} // namespace hip::test
