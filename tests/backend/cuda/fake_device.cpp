// The fake driver: versions, GPUs, contexts, peers.
#include "fake_state.h"

#include <cstdio>
#include <cstring>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

int device_count() { return environment_number("FAKE_CUDA_DEVICES", 1); }
bool is_device(CUdevice device) { return device >= 0 && device < device_count(); }
constexpr CUresult kErrorInvalidDevice = 101, kErrorPeerUnsupported = 217, kErrorUnsupportedLimit = 215;

struct AttributeRow {
  int number, value;
};
// Those of an H100 as far as tests care; all others are 1.
constexpr AttributeRow kAttributes[] = {
    {1, 1024},      {2, 1024},   {3, 1024},       {4, 64},          {5, 2147483647}, {6, 65535},      {7, 65535},
    {8, 49152},     {9, 65536},  {10, 32},        {11, 2147483647}, {12, 65536},     {13, 1980000},   {14, 512},
    {16, 132},      {17, 0},     {18, 0},         {20, 0},          {21, 131072},    {22, 131072},    {23, 65536},
    {24, 16384},    {25, 16384}, {26, 16384},     {27, 32768},      {28, 32768},     {29, 2048},      {42, 32768},
    {43, 2048},     {45, 32768}, {46, 32768},     {47, 8192},       {48, 8192},      {49, 32768},     {52, 32768},
    {53, 32768},    {54, 2046},  {55, 32768},     {56, 131072},     {57, 65536},     {58, 16384},     {59, 16384},
    {60, 16384},    {61, 32768}, {62, 2048},      {63, 32768},      {64, 32768},     {65, 2048},      {66, 32768},
    {67, 32768},    {68, 2046},  {69, 268435456}, {70, 131072},     {71, 65000},     {72, 2097120},   {73, 32768},
    {74, 32768},    {77, 32768}, {30, 512},       {34, 0},          {35, 0},         {36, 2619000},   {37, 5120},
    {38, 52428800}, {39, 2048},  {40, 3},         {50, 0},          {51, 32},        {75, 9},         {76, 0},
    {81, 233472},   {82, 65536}, {84, 0},         {85, 0},          {86, 0},         {87, 2},         {88, 0},
    {97, 232448},   {100, 0},    {101, 0},        {106, 32},        {111, 1024},     {108, 32768000}, {109, 134213632},
};

} // namespace

FAKE_EXPORT CUresult cuInit(unsigned flags) {
  FAKE_ENTER(cuInit);
  if (flags != 0) return kErrorInvalidValue;
  if (const int result = environment_number("FAKE_CUDA_INIT", 0)) return result;
  return device_count() == 0 ? kErrorNoDevice : kSuccess;
}

FAKE_EXPORT CUresult cuDriverGetVersion(int* version) {
  FAKE_ENTER(cuDriverGetVersion);
  *version = environment_number("FAKE_CUDA_VERSION", 13000);
  return kSuccess;
}

FAKE_EXPORT CUresult cuGetErrorName(CUresult result, const char** name) {
  *name = result == kSuccess ? "CUDA_SUCCESS" : nullptr;
  return *name ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuGetErrorString(CUresult result, const char** text) {
  *text = result > 9000 ? nullptr : "the fake driver's text of it";
  return *text ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuDeviceGetCount(int* count) {
  FAKE_ENTER(cuDeviceGetCount);
  *count = device_count();
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  FAKE_ENTER(cuDeviceGet);
  if (!is_device(ordinal)) return kErrorInvalidDevice;
  *device = ordinal;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  FAKE_ENTER(cuDeviceGetName);
  if (!is_device(device)) return kErrorInvalidDevice;
  std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU %d (executes nothing)", device);
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  FAKE_ENTER(cuDeviceGetUuid);
  if (!is_device(device)) return kErrorInvalidDevice;
  std::memset(uuid->bytes, 0x10 + device, sizeof uuid->bytes);
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  FAKE_ENTER(cuDeviceTotalMem);
  if (!is_device(device)) return kErrorInvalidDevice;
  *bytes = Fake::kMemoryBytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  FAKE_ENTER(cuDeviceGetAttribute);
  if (!is_device(device)) return kErrorInvalidDevice;
  *value = attribute == 33 ? device + 1 : 1; // the PCI bus
  for (const AttributeRow& row : kAttributes)
    if (row.number == attribute) *value = row.value;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  FAKE_ENTER(cuDeviceCanAccessPeer);
  if (!is_device(device) || !is_device(peer)) return kErrorInvalidDevice;
  *can = device != peer;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source,
                                             CUdevice destination) {
  FAKE_ENTER(cuDeviceGetP2PAttribute);
  if (!is_device(source) || !is_device(destination) || source == destination) return kErrorInvalidDevice;
  // From the first GPU on a link carries all atomic operations, from others some (cuDeviceGetP2PAtomicCapabilities).
  *value = attribute == kP2PRank ? 0 : attribute == kP2PSomeAtomics ? source != 0 : 1;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  FAKE_ENTER(cuDevicePrimaryCtxRetain);
  if (!is_device(device)) return kErrorInvalidDevice;
  std::lock_guard lock(fake.mutex);
  *context = fake.contexts[static_cast<size_t>(device)].get();
  ++(*context)->users;
  return (*context)->lost;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  FAKE_ENTER(cuDevicePrimaryCtxRelease);
  if (!is_device(device)) return kErrorInvalidDevice;
  std::lock_guard lock(fake.mutex);
  CUctx_st& context = *fake.contexts[static_cast<size_t>(device)];
  if (context.users == 0) return kErrorInvalidContext;
  --context.users;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  FAKE_ENTER(cuDevicePrimaryCtxGetState);
  if (!is_device(device)) return kErrorInvalidDevice;
  std::lock_guard lock(fake.mutex);
  const CUctx_st& context = *fake.contexts[static_cast<size_t>(device)];
  *flags = context.flags;
  *active = context.users > 0;
  return kSuccess;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  FAKE_ENTER(cuDevicePrimaryCtxSetFlags);
  if (!is_device(device)) return kErrorInvalidDevice;
  if ((flags & kScheduleMask & ((flags & kScheduleMask) - 1)) != 0) return kErrorInvalidValue;
  std::lock_guard lock(fake.mutex);
  fake.contexts[static_cast<size_t>(device)]->flags = flags;
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxSynchronize() {
  FAKE_ENTER_CONTEXT(cuCtxSynchronize);
  return fake.wait_for(lock, *context, fake.last_of_all(*context));
}

FAKE_EXPORT CUresult cuProfilerStart() {
  FAKE_ENTER(cuProfilerStart);
  return kSuccess;
}

FAKE_EXPORT CUresult cuProfilerStop() {
  FAKE_ENTER(cuProfilerStop);
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxGetCurrent(CUcontext* context) {
  FAKE_ENTER(cuCtxGetCurrent);
  *context = current_context();
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  FAKE_ENTER(cuCtxSetCurrent);
  current_context() = context;
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  FAKE_ENTER_CONTEXT(cuCtxGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  FAKE_ENTER_CONTEXT(cuCtxSetLimit);
  if ((limit < kLimitStack || limit > kLimitHeap) && limit != kLimitPersistingL2) return kErrorUnsupportedLimit;
  return value > (size_t{1} << 32) ? kErrorInvalidValue : kSuccess;
}

FAKE_EXPORT CUresult cuCtxResetPersistingL2Cache() {
  FAKE_ENTER_CONTEXT(cuCtxResetPersistingL2Cache);
  return kSuccess;
}

FAKE_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuCtxEnablePeerAccess);
  if (flags != 0 || !peer || peer == context) return kErrorPeerUnsupported;
  return fake.peers.insert({context->device, peer->device}).second ? kSuccess : kErrorPeerAccessAlreadyEnabled;
}

FAKE_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  FAKE_ENTER_CONTEXT(cuCtxDisablePeerAccess);
  return peer && fake.peers.erase({context->device, peer->device}) ? kSuccess : kErrorPeerAccessNotEnabled;
}
