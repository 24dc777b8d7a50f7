// Threads that cannot be made: this program's pthread_create is the library's, too. A queue is refused then, and those
// that there are go on: their kernels may wait for one another while the host only looks at their signals.
#include "testing.h"

#include <cerrno>
#include <chrono>
#include <dlfcn.h>
#include <pthread.h>
#include <thread>

using namespace hip::test;

namespace {
std::atomic<int> threads_left{-1}; // negative: any number
}

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  if (threads_left.load() == 0) return EAGAIN;
  if (threads_left.load() > 0) --threads_left;
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, body, argument);
}

TEST_CASE("Queues for which no thread can be made are refused, and those that there are wait for one another") {
  constexpr int kQueues = 6;
  size_t most = 0;
  for (int threads = 0; threads < kQueues + 4; ++threads) {
    INFO(threads << " threads");
    Hsa hsa;
    Kernels kernels(hsa);
    threads_left = threads;
    std::vector<hsa_queue_t*> queues;
    for (hsa_status_t status = HSA_STATUS_SUCCESS; status == HSA_STATUS_SUCCESS && queues.size() < kQueues;) {
      hsa_queue_t* queue = nullptr;
      status = hsa_queue_create(hsa.gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &queue);
      if (status == HSA_STATUS_SUCCESS)
        queues.push_back(queue);
      else
        CHECK(status == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    }
    // Each kernel but the last waits for what the last one does.
    struct Arguments {
      uint32_t *flag, *out;
    };
    auto* const words = hsa.allocate<uint32_t>(hsa.fine, 1 + kQueues);
    std::fill_n(words, 1 + kQueues, 0u);
    std::vector<hsa_signal_t> done;
    for (size_t i = 0; i < queues.size(); ++i) {
      auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
      *arguments = {&words[0], &words[1 + i]};
      done.push_back(hsa.signal(1));
      dispatch(queues[i], kernels.kernel(i + 1 < queues.size() ? "wait_for" : "set_flag"), arguments, 1, done.back());
    }
    const auto begin = std::chrono::steady_clock::now();
    for (const hsa_signal_t each : done)
      while (hsa_signal_load_scacquire(each) != 0 &&
             std::chrono::steady_clock::now() - begin < std::chrono::seconds(30))
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    for (const hsa_signal_t each : done) CHECK(hsa_signal_load_scacquire(each) == 0);
    words[0] = 1; // for those that failed to end
    threads_left = -1;
    hsa_queue_t* const more = hsa.queue(); // threads can be made again
    for (hsa_queue_t* queue : queues) REQUIRE_HSA(hsa_queue_destroy(queue));
    REQUIRE_HSA(hsa_queue_destroy(more));
    most = std::max(most, queues.size());
    CHECK((threads != 0 || queues.empty()));
  }
  CHECK(most >= 3);
}
