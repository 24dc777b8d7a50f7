// Every field of an older structure arrives in the field of its name: each gets a number of its own.
#include "runtime/compat/older_types.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace hip::compat;

namespace {
void* address(uintptr_t number) { return reinterpret_cast<void*>(number); }
} // namespace

TEST_CASE("Memory types of HIP 5 have other numbers") {
  // {5.7, 7.2}
  constexpr std::pair<unsigned, unsigned> kNumbers[] = {{0, 1}, {1, 2}, {2, 10}, {3, 11}, {4, 3}};
  for (const auto& [older, newer] : kNumbers) {
    CHECK(static_cast<unsigned>(from_hip5(static_cast<Hip5MemoryType>(older))) == newer);
    CHECK(static_cast<unsigned>(from_hip5(static_cast<hipMemoryType>(older))) == newer);
    CHECK(static_cast<unsigned>(to_hip5(static_cast<hipMemoryType>(newer))) == older);
  }
  for (const unsigned wrong : {5u, 10u, 11u, ~0u}) {
    const auto type = static_cast<unsigned>(from_hip5(static_cast<Hip5MemoryType>(wrong)));
    for (const auto& [older, newer] : kNumbers) CHECK(type != newer);
    CHECK(type != hipMemoryTypeUnregistered);
  }
}

TEST_CASE("HIP_MEMCPY3D of HIP 5 has 32-bit sizes") {
  unsigned char raw[128];
  for (size_t i = 0; i < sizeof raw; ++i) raw[i] = 0;
  const auto put32 = [&raw](size_t at, uint32_t value) { std::memcpy(raw + at, &value, 4); };
  const auto put64 = [&raw](size_t at, uint64_t value) { std::memcpy(raw + at, &value, 8); };
  // Offsets as the headers of 5.2 and 5.7 lay it out.
  for (size_t at : {0, 4, 8, 12, 48, 52, 56, 60, 64, 68, 104, 108, 112, 116, 120}) put32(at, uint32_t(1000 + at));
  for (size_t at : {24, 32, 40, 80, 88, 96}) put64(at, 0x100000000 + at);
  put32(16, 1);
  put32(72, 2);
  Hip5Memcpy3D older;
  std::memcpy(static_cast<void*>(&older), raw, sizeof raw);
  const HIP_MEMCPY3D copy = from_hip5(older);
  CHECK(copy.srcXInBytes == 1000);
  CHECK(copy.srcY == 1004);
  CHECK(copy.srcZ == 1008);
  CHECK(copy.srcLOD == 1012);
  CHECK(copy.srcMemoryType == hipMemoryTypeDevice);
  CHECK(copy.srcHost == address(0x100000000 + 24));
  CHECK(copy.srcDevice == address(0x100000000 + 32));
  CHECK(static_cast<void*>(copy.srcArray) == address(0x100000000 + 40));
  CHECK(copy.srcPitch == 1048);
  CHECK(copy.srcHeight == 1052);
  CHECK(copy.dstXInBytes == 1056);
  CHECK(copy.dstY == 1060);
  CHECK(copy.dstZ == 1064);
  CHECK(copy.dstLOD == 1068);
  CHECK(copy.dstMemoryType == hipMemoryTypeArray);
  CHECK(copy.dstHost == address(0x100000000 + 80));
  CHECK(copy.dstDevice == address(0x100000000 + 88));
  CHECK(static_cast<void*>(copy.dstArray) == address(0x100000000 + 96));
  CHECK(copy.dstPitch == 1104);
  CHECK(copy.dstHeight == 1108);
  CHECK(copy.WidthInBytes == 1112);
  CHECK(copy.Height == 1116);
  CHECK(copy.Depth == 1120);
}

TEST_CASE("hip_Memcpy2D of HIP 5 differs in its memory types alone") {
  hip_Memcpy2D older{};
  older.srcXInBytes = 1;
  older.srcMemoryType = static_cast<hipMemoryType>(0); // Host
  older.srcHost = address(2);
  older.dstMemoryType = static_cast<hipMemoryType>(3); // Unified
  older.dstDevice = address(3);
  older.dstPitch = 4;
  older.WidthInBytes = 5;
  older.Height = 6;
  hip_Memcpy2D expected = older;
  expected.srcMemoryType = hipMemoryTypeHost;
  expected.dstMemoryType = hipMemoryTypeUnified;
  const hip_Memcpy2D copy = from_hip5(older);
  CHECK(std::memcmp(&copy, &expected, sizeof copy) == 0);
}

TEST_CASE("What HIP 5 reserved in a pool's properties is no size") {
  hipMemPoolProps older;
  std::memset(&older, 0xab, sizeof older);
  older.allocType = hipMemAllocationTypePinned;
  const hipMemPoolProps props = from_hip5(older);
  CHECK(props.maxSize == 0);
  CHECK(props.allocType == hipMemAllocationTypePinned);
  CHECK(std::memcmp(&props.location, &older.location, sizeof props.location) == 0);
}

TEST_CASE("HIP_MEMSET_NODE_PARAMS of HIP 6 has another order") {
  const Hip6MemsetNodeParams older{address(1), 2, 3, 4, 5, 6};
  const hipMemsetParams params = from_hip6(older);
  CHECK(params.dst == address(1));
  CHECK(params.pitch == 2);
  CHECK(params.value == 3);
  CHECK(params.elementSize == 4);
  CHECK(params.width == 5);
  CHECK(params.height == 6);
}

TEST_CASE("External memory and semaphores of HIP 5") {
  Hip5ExternalMemoryHandleDesc memory{};
  memory.type = hipExternalMemoryHandleTypeOpaqueWin32;
  memory.handle.win32.handle = address(1);
  memory.handle.win32.name = address(2);
  memory.size = 3;
  memory.flags = 1;
  const hipExternalMemoryHandleDesc desc = from_hip5(memory);
  CHECK(desc.type == hipExternalMemoryHandleTypeOpaqueWin32);
  CHECK(desc.handle.win32.handle == address(1));
  CHECK(desc.handle.win32.name == address(2));
  CHECK(desc.size == 3);
  CHECK(desc.flags == 1);
  memory.handle.fd = 77;
  CHECK(from_hip5(memory).handle.fd == 77);

  const hipExternalMemoryBufferDesc buffer = from_hip5(Hip5ExternalMemoryBufferDesc{1, 2, 3});
  CHECK(buffer.offset == 1);
  CHECK(buffer.size == 2);
  CHECK(buffer.flags == 3);

  Hip5ExternalSemaphoreHandleDesc semaphore{};
  semaphore.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  semaphore.handle.fd = 5;
  semaphore.flags = 9;
  CHECK(from_hip5(semaphore).type == hipExternalSemaphoreHandleTypeOpaqueFd);
  CHECK(from_hip5(semaphore).handle.fd == 5);
  CHECK(from_hip5(semaphore).flags == 9);

  Hip5ExternalSemaphoreSignalParams signal{};
  signal.params.fence.value = 11;
  signal.params.keyedMutex.key = 12;
  signal.flags = 13;
  CHECK(from_hip5(signal).params.fence.value == 11);
  CHECK(from_hip5(signal).params.keyedMutex.key == 12);
  CHECK(from_hip5(signal).flags == 13);
  CHECK(from_hip5(signal).params.nvSciSync.fence == nullptr);

  Hip5ExternalSemaphoreWaitParams wait{};
  wait.params.fence.value = 21;
  wait.params.keyedMutex.key = 22;
  wait.params.keyedMutex.timeoutMs = 23;
  wait.flags = 24;
  CHECK(from_hip5(wait).params.fence.value == 21);
  CHECK(from_hip5(wait).params.keyedMutex.key == 22);
  CHECK(from_hip5(wait).params.keyedMutex.timeoutMs == 23);
  CHECK(from_hip5(wait).flags == 24);
}
