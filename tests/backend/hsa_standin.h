// tests/backend/hsa_standin.h - how a test steers the stand-in for AMD's runtime (hsa_standin.cpp) and what it has
// counted. The stand-in exports `StandIn* standin_state()`.
#pragma once

#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

enum StandInCall {
#define HSA_STANDS_IN(name, kind, change, ...) kStandIn_##name,
#include "hsa_standin.def"
  kStandInCalls
};
inline constexpr const char* kStandInNames[] = {
#define HSA_STANDS_IN(name, kind, change, ...) #name,
#include "hsa_standin.def"
};
enum StandInKind {
  kNothing,
  kSignal,
  kQueue,
  kMemory,
  kLock,
  kExecutable,
  kReader,
  kImport,
  kPhysical, // memory without an address
  kAttached, // memory of another process
  kStandInKinds
};

struct StandIn {
  // A call that fails: which, the how-manieth (0: each), with what status. -1: none.
  int failing_call = -1, failing_number = 0, failing_status = 0;
  // Another one, which fails each time.
  int second_failing_call = -1, second_failing_status = 0;
  // The error that the first queue tells when its doorbell is rung for the n-th time; 0: never.
  int queue_error = 0, queue_error_at = 0;
  bool withhold_copies = false; // copies are taken, and never end
  // Copies of lines are held back until there are so many of them, and go on together; 0: at once.
  int hold_copies = 0;
  int release_after_ms = 0;     // how long they stay after the last of them has come
  int failing_held = -1;        // which of them, from 0, fails when the last one has come; -1: none
  bool no_boxes = false;        // no engine copies boxes
  bool no_pools = false;        // GPUs have no memory pools
  bool small_bar = false;       // the host does not reach the GPUs' memory (hsa_small_bar.h)
  // Managed memory moves: 1 where it is asked for, 2 everywhere.
  int shared_memory = 0;

  std::atomic<int> calls[kStandInCalls]{};
  std::atomic<int> alive[kStandInKinds]{};
  std::atomic<int> failed{0}, doorbells{0};
  std::atomic<int> refused_boxes{0};
  std::atomic<int> held{0}, releases{0};         // copies that are held back, and how often some went on
  std::atomic<const void*> copied_from{nullptr}; // by the last copy of a line

  // What was said of shared memory, in its order; of prefetching: kStandInPrefetch and the agent.
  static constexpr int kMostAttributes = 64;
  struct {
    uint64_t attribute, value;
    const void* base;
    size_t bytes;
  } attributes[kMostAttributes]{};
  std::atomic<int> attribute_count{0};
  uint64_t host = 0, gpu = 0; // agents

  // The first queue tells this error.
  void (*break_queue)(int error) = nullptr;
  // Tells the system-event handler what the driver would.
  void (*raise)(const hsa_amd_event_t* event) = nullptr;
};
inline constexpr uint64_t kStandInPrefetch = 0x1000;
