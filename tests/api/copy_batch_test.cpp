// Copies of several ranges or boxes in one call, and boxes between devices.
#include "testing.h"

#include <cstdint>
#include <numeric>

namespace {

std::vector<uint8_t> counted(size_t bytes, int first) {
  std::vector<uint8_t> data(bytes);
  std::iota(data.begin(), data.end(), static_cast<uint8_t>(first));
  return data;
}

struct Buffer {
  explicit Buffer(size_t bytes) { OK(hipMalloc(reinterpret_cast<void**>(&at), bytes)); }
  ~Buffer() { (void)hipFree(at); }
  uint8_t* at = nullptr;
};

} // namespace

TEST_CASE("A batch of copies") {
  const Buffer a(300), b(300);
  const auto source = counted(300, 1);
  std::vector<uint8_t> out(300, 0);
  void* dsts[3] = {a.at, b.at + 7, out.data()};
  void* srcs[3] = {const_cast<uint8_t*>(source.data()), a.at + 3, b.at + 7};
  size_t sizes[3] = {300, 100, 100}, fail = 5;
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall;
  size_t begins[2] = {0, 2};
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(std::equal(out.begin(), out.begin() + 100, source.begin() + 3));
  CHECK(out[100] == 0);
  std::fill(out.begin(), out.end(), 0);
  OK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, nullptr, stream)); // attributes are optional
  OK(hipStreamSynchronize(stream));
  CHECK(std::equal(out.begin(), out.begin() + 100, source.begin() + 3));

  sizes[1] = 0;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  CHECK(fail == 1);
  sizes[1] = 100;
  srcs[2] = nullptr;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  CHECK(fail == 2);
  srcs[2] = b.at;
  attributes[1].srcAccessOrder = static_cast<hipMemcpySrcAccessOrder>(9);
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  CHECK(fail == 2);
  attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderAny;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 0, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  CHECK(fail == SIZE_MAX);
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 4, &fail, stream), hipErrorInvalidValue);
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, begins, 2, &fail, stream), hipErrorInvalidValue);
  FAILS(hipMemcpyBatchAsync(nullptr, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  begins[1] = 0;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  OK(hipStreamSynchronize(stream));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("A batch of boxes") {
  const Buffer device(16 * 8 * 4);
  const auto source = counted(16 * 8 * 4, 0);
  std::vector<uint8_t> out(5 * 3 * 2, 0);
  hipMemcpy3DBatchOp ops[2] = {};
  const auto pointer = [](void* at, size_t row, size_t rows) {
    hipMemcpy3DOperand operand{};
    operand.type = hipMemcpyOperandTypePointer;
    operand.op.ptr.ptr = at;
    operand.op.ptr.rowLength = row;
    operand.op.ptr.layerHeight = rows;
    return operand;
  };
  ops[0].src = pointer(const_cast<uint8_t*>(source.data()), 0, 0);
  ops[0].dst = pointer(device.at, 16, 8);
  ops[0].extent = {16, 8, 4};
  ops[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  ops[1].src = pointer(device.at + (1 * 8 + 2) * 16 + 3, 16, 8); // 3 columns, 2 rows and 1 slice from the start
  ops[1].dst = pointer(out.data(), 0, 0);
  ops[1].extent = {5, 3, 2};
  ops[1].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  size_t fail = 0;
  OK(hipMemcpy3DBatchAsync(2, ops, &fail, 0, nullptr));
  OK(hipStreamSynchronize(nullptr));
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 5; ++x) REQUIRE(out[(z * 3 + y) * 5 + x] == source[((z + 1) * 8 + y + 2) * 16 + x + 3]);
  FAILS(hipMemcpy3DBatchAsync(0, ops, &fail, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpy3DBatchAsync(2, ops, &fail, 1, nullptr), hipErrorInvalidValue);
  CHECK(fail == SIZE_MAX);
  FAILS(hipMemcpy3DBatchAsync(2, nullptr, &fail, 0, nullptr), hipErrorInvalidValue);
  ops[1].dst.type = static_cast<hipMemcpy3DOperandType>(7);
  FAILS(hipMemcpy3DBatchAsync(2, ops, &fail, 0, nullptr), hipErrorInvalidValue);
  CHECK(fail == 1);
  OK(hipStreamSynchronize(nullptr));
}

TEST_CASE("A box between devices") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  const Buffer from(64);
  OK(hipSetDevice(count - 1));
  const Buffer to(64);
  OK(hipSetDevice(0));
  const auto source = counted(64, 9);
  OK(hipMemcpy(from.at, source.data(), 64, hipMemcpyHostToDevice));
  OK(hipMemset(to.at, 0, 64));
  hipMemcpy3DPeerParms p{};
  p.srcPtr = hipPitchedPtr{from.at, 16, 16, 4};
  p.dstPtr = hipPitchedPtr{to.at, 16, 16, 4};
  p.srcPos = {1, 1, 0};
  p.extent = {5, 2, 1};
  p.dstDevice = count - 1;
  OK(hipMemcpy3DPeer(&p));
  std::vector<uint8_t> out(64), expected(64, 0);
  OK(hipMemcpy(out.data(), to.at, 64, hipMemcpyDeviceToHost));
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 5; ++x) expected[y * 16 + x] = source[(y + 1) * 16 + x + 1];
  CHECK(out == expected);
  p.dstPos = {8, 0, 0};
  OK(hipMemcpy3DPeerAsync(&p, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipMemcpy(out.data(), to.at, 64, hipMemcpyDeviceToHost));
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 5; ++x) expected[y * 16 + x + 8] = source[(y + 1) * 16 + x + 1];
  CHECK(out == expected);
  p.dstDevice = count;
  FAILS(hipMemcpy3DPeer(&p), hipErrorInvalidDevice);
  FAILS(hipMemcpy3DPeer(nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpy3DPeerAsync(nullptr, nullptr), hipErrorInvalidValue);
}
