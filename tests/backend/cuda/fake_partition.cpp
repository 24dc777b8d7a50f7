// The fake driver: parts of a GPU, clusters of blocks, atomic capabilities, and what else needs no state of its own.
#include "fake_state.h"

#include <algorithm>
#include <cstring>

// The driver's name for each, not a mangled one.
#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace hip::cuda {
struct CUdevResourceDesc_st {
  std::vector<CUdevResource> parts;
};
struct CUgreenCtx_st {
  CUctx_st* context;
  unsigned units;
  std::shared_ptr<void> description; // ends with it
};
} // namespace hip::cuda

namespace hip::test {
namespace {

constexpr unsigned kUnits = 132, kStep = 8; // of a Hopper GPU
constexpr uint32_t kOurs = 0xfeed;
constexpr unsigned kLargestCluster = 8;
constexpr CUresult kErrorNotSupported = 801, kErrorInvalidClusterSize = 912, kErrorInvalidResourceType = 914,
                   kErrorInvalidResourceConfiguration = 915;

// What a driver says of alignment: nothing before CUDA 13.0.
unsigned told_alignment() { return environment_number("FAKE_CUDA_VERSION", 13000) >= 13000 ? kStep : 0; }

CUdevResource part_of(unsigned count, unsigned first) {
  CUdevResource part;
  part.which = {kOurs, first};
  part.count = count;
  part.least = part.alignment = told_alignment();
  return part;
}

bool is_ours(const CUdevResource* part) {
  return part && part->type == CUdevResource::kType && part->which[0] == kOurs && part->mark == 0 &&
         part->device == 0 && part->count != 0 && part->least == told_alignment() &&
         part->alignment == told_alignment() && part->completed == 0 && !part->next; // as it was given
}

} // namespace

FAKE_EXPORT CUresult cuDeviceGetDevResource(CUdevice, CUdevResource* resource, int type) {
  FAKE_ENTER_CONTEXT(cuDeviceGetDevResource);
  if (type != CUdevResource::kType) return kErrorInvalidResourceType;
  *resource = part_of(kUnits, 0);
  return kSuccess;
}

FAKE_EXPORT CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* groups, const CUdevResource* input,
                                                 CUdevResource* remaining, unsigned flags, unsigned min_count) {
  FAKE_ENTER_CONTEXT(cuDevSmResourceSplitByCount);
  if (!groups || !is_ours(input) || flags > 3) return kErrorInvalidValue;
  const unsigned size = std::max((min_count + kStep - 1) / kStep * kStep, kStep);
  if (size > input->count) return kErrorInvalidResourceConfiguration;
  const unsigned possible = input->count / size;
  *groups = result ? std::min(*groups, possible) : possible;
  const unsigned first = input->which[1];
  for (unsigned i = 0; result && i < *groups; ++i) result[i] = part_of(size, first + i * size);
  if (remaining) {
    *remaining = part_of(input->count - *groups * size, first + *groups * size);
    if (remaining->count == 0) remaining->type = 0;
  }
  return kSuccess;
}

FAKE_EXPORT CUresult cuDevSmResourceSplit(CUdevResource*, unsigned, const CUdevResource*, CUdevResource*, unsigned,
                                          CU_DEV_SM_RESOURCE_GROUP_PARAMS*) {
  FAKE_ENTER_CONTEXT(cuDevSmResourceSplit);
  return kErrorNotSupported; // younger than this driver
}

FAKE_EXPORT CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources,
                                               unsigned count) {
  FAKE_ENTER_CONTEXT(cuDevResourceGenerateDesc);
  if (!description || !resources || count == 0) return kErrorInvalidValue;
  if (!std::all_of(resources, resources + count, [](const CUdevResource& each) { return is_ours(&each); }))
    return kErrorInvalidValue;
  fake.descriptions.push_back(
      std::make_shared<CUdevResourceDesc_st>(CUdevResourceDesc_st{{resources, resources + count}}));
  *description = static_cast<CUdevResourceDesc>(fake.descriptions.back().get());
  return kSuccess;
}

FAKE_EXPORT CUresult cuGreenCtxCreate(CUgreenCtx* green, CUdevResourceDesc description, CUdevice, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuGreenCtxCreate);
  if (!description || flags != 1) return kErrorInvalidValue;
  unsigned units = 0;
  for (const CUdevResource& part : description->parts) units += part.count;
  const auto owned = std::find_if(fake.descriptions.begin(), fake.descriptions.end(),
                                  [description](const auto& each) { return each.get() == description; });
  if (owned == fake.descriptions.end()) return kErrorInvalidValue;
  *green = new CUgreenCtx_st{context, units, std::move(*owned)};
  fake.descriptions.erase(owned);
  fake.green_contexts.insert(*green);
  return kSuccess;
}

FAKE_EXPORT CUresult cuGreenCtxDestroy(CUgreenCtx green) {
  FAKE_ENTER_CONTEXT(cuGreenCtxDestroy);
  if (!fake.green_contexts.erase(green)) return kErrorInvalidValue;
  delete green;
  return kSuccess;
}

FAKE_EXPORT CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx green, unsigned flags, int priority) {
  FAKE_ENTER_CONTEXT(cuGreenCtxStreamCreate);
  if (!fake.green_contexts.contains(green) || flags != kStreamNonBlocking || priority > 0 || priority < -5)
    return kErrorInvalidValue;
  *stream = new CUstream_st{green->context, false};
  fake.streams.insert(*stream);
  return kSuccess;
}

// ---- clusters ------------------------------------------------------------------------------------------------------

FAKE_EXPORT CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction, const CUlaunchConfig* launch) {
  FAKE_ENTER_CONTEXT(cuOccupancyMaxPotentialClusterSize);
  if (!blocks || !launch || launch->blockDimX == 0) return kErrorInvalidValue;
  *blocks = kLargestCluster;
  return kSuccess;
}

FAKE_EXPORT CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction, const CUlaunchConfig* launch) {
  FAKE_ENTER_CONTEXT(cuOccupancyMaxActiveClusters);
  if (!clusters || !launch || launch->numAttrs != 1 || launch->attrs[0].id != kLaunchCluster) return kErrorInvalidValue;
  const unsigned* const c = launch->attrs[0].value;
  const unsigned blocks = c[0] * c[1] * c[2];
  if (blocks == 0 || blocks > kLargestCluster) return kErrorInvalidClusterSize;
  *clusters = static_cast<int>(kUnits / blocks);
  return kSuccess;
}

// ---- memory --------------------------------------------------------------------------------------------------------

FAKE_EXPORT CUresult cuDeviceGetP2PAtomicCapabilities(unsigned* capabilities, const int* operations, unsigned count,
                                                      CUdevice device, CUdevice peer) {
  FAKE_ENTER(cuDeviceGetP2PAtomicCapabilities);
  if (!capabilities || !operations || device == peer) return kErrorInvalidValue;
  // Of a link that carries all of them NVIDIA's driver (580) tells none.
  for (unsigned i = 0; i < count; ++i) capabilities[i] = device == 0 ? 0 : operations[i] < 10 ? 0x1f : 0x0c;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGetHostAtomicCapabilities(unsigned* capabilities, const int* operations, unsigned count,
                                                       CUdevice) {
  FAKE_ENTER(cuDeviceGetHostAtomicCapabilities);
  if (!capabilities || !operations) return kErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i) capabilities[i] = operations[i] == 8 || operations[i] == 9 ? 0x1a : 0;
  return kSuccess;
}

FAKE_EXPORT CUresult cuFlushGPUDirectRDMAWrites(int target, int scope) {
  FAKE_ENTER_CONTEXT(cuFlushGPUDirectRDMAWrites);
  return target == 0 && (scope == 100 || scope == 200) ? kSuccess : kErrorInvalidValue;
}

// What was there is overwritten, so that nobody counts on it.
FAKE_EXPORT CUresult cuMemDiscardBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count,
                                            unsigned long long flags, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemDiscardBatchAsync);
  if (!addresses || !sizes || count == 0 || flags != 0) return kErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const auto block = fake.block_of(addresses[i]);
    if (sizes[i] == 0 || block == fake.blocks.end() || block->second.from != From::Managed ||
        fake.leaves_block(addresses[i], sizes[i]))
      return kErrorInvalidValue;
    const auto at = addresses[i];
    const size_t bytes = sizes[i];
    if (const CUresult result =
            fake.submit(stream, [at, bytes] { std::memset(reinterpret_cast<void*>(at), 0xdd, bytes); });
        result != kSuccess)
      return result;
  }
  return kSuccess;
}

// The driver tells it of arrays that are mapped later.
FAKE_EXPORT CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray,
                                                           CUdevice) {
  FAKE_ENTER_CONTEXT(cuMipmappedArrayGetMemoryRequirements);
  return kErrorInvalidValue;
}

} // namespace hip::test
