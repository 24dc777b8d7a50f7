// Devices, contexts, streams, events, modules, functions, arrays and textures.
#include "api_calls.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace hip::fuzz {
namespace {

std::vector<char> read_file(const char* name) {
  std::ifstream file(std::string(CODE_DIR) + "/" + name, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.empty()) std::abort();
  return bytes;
}
const std::vector<char>& bundle() {
  static const std::vector<char> bytes = read_file("kernels.hipfb");
  return bytes;
}
const std::vector<char>& code_object() {
  static const std::vector<char> bytes = read_file("kernels.gfx942.co");
  return bytes;
}

// The code object with up to three bytes changed.
std::vector<char> damaged(World& w) {
  std::vector<char> bytes = code_object();
  for (size_t n = w.in.byte() % 4; n > 0; --n) bytes[w.in.below(bytes.size())] = static_cast<char>(w.in.byte());
  return bytes;
}

// A whole image, or what is none. Its extent is told by the image itself, so a damaged one would be read beyond its
// end.
const void* image(World& w) {
  static const char kNothing[64] = "no code";
  switch (w.in.byte() % 4) {
  case 0:
    return nullptr;
  case 1:
    return kNothing;
  case 2:
    return bundle().data();
  default:
    return code_object().data();
  }
}

// A file with code, with damaged code, or none.
const char* file(World& w) {
  static const int memory_file = memfd_create("damaged", 0);
  static const std::string name = "/proc/self/fd/" + std::to_string(memory_file);
  switch (w.in.byte() % 8) {
  case 0:
    return CODE_DIR "/kernels.hipfb";
  case 1:
    return CODE_DIR "/kernels.gfx90a.co";
  case 2:
    return CODE_DIR;
  case 3:
    return "";
  default:
    const std::vector<char> bytes = damaged(w);
    if (pwrite(memory_file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
    return name.c_str();
  }
}

const char* name(World& w) {
  return w.in.pick<const char*>({"scale", "bounded", "nothing", "counter", "factors", "shared_total",
                                 "shared_total.managed", "no_such", "", nullptr});
}
int ordinal(World& w) { return w.in.pick({0, 0, 0, 0, 1, -1, 0x7fffffff}); }

hipChannelFormatDesc channels(World& w) {
  const auto bits = [&w] { return w.in.pick({8, 16, 32, 0, -1, 64}); };
  return {bits(), bits(), bits(), bits(), static_cast<hipChannelFormatKind>(w.in.byte() % 6)};
}
hipExtent extent(World& w) { return {w.in.number(), w.in.number(), w.in.number()}; }

void stream_callback(hipStream_t, hipError_t, void* count) { ++*static_cast<size_t*>(count); }
void host_function(void* count) { ++*static_cast<size_t*>(count); }
size_t callbacks = 0;

// Handles of functions end with their module.
hipError_t unload(World& w) {
  const hipModule_t module = w.pick(w.modules);
  const hipError_t result = w.ended(w.modules, module, hipModuleUnload(module));
  if (result != hipSuccess) return result;
  for (hipFunction_t function : w.functions.live) w.functions.dead.push_back(function); // some are; all stay in use
  w.functions.live.clear();
  return result;
}

hipError_t drv_pointer_attributes(World& w) {
  constexpr unsigned kMost = 4;
  uint64_t values[kMost] = {};
  void* data[kMost] = {&values[0], &values[1], &values[2], w.in.byte() == 0 ? nullptr : &values[3]};
  hipPointer_attribute attributes[kMost];
  for (hipPointer_attribute& attribute : attributes) attribute = static_cast<hipPointer_attribute>(w.in.byte() % 20);
  return hipDrvPointerGetAttributes(w.in.byte() % (kMost + 1), attributes, data, w.address());
}

hipResourceDesc resource(World& w) {
  hipResourceDesc desc;
  std::memset(&desc, 0, sizeof desc);
  desc.resType = static_cast<hipResourceType>(w.in.byte() % 5);
  switch (desc.resType) {
  case hipResourceTypeArray:
    desc.res.array.array = w.pick(w.arrays);
    break;
  case hipResourceTypeMipmappedArray:
    desc.res.mipmap.mipmap = w.pick(w.mipmapped);
    break;
  case hipResourceTypeLinear:
    desc.res.linear = {w.known(), channels(w), w.in.number()};
    break;
  default:
    desc.res.pitch2D.devPtr = w.known();
    desc.res.pitch2D.desc = channels(w);
    desc.res.pitch2D.width = w.in.number();
    desc.res.pitch2D.height = w.in.number();
    desc.res.pitch2D.pitchInBytes = w.in.number();
  }
  return desc;
}

constexpr auto kInvalid = hipErrorInvalidHandle;
constexpr auto kGone = hipErrorContextIsDestroyed; // of streams and events
constexpr auto kNone = hipErrorNotSupported;       // the null device has no images and no peers

} // namespace

std::vector<Call> object_calls() {
  return {
      // ---- devices
      {"hipInit", [](World& w) { return hipInit(w.in.byte() % 2); }, {}},
      {"hipGetDeviceCount",
       [](World& w) {
         int n;
         return hipGetDeviceCount(w.in.byte() ? &n : nullptr);
       },
       {}},
      {"hipSetDevice", [](World& w) { return hipSetDevice(ordinal(w)); }, {hipErrorInvalidDevice}},
      {"hipGetDevice",
       [](World& w) {
         int n;
         return hipGetDevice(w.in.byte() ? &n : nullptr);
       },
       {}},
      {"hipSetDeviceFlags", [](World& w) { return hipSetDeviceFlags(w.in.word()); }, {}},
      {"hipGetDeviceFlags",
       [](World&) {
         unsigned f;
         return hipGetDeviceFlags(&f);
       },
       {}},
      {"hipGetDeviceProperties",
       [](World& w) {
         static hipDeviceProp_t p;
         return hipGetDeviceProperties(&p, ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipChooseDevice",
       [](World& w) {
         static hipDeviceProp_t p;
         p.major = w.in.integer();
         p.totalGlobalMem = w.in.number();
         int n;
         return hipChooseDevice(&n, &p);
       },
       {}},
      {"hipDeviceGetAttribute",
       [](World& w) {
         int value;
         return hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(w.in.word() % 12000), ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipDeviceGetLimit",
       [](World& w) {
         size_t value;
         return hipDeviceGetLimit(&value, static_cast<hipLimit_t>(w.in.integer()));
       },
       {hipErrorUnsupportedLimit}},
      {"hipDeviceSetLimit",
       [](World& w) { return hipDeviceSetLimit(static_cast<hipLimit_t>(w.in.integer()), w.in.number()); },
       {hipErrorUnsupportedLimit}},
      {"hipDeviceSetCacheConfig",
       [](World& w) { return hipDeviceSetCacheConfig(static_cast<hipFuncCache_t>(w.in.integer())); },
       {}},
      {"hipDeviceGetName",
       [](World& w) {
         char text[64];
         return hipDeviceGetName(text, w.in.pick({64, 1, 0, -1}), ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipDeviceGetPCIBusId",
       [](World& w) {
         char text[64];
         return hipDeviceGetPCIBusId(text, w.in.pick({64, 13, 12, 0, -1}), ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipDeviceGetByPCIBusId",
       [](World& w) {
         int n;
         return hipDeviceGetByPCIBusId(&n, w.in.pick({"0000:00:00.0", "0:0", "x", "", "ffffffffff:0:0"}));
       },
       {hipErrorInvalidDevice}},
      {"hipDeviceReset",
       [](World& w) {
         const hipError_t result = hipDeviceReset();
         if (result != hipSuccess) return result;
         for (hipStream_t s : w.streams.live) w.streams.dead.push_back(s);
         for (const Block& b : w.blocks) w.freed.push_back(b.base);
         w.streams.live.clear();
         w.blocks.clear();
         return result;
       },
       {}},
      {"hipDeviceSynchronize", [](World&) { return hipDeviceSynchronize(); }, {}},
      {"hipDeviceCanAccessPeer",
       [](World& w) {
         int y;
         return hipDeviceCanAccessPeer(&y, ordinal(w), ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipDeviceEnablePeerAccess",
       [](World& w) { return hipDeviceEnablePeerAccess(ordinal(w), w.in.byte() % 2); },
       {hipErrorInvalidDevice, hipErrorPeerAccessUnsupported}},
      {"hipDeviceDisablePeerAccess",
       [](World& w) { return hipDeviceDisablePeerAccess(ordinal(w)); },
       {hipErrorInvalidDevice, hipErrorPeerAccessNotEnabled}},
      {"hipDeviceGetP2PAttribute",
       [](World& w) {
         int value;
         return hipDeviceGetP2PAttribute(&value, static_cast<hipDeviceP2PAttr>(w.in.byte() % 6), ordinal(w),
                                         ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipGetProcAddress",
       [](World& w) {
         void* address;
         hipDriverProcAddressQueryResult status;
         return hipGetProcAddress(
             w.in.pick<const char*>({"hipMalloc", "hipGetDeviceProperties", "cuInit", "", nullptr}), &address,
             w.in.integer(), w.in.byte() % 4, w.in.byte() % 2 ? &status : nullptr);
       },
       {hipErrorNotFound}},
      // ---- contexts
      {"hipCtxCreate",
       [](World& w) {
         hipCtx_t c = nullptr;
         const unsigned flags = w.in.byte() % 8;
         return w.full(w.contexts) ? kNotCalled : w.made(w.contexts, c, hipCtxCreate(&c, flags, ordinal(w)));
       },
       {hipErrorInvalidDevice}},
      {"hipCtxDestroy", [](World& w) { return hipCtxDestroy(w.pick(w.contexts)); }, {hipErrorInvalidContext}},
      {"hipCtxPushCurrent", [](World& w) { return hipCtxPushCurrent(w.pick(w.contexts)); }, {hipErrorInvalidContext}},
      {"hipCtxPopCurrent",
       [](World& w) {
         hipCtx_t c;
         return hipCtxPopCurrent(w.in.byte() ? &c : nullptr);
       },
       {hipErrorInvalidContext}},
      {"hipCtxSetCurrent", [](World& w) { return hipCtxSetCurrent(w.pick(w.contexts)); }, {hipErrorInvalidContext}},
      {"hipCtxGetCurrent",
       [](World& w) {
         hipCtx_t c = nullptr;
         return w.full(w.contexts) ? kNotCalled : w.made(w.contexts, c, hipCtxGetCurrent(&c));
       },
       {hipErrorInvalidContext}},
      {"hipCtxGetApiVersion",
       [](World& w) {
         unsigned v;
         return hipCtxGetApiVersion(w.pick(w.contexts), &v);
       },
       {hipErrorInvalidContext}},
      {"hipCtxSynchronize", [](World&) { return hipCtxSynchronize(); }, {hipErrorInvalidContext}},
      {"hipDevicePrimaryCtxRetain",
       [](World& w) {
         hipCtx_t c;
         return hipDevicePrimaryCtxRetain(&c, ordinal(w));
       },
       {hipErrorInvalidDevice}},
      {"hipDevicePrimaryCtxRelease",
       [](World& w) { return hipDevicePrimaryCtxRelease(ordinal(w)); },
       {hipErrorInvalidDevice, hipErrorInvalidContext}},
      {"hipDevicePrimaryCtxSetFlags",
       [](World& w) { return hipDevicePrimaryCtxSetFlags(ordinal(w), w.in.word()); },
       {hipErrorInvalidDevice, hipErrorContextAlreadyInUse}},
      // ---- streams
      {"hipStreamCreate",
       [](World& w) {
         hipStream_t s = nullptr;
         return w.full(w.streams) ? kNotCalled : w.made(w.streams, s, hipStreamCreate(&s));
       },
       {}},
      {"hipStreamCreateWithPriority",
       [](World& w) {
         hipStream_t s = nullptr;
         const unsigned flags = w.in.byte() % 4;
         return w.full(w.streams) ? kNotCalled
                                  : w.made(w.streams, s, hipStreamCreateWithPriority(&s, flags, w.in.integer()));
       },
       {}},
      {"hipStreamDestroy",
       [](World& w) {
         const hipStream_t s = w.stream();
         return w.ended(w.streams, s, hipStreamDestroy(s));
       },
       {kGone, kInvalid}},
      {"hipStreamSynchronize", [](World& w) { return hipStreamSynchronize(w.stream()); }, {kGone}},
      {"hipStreamQuery", [](World& w) { return hipStreamQuery(w.stream()); }, {kGone, hipErrorNotReady}},
      {"hipStreamGetFlags",
       [](World& w) {
         unsigned f;
         return hipStreamGetFlags(w.stream(), &f);
       },
       {kGone}},
      {"hipStreamGetPriority",
       [](World& w) {
         int p;
         return hipStreamGetPriority(w.stream(), &p);
       },
       {kGone}},
      {"hipStreamGetDevice",
       [](World& w) {
         int d;
         return hipStreamGetDevice(w.stream(), &d);
       },
       {kGone}},
      {"hipStreamGetId",
       [](World& w) {
         unsigned long long id;
         return hipStreamGetId(w.stream(), &id);
       },
       {kGone}},
      {"hipStreamIsCapturing",
       [](World& w) {
         hipStreamCaptureStatus s;
         return hipStreamIsCapturing(w.stream(), &s);
       },
       {kGone}},
      {"hipStreamWaitEvent",
       [](World& w) { return hipStreamWaitEvent(w.stream(), w.pick(w.events), w.in.byte() % 2); },
       {kGone, kInvalid}},
      {"hipStreamAddCallback",
       [](World& w) {
         return hipStreamAddCallback(w.stream(), w.in.byte() ? stream_callback : nullptr, &callbacks, w.in.byte() % 2);
       },
       {kGone}},
      {"hipLaunchHostFunc",
       [](World& w) { return hipLaunchHostFunc(w.stream(), w.in.byte() ? host_function : nullptr, &callbacks); },
       {kGone}},
      // ---- events
      {"hipEventCreateWithFlags",
       [](World& w) {
         hipEvent_t e = nullptr;
         return w.full(w.events) ? kNotCalled : w.made(w.events, e, hipEventCreateWithFlags(&e, w.in.word()));
       },
       {}},
      {"hipEventCreate",
       [](World& w) {
         hipEvent_t e = nullptr;
         return w.full(w.events) ? kNotCalled : w.made(w.events, e, hipEventCreate(&e));
       },
       {}},
      {"hipEventDestroy",
       [](World& w) {
         const hipEvent_t e = w.pick(w.events);
         return w.ended(w.events, e, hipEventDestroy(e));
       },
       {kInvalid, kGone}},
      {"hipEventRecord", [](World& w) { return hipEventRecord(w.pick(w.events), w.stream()); }, {kInvalid, kGone}},
      {"hipEventRecordWithFlags",
       [](World& w) { return hipEventRecordWithFlags(w.pick(w.events), w.stream(), w.in.byte() % 3); },
       {kInvalid, kGone}},
      {"hipEventSynchronize", [](World& w) { return hipEventSynchronize(w.pick(w.events)); }, {kInvalid, kGone}},
      {"hipEventQuery", [](World& w) { return hipEventQuery(w.pick(w.events)); }, {kInvalid, kGone, hipErrorNotReady}},
      {"hipEventElapsedTime",
       [](World& w) {
         float ms;
         return hipEventElapsedTime(w.in.byte() ? &ms : nullptr, w.pick(w.events), w.pick(w.events));
       },
       {kInvalid, kGone, hipErrorNotReady}},
      // ---- modules
      {"hipModuleLoadData",
       [](World& w) {
         hipModule_t m = nullptr;
         return w.full(w.modules) ? kNotCalled : w.made(w.modules, m, hipModuleLoadData(&m, image(w)));
       },
       {hipErrorInvalidImage, hipErrorNoBinaryForGpu}},
      {"hipModuleLoad",
       [](World& w) {
         hipModule_t m = nullptr;
         return w.full(w.modules) ? kNotCalled : w.made(w.modules, m, hipModuleLoad(&m, file(w)));
       },
       {hipErrorFileNotFound, hipErrorInvalidImage, hipErrorNoBinaryForGpu, hipErrorOutOfMemory, kNone,
        hipErrorSharedObjectSymbolNotFound}},
      {"hipModuleUnload", unload, {hipErrorNotFound, kInvalid}},
      {"hipModuleGetFunction",
       [](World& w) {
         hipFunction_t f = nullptr;
         const hipModule_t m = w.pick(w.modules);
         return w.full(w.functions) ? kNotCalled : w.made(w.functions, f, hipModuleGetFunction(&f, m, name(w)));
       },
       {hipErrorNotFound, kInvalid}},
      {"hipModuleGetGlobal",
       [](World& w) {
         hipDeviceptr_t address;
         size_t bytes;
         return hipModuleGetGlobal(w.in.byte() % 4 ? &address : nullptr, w.in.byte() % 4 ? &bytes : nullptr,
                                   w.pick(w.modules), name(w));
       },
       {hipErrorNotFound, kInvalid}},
      {"hipModuleGetFunctionCount",
       [](World& w) {
         unsigned n;
         return hipModuleGetFunctionCount(&n, w.pick(w.modules));
       },
       {hipErrorNotFound, kInvalid}},
      {"hipFuncGetAttribute",
       [](World& w) {
         int value;
         return hipFuncGetAttribute(&value, static_cast<hipFunction_attribute>(w.in.byte() % 12), w.pick(w.functions));
       },
       {kInvalid, hipErrorInvalidDeviceFunction}},
      {"hipFuncGetAttributes",
       [](World& w) {
         hipFuncAttributes a;
         return hipFuncGetAttributes(&a, kernel_address(w));
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipFuncSetAttribute",
       [](World& w) {
         return hipFuncSetAttribute(kernel_address(w), static_cast<hipFuncAttribute>(w.in.byte() % 14), w.in.integer());
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipGetFuncBySymbol",
       [](World& w) {
         hipFunction_t f = nullptr;
         return w.full(w.functions) ? kNotCalled : w.made(w.functions, f, hipGetFuncBySymbol(&f, kernel_address(w)));
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipOccupancyMaxActiveBlocksPerMultiprocessor",
       [](World& w) {
         int n;
         return hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_address(w), w.in.integer(), w.in.number());
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipOccupancyMaxPotentialBlockSize",
       [](World& w) {
         int grid, block;
         return hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel_address(w), w.in.number(), w.in.integer());
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipOccupancyAvailableDynamicSMemPerBlock",
       [](World& w) {
         size_t bytes;
         return hipOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_address(w), w.in.integer(), w.in.integer());
       },
       {hipErrorInvalidDeviceFunction}},
      {"hipModuleOccupancyMaxPotentialBlockSize",
       [](World& w) {
         int grid, block;
         return hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, w.pick(w.functions), w.in.number(),
                                                        w.in.integer());
       },
       {kInvalid}},
      // ---- arrays, textures
      {"hipMallocArray",
       [](World& w) {
         hipArray_t a = nullptr;
         const hipChannelFormatDesc desc = channels(w);
         const size_t width = w.in.number(), height = w.in.number();
         return w.full(w.arrays) ? kNotCalled
                                 : w.made(w.arrays, a, hipMallocArray(&a, &desc, width, height, w.in.byte() % 16));
       },
       {kNone}},
      {"hipMalloc3DArray",
       [](World& w) {
         hipArray_t a = nullptr;
         const hipChannelFormatDesc desc = channels(w);
         const hipExtent e = extent(w);
         return w.full(w.arrays) ? kNotCalled : w.made(w.arrays, a, hipMalloc3DArray(&a, &desc, e, w.in.byte() % 16));
       },
       {kNone}},
      {"hipFreeArray",
       [](World& w) {
         const hipArray_t a = w.pick(w.arrays);
         return w.ended(w.arrays, a, hipFreeArray(a));
       },
       {kNone, kInvalid, kGone}},
      {"hipArrayGetInfo",
       [](World& w) {
         hipChannelFormatDesc desc;
         hipExtent e;
         unsigned flags;
         return hipArrayGetInfo(&desc, &e, &flags, w.pick(w.arrays));
       },
       {kNone, kInvalid}},
      {"hipMallocMipmappedArray",
       [](World& w) {
         hipMipmappedArray_t a = nullptr;
         const hipChannelFormatDesc desc = channels(w);
         const hipExtent e = extent(w);
         return w.full(w.mipmapped)
                    ? kNotCalled
                    : w.made(w.mipmapped, a, hipMallocMipmappedArray(&a, &desc, e, w.in.word(), w.in.byte() % 16));
       },
       {kNone}},
      {"hipGetMipmappedArrayLevel",
       [](World& w) {
         hipArray_t level;
         return hipGetMipmappedArrayLevel(&level, w.pick(w.mipmapped), w.in.word());
       },
       {kNone, kInvalid}},
      {"hipCreateTextureObject",
       [](World& w) {
         hipTextureObject_t texture;
         const hipResourceDesc what = resource(w);
         hipTextureDesc how;
         std::memset(&how, 0, sizeof how);
         how.filterMode = static_cast<hipTextureFilterMode>(w.in.byte() % 3);
         how.readMode = static_cast<hipTextureReadMode>(w.in.byte() % 3);
         return hipCreateTextureObject(&texture, &what, &how, nullptr);
       },
       {kNone, kInvalid}},
      {"hipDestroyTextureObject",
       [](World& w) { return hipDestroyTextureObject(reinterpret_cast<hipTextureObject_t>(w.address())); },
       {kNone}},
      {"hipCreateSurfaceObject",
       [](World& w) {
         hipSurfaceObject_t surface;
         const hipResourceDesc what = resource(w);
         return hipCreateSurfaceObject(&surface, &what);
       },
       {kNone, kInvalid, hipErrorInvalidChannelDescriptor}},
      {"hipDrvPointerGetAttributes", drv_pointer_attributes, {kNone}},
  };
}

} // namespace hip::fuzz
