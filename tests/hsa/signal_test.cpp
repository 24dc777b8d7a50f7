// Signals: values in every order, waits for every condition, groups and handlers, what queues and threads make of them;
// and the callbacks of queues.
#include "environment_variable.h"
#include "testing.h"

#include <mutex>
#include <thread>

using namespace hip::test;

namespace {

// The value at the end of a wait for less than 1. The wait has a limit, which is reached where something is wrong.
int64_t completed(hsa_signal_t signal) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, 30'000'000'000, HSA_WAIT_STATE_BLOCKED);
}

// Gives whoever has to look at the signal some time for it.
bool pending(hsa_signal_t signal) {
  return hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_LT, 1, 20'000'000, HSA_WAIT_STATE_BLOCKED) == 1;
}

// Submits a barrier packet of this type and returns its completion signal.
hsa_signal_t barrier(Hsa& hsa, hsa_queue_t* queue, hsa_packet_type_t type,
                     std::initializer_list<hsa_signal_t> signals) {
  hsa_barrier_and_packet_t packet{}; // that of the other type has the same layout
  std::copy(signals.begin(), signals.end(), packet.dep_signal);
  packet.completion_signal = hsa.signal(1);
  submit(queue, packet, header(type));
  return packet.completion_signal;
}

void plain_store(hsa_signal_t signal, int64_t value) {
  volatile hsa_signal_value_t* word = nullptr;
  REQUIRE_HSA(hsa_amd_signal_value_pointer(signal, &word));
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// A kernel that waits for the host.
class HeldUp {
public:
  explicit HeldUp(Hsa& hsa) : ended(hsa.signal(1)), words_(hsa.allocate<uint32_t>(hsa.fine, 2)), kernels_(hsa) {
    words_[0] = words_[1] = 0;
    arguments_ = hsa.allocate<Arguments>(hsa.kernarg, 1);
    *arguments_ = {&words_[0], &words_[1]};
  }
  void submit(hsa_queue_t* queue, uint32_t groups, hsa_signal_t completion) {
    dispatch(queue, kernels_.kernel("begin_and_wait_for"), arguments_, groups, completion);
  }
  void submit(hsa_queue_t* queue) { submit(queue, 40, ended); } // more work-groups than threads
  void await_begin() const {
    while (__atomic_load_n(&words_[1], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  }
  void release() { __atomic_store_n(&words_[0], 1u, __ATOMIC_RELEASE); }
  bool released() const { return __atomic_load_n(&words_[0], __ATOMIC_ACQUIRE) != 0; }
  const Kernels& kernels() const { return kernels_; }

  const hsa_signal_t ended;

private:
  struct Arguments {
    uint32_t *flag, *out;
  };
  uint32_t* words_;
  Arguments* arguments_;
  Kernels kernels_;
};

// Waits for `signal` without a limit until another thread has stored 0 to `changed`. If this thread executes the kernel
// meanwhile only the kernel's end brings it back: the other thread releases that in the end, and the result is false.
bool waits_without(HeldUp& kernel, hsa_signal_t signal, hsa_signal_t changed) {
  std::atomic<bool> back{false};
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // enough to begin
    hsa_signal_store_screlease(changed, 0);
    for (int i = 0; i < 3000 && !back.load(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!back.load()) kernel.release();
  });
  wait_below(signal, 1);
  const bool kept_out = !kernel.released();
  back.store(true);
  other.join();
  return kept_out;
}

} // namespace

TEST_CASE("Operations on a signal's value are those of their names, in each memory order", "[hsa][signal]") {
  Hsa hsa;
  const hsa_signal_t s = hsa.signal(5);
  const auto value = [&] { return hsa_signal_load_scacquire(s); };
#define CHECK_ORDER(order)                                                                                             \
  hsa_signal_store_relaxed(s, 5);                                                                                      \
  CHECK(hsa_signal_exchange_##order(s, 12) == 5);                                                                      \
  CHECK(hsa_signal_cas_##order(s, 11, 1) == 12);                                                                       \
  CHECK(value() == 12);                                                                                                \
  CHECK(hsa_signal_cas_##order(s, 12, 6) == 12);                                                                       \
  hsa_signal_add_##order(s, 10);                                                                                       \
  CHECK(value() == 16);                                                                                                \
  hsa_signal_subtract_##order(s, 3);                                                                                   \
  CHECK(value() == 13);                                                                                                \
  hsa_signal_and_##order(s, 9);                                                                                        \
  CHECK(value() == 9);                                                                                                 \
  hsa_signal_or_##order(s, 6);                                                                                         \
  CHECK(value() == 15);                                                                                                \
  hsa_signal_xor_##order(s, -1);                                                                                       \
  CHECK(value() == ~INT64_C(15));
  CHECK_ORDER(relaxed)
  CHECK_ORDER(scacquire)
  CHECK_ORDER(acquire)
  CHECK_ORDER(screlease)
  CHECK_ORDER(release)
  CHECK_ORDER(scacq_screl)
  CHECK_ORDER(acq_rel)
  hsa_signal_store_release(s, 3);
  CHECK(hsa_signal_load_relaxed(s) == 3);
  hsa_signal_store_screlease(s, 4);
  CHECK(hsa_signal_load_acquire(s) == 4);
  hsa_signal_silent_store_relaxed(s, 8);
  CHECK(value() == 8);
  hsa_signal_silent_store_screlease(s, 9);
  CHECK(value() == 9);
  REQUIRE_HSA(hsa_signal_destroy(s));
}

TEST_CASE("A wait ends when its condition holds, or its time is over", "[hsa][signal]") {
  Hsa hsa;
  const hsa_signal_t s = hsa.signal(10);
  struct Case {
    hsa_signal_condition_t condition;
    int64_t compare, makes_true;
  };
  for (const Case& each : {Case{HSA_SIGNAL_CONDITION_EQ, 3, 3},
                           {HSA_SIGNAL_CONDITION_NE, 10, 11},
                           {HSA_SIGNAL_CONDITION_LT, 10, -4},
                           {HSA_SIGNAL_CONDITION_GTE, 11, 4000}}) {
    hsa_signal_store_relaxed(s, 10);
    CHECK(hsa_signal_wait_relaxed(s, each.condition, each.compare, 1'000'000, HSA_WAIT_STATE_BLOCKED) == 10);
    std::thread changer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      hsa_signal_store_screlease(s, each.makes_true);
    });
    CHECK(hsa_signal_wait_scacquire(s, each.condition, each.compare, kForever, HSA_WAIT_STATE_ACTIVE) ==
          each.makes_true);
    changer.join();
    CHECK(hsa_signal_wait_acquire(s, each.condition, each.compare, 0, HSA_WAIT_STATE_BLOCKED) == each.makes_true);
  }
}

TEST_CASE("Several signals are waited for: any of them, or all", "[hsa][signal]") {
  Hsa hsa;
  hsa_signal_t signals[3] = {hsa.signal(1), hsa.signal(1), hsa.signal(1)};
  hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_GTE};
  hsa_signal_value_t values[3] = {1, 7, 100}, seen[3] = {};
  CHECK(hsa_amd_signal_wait_any(3, signals, conditions, values, 1'000'000, HSA_WAIT_STATE_BLOCKED, seen) == UINT32_MAX);
  std::thread changer([&] { hsa_signal_store_relaxed(signals[2], 101); });
  CHECK(hsa_amd_signal_wait_any(3, signals, conditions, values, kForever, HSA_WAIT_STATE_BLOCKED, seen) == 2);
  CHECK(seen[0] == 101);
  changer.join();
  CHECK(hsa_amd_signal_wait_all(3, signals, conditions, values, 1'000'000, HSA_WAIT_STATE_BLOCKED, seen) == UINT32_MAX);
  std::thread finisher([&] {
    hsa_signal_store_relaxed(signals[0], 0);
    hsa_signal_store_relaxed(signals[1], 7);
  });
  CHECK(hsa_amd_signal_wait_all(3, signals, conditions, values, kForever, HSA_WAIT_STATE_BLOCKED, seen) == 0);
  finisher.join();
  CHECK(seen[0] == 0);
  CHECK(seen[1] == 7);
  CHECK(seen[2] == 101);

  hsa_signal_group_t group;
  REQUIRE_HSA(hsa_signal_group_create(3, signals, 0, nullptr, &group));
  hsa_signal_t found{};
  hsa_signal_value_t value = 0;
  REQUIRE_HSA(hsa_signal_group_wait_any_scacquire(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &found, &value));
  CHECK(found.handle == signals[0].handle);
  REQUIRE_HSA(hsa_signal_group_wait_any_relaxed(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &found, &value));
  CHECK(value == 0);
  REQUIRE_HSA(hsa_signal_group_destroy(group));
}

TEST_CASE("A handler is called while it asks for it, beside others", "[hsa][signal]") {
  Hsa hsa;
  const hsa_signal_t s = hsa.signal(3), other = hsa.signal(1);
  struct Calls {
    std::mutex mutex;
    std::vector<int64_t> values;
    hsa_signal_t signal;
    size_t count() {
      std::lock_guard guard(mutex);
      return values.size();
    }
  } calls, single;
  calls.signal = s;
  REQUIRE_HSA(hsa_amd_signal_async_handler(
      s, HSA_SIGNAL_CONDITION_NE, 0,
      [](hsa_signal_value_t value, void* data) {
        auto& mine = *static_cast<Calls*>(data);
        {
          std::lock_guard guard(mine.mutex);
          mine.values.push_back(value);
        }
        hsa_signal_subtract_relaxed(mine.signal, 1);
        return true;
      },
      &calls));
  REQUIRE_HSA(hsa_amd_signal_async_handler(
      other, HSA_SIGNAL_CONDITION_LT, 1,
      [](hsa_signal_value_t value, void* data) {
        auto& mine = *static_cast<Calls*>(data);
        std::lock_guard guard(mine.mutex);
        mine.values.push_back(value);
        return false;
      },
      &single));
  while (calls.count() != 3) std::this_thread::yield();
  CHECK(calls.values == std::vector<int64_t>{3, 2, 1});
  CHECK(single.count() == 0);
  hsa_signal_store_relaxed(other, -2);
  while (single.count() != 1) std::this_thread::yield();
  CHECK(single.values[0] == -2);

  std::atomic<bool> called{false};
  REQUIRE_HSA(hsa_amd_async_function([](void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &called));
  while (!called.load()) std::this_thread::yield();
}

TEST_CASE("Signals that cannot be are refused", "[hsa][signal][misuse]") {
  Hsa hsa;
  hsa_signal_t s;
  const hsa_agent_t twice[2] = {hsa.gpu, hsa.gpu};
  CHECK(hsa_signal_create(0, 0, nullptr, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_signal_create(0, 1, nullptr, &s) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_signal_create(0, 2, twice, &s) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_signal_create(0, 0, nullptr, 64, &s) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  hsa_amd_ipc_signal_t shared{};
  const hsa_signal_t local = hsa.signal(1);
  CHECK(hsa_amd_ipc_signal_create(local, &shared) == HSA_STATUS_ERROR_INVALID_ARGUMENT); // not made to be shared
  CHECK(hsa_amd_ipc_signal_attach(&shared, &s) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_signal_create(4, 1, &hsa.gpu, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &s));
  CHECK(hsa_signal_load_relaxed(s) == 4);
  REQUIRE_HSA(hsa_signal_destroy(s));
  CHECK(hsa_signal_destroy(s) == HSA_STATUS_ERROR_INVALID_SIGNAL);
  CHECK(hsa_signal_destroy({0}) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_signal_async_handler({0}, HSA_SIGNAL_CONDITION_EQ, 0, nullptr, nullptr) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_signal_group_destroy({0}) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
}

TEST_CASE("A queue sees a plain store to a signal that a packet has completed before, or will complete",
          "[hsa][signal]") {
  Hsa hsa;
  HeldUp kernel(hsa);
  hsa_queue_t *const first = hsa.queue(), *const second = hsa.queue();
  const hsa_signal_t signal = hsa.signal(1);
  SECTION("before") {
    dispatch(first, kernel.kernels().kernel("count"), nullptr, 1, signal);
    REQUIRE(completed(signal) == 0);
    hsa_signal_store_screlease(signal, 1);
    const hsa_signal_t done = barrier(hsa, second, HSA_PACKET_TYPE_BARRIER_AND, {signal});
    CHECK(pending(done));
    plain_store(signal, 0);
    CHECK(completed(done) == 0);
    // Copies are packets as well.
    auto* const words = hsa.allocate<uint32_t>(hsa.device, 2);
    words[0] = 77;
    words[1] = 0;
    const hsa_signal_t copied = hsa.signal(1);
    hsa_signal_store_screlease(signal, 1);
    REQUIRE_HSA(hsa_amd_memory_async_copy(&words[1], hsa.gpu, &words[0], hsa.gpu, 4, 1, &signal, copied));
    CHECK(pending(copied));
    hsa_signal_silent_store_screlease(signal, 0);
    CHECK(completed(copied) == 0);
    CHECK(words[1] == 77);
  }
  SECTION("one of two, the other of which a packet will complete") {
    const hsa_signal_t other = hsa.signal(1);
    kernel.submit(first, 1, signal);
    const hsa_signal_t done = barrier(hsa, second, HSA_PACKET_TYPE_BARRIER_OR, {signal, other});
    CHECK(pending(done));
    plain_store(other, 0);
    CHECK(completed(done) == 0);
    CHECK(hsa_signal_load_relaxed(signal) == 1);
    kernel.release();
    CHECK(completed(signal) == 0);
  }
  SECTION("a kernel's, before the packet has completed it") {
    const hsa_signal_t both = hsa.signal(2); // one by the packet, one by the kernel
    kernel.submit(first, 1, both);
    const hsa_signal_t done = barrier(hsa, second, HSA_PACKET_TYPE_BARRIER_AND, {both});
    CHECK(pending(done));
    struct Arguments {
      volatile hsa_signal_value_t* value;
      int64_t what;
    };
    auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
    REQUIRE_HSA(hsa_amd_signal_value_pointer(both, &arguments->value));
    arguments->what = 0;
    hsa_queue_t* const third = hsa.queue();
    dispatch(third, kernel.kernels().kernel("store_signal"), arguments, 1, {0});
    CHECK(completed(done) == 0);
    kernel.release();
    CHECK(hsa_signal_wait_scacquire(both, HSA_SIGNAL_CONDITION_LT, 0, 30'000'000'000, HSA_WAIT_STATE_BLOCKED) == -1);
    REQUIRE_HSA(hsa_queue_destroy(third));
  }
  REQUIRE_HSA(hsa_queue_destroy(first));
  REQUIRE_HSA(hsa_queue_destroy(second));
}

TEST_CASE("A thread that waits for a signal executes no kernel that does not change it", "[hsa][signal]") {
  const hip::EnvironmentVariable threads("OMNIHIP_SOFT_THREADS", "8"); // so that some are left for this one
  Hsa hsa;
  HeldUp kernel(hsa);
  hsa_queue_t *const queue = hsa.queue(), *const other = hsa.queue();
  const hsa_signal_t signal = hsa.signal(1);
  SECTION("of a queue that has completed the signal before") {
    dispatch(queue, kernel.kernels().kernel("count"), nullptr, 1, signal);
    REQUIRE(completed(signal) == 0);
    hsa_signal_store_screlease(signal, 1);
    kernel.submit(queue);
    CHECK(waits_without(kernel, signal, signal));
  }
  SECTION("which is one of two ways to the signal") {
    kernel.submit(queue);
    const hsa_signal_t done = barrier(hsa, other, HSA_PACKET_TYPE_BARRIER_OR, {kernel.ended, signal});
    CHECK(waits_without(kernel, done, signal));
  }
  kernel.release();
  CHECK(completed(kernel.ended) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  REQUIRE_HSA(hsa_queue_destroy(other));
}

TEST_CASE("A thread that waits for a signal of a packet that will never complete executes no kernels",
          "[hsa][signal][misuse]") {
  const hip::EnvironmentVariable threads("OMNIHIP_SOFT_THREADS", "8"); // so that some are left for this one
  Hsa hsa;
  HeldUp kernel(hsa);
  std::atomic<bool> failed{false};
  const auto note = [](hsa_status_t, hsa_queue_t*, void* data) { static_cast<std::atomic<bool>*>(data)->store(true); };
  hsa_queue_t* queue = hsa.queue(64, HSA_QUEUE_TYPE_MULTI, note, &failed);
  const hsa_signal_t signal = hsa.signal(1);
  hsa_barrier_and_packet_t packet{};
  packet.completion_signal = signal;
  SECTION("its queue is gone, and another is in its place") {
    barrier(hsa, queue, HSA_PACKET_TYPE_BARRIER_AND, {hsa.signal(1)});
    submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_AND, true));
    REQUIRE_HSA(hsa_queue_destroy(queue));
    queue = hsa.queue();
    kernel.submit(queue);
  }
  SECTION("it is broken") {
    kernel.submit(queue);
    kernel.await_begin();
    submit(queue, packet, 9);
    while (!failed.load()) std::this_thread::yield();
  }
  CHECK(waits_without(kernel, signal, signal));
  kernel.release();
  CHECK(completed(kernel.ended) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Signals that other processes have say nothing of this one's queues", "[hsa][signal]") {
  Hsa hsa;
  HeldUp kernel(hsa);
  hsa_queue_t* const queue = hsa.queue();
  hsa_signal_t shared;
  REQUIRE_HSA(hsa_amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_IPC, &shared));
  kernel.submit(queue, 1, shared);
  // amd_signal_t's last words, which are reserved.
  const auto* const words = reinterpret_cast<const uint32_t*>(shared.handle + 56);
  CHECK(__atomic_load_n(&words[0], __ATOMIC_RELAXED) == 0);
  CHECK(__atomic_load_n(&words[1], __ATOMIC_RELAXED) == 0);
  kernel.release();
  CHECK(completed(shared) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  REQUIRE_HSA(hsa_signal_destroy(shared));
}

namespace {

// The thread of callbacks has made all calls that are due.
void all_called() {
  for (int round = 0; round < 2; ++round) {
    std::atomic<bool> called{false};
    REQUIRE_HSA(
        hsa_amd_async_function([](void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &called));
    while (!called.load()) std::this_thread::yield();
  }
}

bool count_call(hsa_signal_value_t, void* calls) {
  ++*static_cast<std::atomic<int>*>(calls);
  return false;
}

} // namespace

TEST_CASE("A signal that is destroyed takes its handlers along", "[hsa][signal][misuse]") {
  Hsa hsa;
  const bool shared = GENERATE(false, true), is_watched = GENERATE(false, true);
  hsa_signal_t signal;
  REQUIRE_HSA(hsa_amd_signal_create(1, 0, nullptr, shared ? HSA_AMD_SIGNAL_IPC : 0, &signal));
  std::atomic<int> calls{0}, own_calls{0};
  REQUIRE_HSA(hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_LT, 1, count_call, &calls));
  if (is_watched) all_called();
  REQUIRE_HSA(hsa_signal_destroy(signal));
  const hsa_signal_t next = hsa.signal(1);
  if (!shared) REQUIRE(next.handle == signal.handle); // signals are used again
  REQUIRE_HSA(hsa_amd_signal_async_handler(next, HSA_SIGNAL_CONDITION_LT, 1, count_call, &own_calls));
  all_called();
  hsa_signal_store_screlease(next, 0);
  while (own_calls.load() == 0) std::this_thread::yield();
  all_called();
  CHECK(calls.load() == 0);
  CHECK(own_calls.load() == 1);
  REQUIRE_HSA(hsa_signal_destroy(next));
}

TEST_CASE("A queue goes when its error callback has ended, which may be what destroys it", "[hsa][queue][misuse]") {
  Hsa hsa;
  struct Seen {
    bool destroys;
    std::atomic<bool> called{false}, over{false};
    std::atomic<int> destroyed{-1};
    uint64_t id = 0;
  };
  const auto callback = [](hsa_status_t, hsa_queue_t* source, void* data) {
    auto& seen = *static_cast<Seen*>(data);
    if (seen.destroys) {
      seen.destroyed.store(hsa_queue_destroy(source));
    } else {
      seen.called.store(true);
      std::this_thread::sleep_for(std::chrono::milliseconds(100)); // the main thread destroys the queue meanwhile
      seen.id = source->id;
    }
    seen.over.store(true);
  };
  const bool destroys = GENERATE(false, true), is_inactivated = GENERATE(false, true);
  auto seen = std::make_unique<Seen>();
  seen->destroys = destroys;
  hsa_queue_t* const queue = hsa.queue(64, HSA_QUEUE_TYPE_MULTI, callback, seen.get());
  const uint64_t id = queue->id;
  submit(queue, hsa_barrier_and_packet_t{}, 9); // of no type that there is
  if (destroys) {
    while (!seen->over.load()) std::this_thread::yield();
    CHECK(seen->destroyed.load() == HSA_STATUS_SUCCESS);
    CHECK(hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE);
  } else {
    while (!seen->called.load()) std::this_thread::yield();
    if (is_inactivated)
      REQUIRE_HSA(hsa_queue_inactivate(queue));
    else
      REQUIRE_HSA(hsa_queue_destroy(queue));
    REQUIRE(seen->over.load());
    CHECK(seen->id == id);
    if (is_inactivated) REQUIRE_HSA(hsa_queue_destroy(queue));
  }
}
