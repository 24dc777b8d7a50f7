// Signals: values in every order, waits for every condition, groups and handlers.
#include "testing.h"

#include <mutex>
#include <thread>

using namespace hip::test;

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
