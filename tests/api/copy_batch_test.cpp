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

namespace {

std::vector<uint8_t> on_host(const uint8_t* at, size_t bytes) {
  std::vector<uint8_t> data(bytes);
  OK(hipMemcpy(data.data(), at, bytes, hipMemcpyDeviceToHost));
  return data;
}

// One swap of two sizes; the two ranges begin as `a_before` and `b_before`.
void check_swap(uint8_t* a, uint8_t* b, size_t a_bytes, size_t b_bytes, hipStream_t stream) {
  const size_t room = a_bytes + 5; // what lies behind stays
  auto a_before = counted(room, 3), b_before = counted(room, 100);
  OK(hipMemcpy(a, a_before.data(), room, hipMemcpyDefault));
  OK(hipMemcpy(b, b_before.data(), room, hipMemcpyDefault));
  void *dsts[] = {a}, *srcs[] = {b};
  hipExtMemcpyOp ops[] = {hipExtMemcpyOpSwap};
  size_t fail = 7;
  OK(hipExtMemcpyBatchAsync(dsts, srcs, &a_bytes, &b_bytes, nullptr, nullptr, ops, 1, nullptr, nullptr, 0, &fail,
                            stream));
  CHECK(fail == SIZE_MAX);
  OK(hipStreamSynchronize(stream));
  auto a_after = a_before, b_after = b_before;
  std::copy_n(b_before.begin(), b_bytes, a_after.begin());
  std::copy_n(a_before.begin(), a_bytes, b_after.begin());
  CHECK((on_host(a, room) == a_after));
  CHECK((on_host(b, room) == b_after));
}

} // namespace

TEST_CASE("Copies of a batch that are swaps") {
  const Buffer a(5000), b(5000);
  uint8_t* pinned = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 5000));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  for (hipStream_t in : {stream, hipStream_t{}}) {
    check_swap(a.at, b.at, 4096, 4096, in);
    check_swap(a.at, b.at, 4097, 1, in);
    check_swap(a.at + 1, b.at + 3, 1000, 999, in);
    check_swap(pinned, b.at, 4096, 2048, in);
    check_swap(a.at, pinned, 4096, 4096, in);
  }

  // By the attributes' flags, which copies share, beside a copy that is none.
  const auto a_before = counted(300, 1), b_before = counted(300, 50);
  OK(hipMemcpy(a.at, a_before.data(), 300, hipMemcpyHostToDevice));
  OK(hipMemcpy(b.at, b_before.data(), 300, hipMemcpyHostToDevice));
  void *dsts[] = {a.at, a.at + 100, a.at + 200}, *srcs[] = {b.at, b.at + 100, b.at + 200};
  size_t sizes[] = {100, 100, 100}, begins[] = {0, 2}, fail = 7;
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  attributes[0].flags = hipMemcpyFlagExtOpSwap | hipMemcpyFlagExtPreferCE;
  attributes[1].flags = hipMemcpyFlagExtPreferCE;
  OK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream));
  OK(hipStreamSynchronize(stream));
  auto b_after = b_before;
  std::copy_n(a_before.begin(), 200, b_after.begin());
  CHECK((on_host(a.at, 300) == b_before));
  CHECK((on_host(b.at, 300) == b_after));

  // Operations count, not flags: with hipExtMemcpyOpDefault these are three copies.
  hipExtMemcpyOp ops[] = {hipExtMemcpyOpDefault, hipExtMemcpyOpDefault, hipExtMemcpyOpDefault};
  attributes[1].flags = hipMemcpyFlagExtOpIndirectSrc;
  OK(hipMemcpy(a.at, a_before.data(), 300, hipMemcpyHostToDevice));
  OK(hipExtMemcpyBatchAsync(dsts, srcs, sizes, nullptr, nullptr, nullptr, ops, 3, attributes, begins, 2, nullptr,
                            stream));
  OK(hipStreamSynchronize(stream));
  CHECK((on_host(a.at, 300) == b_after));
  CHECK((on_host(b.at, 300) == b_after));

  const auto refused = [&](hipError_t expected, size_t at, size_t* swapped = nullptr) {
    FAILS(hipExtMemcpyBatchAsync(dsts, srcs, sizes, swapped, nullptr, nullptr, ops, 3, nullptr, nullptr, 0, &fail,
                                 stream),
          expected);
    CHECK(fail == at);
  };
  ops[1] = hipExtMemcpyOpIndirectSrc;
  refused(hipErrorNotSupported, 1);
  ops[1] = static_cast<hipExtMemcpyOp>(hipExtMemcpyOpIndirectSrc | hipExtMemcpyOpIndirectDst);
  refused(hipErrorNotSupported, 1);
  ops[1] = static_cast<hipExtMemcpyOp>(hipExtMemcpyOpSwap | hipExtMemcpyOpIndirectDst);
  refused(hipErrorInvalidValue, 1);
  ops[1] = static_cast<hipExtMemcpyOp>(8);
  refused(hipErrorInvalidValue, 1);
  ops[1] = hipExtMemcpyOpDefault, ops[2] = hipExtMemcpyOpSwap;
  size_t none[] = {0, 0, 0}, more[] = {0, 0, 101};
  refused(hipErrorInvalidValue, 2, none);
  refused(hipErrorInvalidValue, 2, more);
  dsts[2] = b.at + 299;
  refused(hipErrorInvalidValue, 2); // the two overlap
  dsts[2] = b.at + 4950;
  refused(hipErrorInvalidValue, 2); // leaves its allocation
  OK(hipStreamSynchronize(stream));
  CHECK((on_host(b.at, 300) == b_after)); // a swap that is refused has changed nothing
  dsts[2] = a.at;
  FAILS(hipExtMemcpyBatchAsync(nullptr, srcs, sizes, nullptr, nullptr, nullptr, ops, 3, nullptr, nullptr, 0, &fail,
                               stream),
        hipErrorInvalidValue);
  attributes[0].flags = 0x1000;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorInvalidValue);
  attributes[0].flags = hipMemcpyFlagExtOpIndirectDst;
  FAILS(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, begins, 2, &fail, stream), hipErrorNotSupported);
  CHECK(fail == 0);
  hipExtMemcpyWait wait[3] = {};
  hipExtMemcpySignal signal[3] = {};
  FAILS(hipExtMemcpyBatchAsync(dsts, srcs, sizes, nullptr, wait, nullptr, ops, 3, nullptr, nullptr, 0, &fail, stream),
        hipErrorNotSupported);
  CHECK(fail == SIZE_MAX);
  FAILS(hipExtMemcpyBatchAsync(dsts, srcs, sizes, nullptr, nullptr, signal, ops, 3, nullptr, nullptr, 0, &fail, stream),
        hipErrorNotSupported);
  OK(hipStreamSynchronize(stream));
  OK(hipStreamDestroy(stream));
  OK(hipHostFree(pinned));
}

TEST_CASE("A swap in several parts") {
  constexpr size_t kBytes = (size_t{64} << 20) + 12345; // more than a part
  const Buffer a(kBytes), b(kBytes);
  OK(hipMemset(a.at, 0x11, kBytes));
  OK(hipMemset(b.at, 0x22, kBytes));
  void *dsts[] = {a.at}, *srcs[] = {b.at};
  size_t sizes[] = {kBytes}, begins[] = {0};
  hipMemcpyAttributes attributes[1] = {};
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  attributes[0].flags = hipMemcpyFlagExtOpSwap;
  OK(hipMemcpyBatchAsync(dsts, srcs, sizes, 1, attributes, begins, 1, nullptr, nullptr));
  OK(hipDeviceSynchronize());
  CHECK((on_host(a.at, kBytes) == std::vector<uint8_t>(kBytes, 0x22)));
  CHECK((on_host(b.at, kBytes) == std::vector<uint8_t>(kBytes, 0x11)));
}

TEST_CASE("A swap that a graph repeats") {
  const Buffer a(64), b(64);
  const auto a_before = counted(64, 1), b_before = counted(64, 101);
  OK(hipMemcpy(a.at, a_before.data(), 64, hipMemcpyHostToDevice));
  OK(hipMemcpy(b.at, b_before.data(), 64, hipMemcpyHostToDevice));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  void *dsts[] = {a.at}, *srcs[] = {b.at};
  size_t sizes[] = {64};
  hipExtMemcpyOp ops[] = {hipExtMemcpyOpSwap};
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  OK(hipExtMemcpyBatchAsync(dsts, srcs, sizes, nullptr, nullptr, nullptr, ops, 1, nullptr, nullptr, 0, nullptr,
                            stream));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int times = 1; times <= 3; ++times) {
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    CHECK((on_host(a.at, 64) == (times % 2 == 1 ? b_before : a_before)));
    CHECK((on_host(b.at, 64) == (times % 2 == 1 ? a_before : b_before)));
  }
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
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
