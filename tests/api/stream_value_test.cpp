#include "testing.h"

namespace {

// Two words of pinned memory.
struct Words {
  Words() { OK(hipHostMalloc(reinterpret_cast<void**>(&at), 64, hipHostMallocDefault)); }
  ~Words() { (void)hipHostFree(at); }
  uint64_t* at = nullptr;
};

} // namespace

TEST_CASE("Values written in stream order") {
  Words words;
  int supported = 0;
  OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCanUseStreamWaitValue, 0));
  CHECK(supported == 1);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  words.at[0] = ~uint64_t{0};
  words.at[1] = 0;
  OK(hipStreamWriteValue32(stream, words.at, 0x12345678, 0));
  OK(hipStreamWriteValue64(stream, words.at + 1, 0x123456789abcdef0, 0));
  OK(hipStreamWaitValue32(stream, words.at, 0x12345678, hipStreamWaitValueEq, 0xffffffff));
  OK(hipStreamWaitValue64(stream, words.at + 1, 0x123456789abcdef0, hipStreamWaitValueGte, ~uint64_t{0}));
  OK(hipStreamWaitValue64(stream, words.at + 1, 0x10, hipStreamWaitValueAnd, 0xff));
  OK(hipStreamSynchronize(stream));
  CHECK(words.at[0] == 0xffffffff12345678);
  CHECK(words.at[1] == 0x123456789abcdef0);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("A batch of memory operations") {
  Words words;
  words.at[0] = words.at[1] = 0;
  hipStreamBatchMemOpParams batch[4] = {};
  batch[0].writeValue.operation = hipStreamMemOpWriteValue64;
  batch[0].writeValue.address = words.at;
  batch[0].writeValue.value64 = 77;
  batch[1].operation = hipStreamMemOpBarrier;
  batch[2].waitValue.operation = hipStreamMemOpWaitValue32;
  batch[2].waitValue.address = words.at;
  batch[2].waitValue.value = 70;
  batch[2].waitValue.flags = hipStreamWaitValueGte;
  batch[3].writeValue.operation = hipStreamMemOpWriteValue32;
  batch[3].writeValue.address = words.at + 1;
  batch[3].writeValue.value = 78;
  OK(hipStreamBatchMemOp(nullptr, 4, batch, 0));
  OK(hipStreamSynchronize(nullptr));
  CHECK(words.at[0] == 77);
  CHECK(words.at[1] == 78);
  FAILS(hipStreamBatchMemOp(nullptr, 0, batch, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 257, batch, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 4, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 4, batch, 1), hipErrorInvalidValue);
  batch[3].operation = static_cast<hipStreamBatchMemOpType>(99);
  batch[0].writeValue.value64 = 99;
  FAILS(hipStreamBatchMemOp(nullptr, 4, batch, 0), hipErrorInvalidValue);
  OK(hipStreamSynchronize(nullptr));
  CHECK(words.at[0] == 77); // none of them was done
}

TEST_CASE("Values that cannot be written or waited for") {
  Words words;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  uint64_t local = 0;
  FAILS(hipStreamWriteValue32(stream, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, nullptr, 0, hipStreamWaitValueGte, 1), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue64(stream, nullptr, 0, hipStreamWaitValueGte, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue32(stream, words.at, 0, 5), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, words.at, 0, 5), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, words.at, 0, 4, 1), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue64(stream, words.at, 0, ~0u, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, &local, 0, 0), hipErrorInvalidValue); // pageable memory
  FAILS(hipStreamWriteValue64(stream, reinterpret_cast<char*>(words.at) + 4, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, reinterpret_cast<char*>(words.at) + 2, 0, 0, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(garbage_handle<hipStream_t>(), words.at, 0, 0), hipErrorContextIsDestroyed);
  FAILS(hipStreamWaitValue64(garbage_handle<hipStream_t>(), words.at, 0, 0, 1), hipErrorContextIsDestroyed);
  OK(hipStreamDestroy(stream));
}
