// runtime/hsa/shared_virtual_memory.h - what is said of memory of the process that agents and host share without that
// anybody allocates it for them (hsa_amd_svm_*): attributes of its pages of 4 KiB. Host and software GPUs have one
// memory, so attributes of places are kept and told, and nothing moves; access is what kernels may do
// (aql::Agent::share_host). Memory that the program unmaps by itself keeps its attributes, for nobody tells of that.
// Thread safety: any thread.
#pragma once

#include "runtime/hsa/callbacks.h"
#include "runtime/hsa/memory.h"

#include <bitset>
#include <map>
#include <mutex>
#include <span>

namespace hip::hsa {

class SharedVirtualMemory {
public:
  using Pairs = std::span<hsa_amd_svm_attribute_pair_t>;

  // `agents`: all of the runtime, the host first. They outlive this object, as the others do.
  SharedVirtualMemory(const std::vector<std::unique_ptr<Agent>>& agents, Memory& memory, Signals& signals,
                      Callbacks& callbacks);
  ~SharedVirtualMemory(); // nobody calls on the callbacks' thread any more

  // Errors of both: INVALID_ARGUMENT for an attribute that is none, or is not for this call, INVALID_AGENT, ERROR for
  // what is not all memory of the process, or is a pool's. set() changes nothing then.
  hsa_status_t set(const void* base, size_t bytes, Pairs pairs);
  hsa_status_t get(const void* base, size_t bytes, Pairs pairs) const;
  // Once each of `dependencies` has been seen to be 0, decrements `completion` (null: nothing).
  hsa_status_t prefetch(const void* base, size_t bytes, const Agent& where, std::span<const hsa_signal_t> dependencies,
                        aql::Signal* completion);
  // The pages are what they were before anybody said anything of them.
  void forget(const void* base, size_t bytes);

private:
  static constexpr size_t kMostAgents = 128;
  struct Pages {
    uint64_t begin, end;
  };
  struct Attributes {
    hsa_amd_svm_model_t model = HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED;
    bool read_only = false, hive_local = false, read_mostly = false, executable = false;
    uint64_t granularity = 9; // log2 of pages
    const Agent* preferred = nullptr;
    const Agent* prefetched = nullptr;  // where the prefetch went that ended last
    const Agent* prefetching = nullptr; // where the last one goes that has begun, while `prefetch` is not 0
    uint64_t prefetch = 0;
    std::bitset<kMostAgents> accessible, in_place; // by the agents' numbers; never both
    bool operator==(const Attributes&) const = default;
  };
  struct Range {
    uint64_t end;
    Attributes attributes;
  };
  struct Prefetch {
    SharedVirtualMemory& owner;
    uint64_t number;
    Pages pages;
    const Agent* where;
    size_t dependencies; // that have not been seen to be 0
    aql::Signal* completion;
  };

  // The pages that the bytes lie in, where all of them are the process's own.
  hsa_status_t find_pages(const void* base, size_t bytes, Pages& out) const;
  std::optional<size_t> number_of(uint64_t agent_handle) const noexcept;
  // Calls what(attributes) for each range in the pages, what(initial_) for parts of which nothing was said.
  template<class What> void visit(const Pages& pages, const What& what) const;
  // Calls what(attributes) likewise, to change them, and lets kernels reach what they may reach then.
  template<class What> void change(const Pages& pages, const What& what);
  void split_at(uint64_t address);
  void answer(const Pages& pages, hsa_amd_svm_attribute_pair_t& pair) const;
  aql::SharedAccess access(const Attributes& attributes) const noexcept;
  void share(const Pages& pages, aql::SharedAccess access);
  void finish(Prefetch& prefetch);

  const std::vector<std::unique_ptr<Agent>>& agents_;
  Memory& memory_;
  Signals& signals_;
  Callbacks& callbacks_;
  Attributes initial_;
  mutable std::mutex mutex_;         // guards what follows
  std::map<uint64_t, Range> ranges_; // by their first address, disjoint; none is initial_
  uint64_t next_prefetch_ = 1;
  std::map<uint64_t, std::unique_ptr<Prefetch>> prefetches_; // under way
};

} // namespace hip::hsa
