// Memory and semaphores that other interfaces made, which come as file descriptors.
#include "runtime/core/external.h"

#include "runtime/api/array_format.h"
#include "runtime/api/graph_params.h"

namespace hip::api {
namespace {

// A type of handle that HIP has and this system does not.
Status absent_type(const char* what, unsigned type) {
  return error(ErrorCode::NotSupported,
               "External {} of handle type {} are of Windows or NVIDIA's embedded systems; on Linux they are file "
               "descriptors.",
               what, type);
}

Status unknown_type(const char* what, unsigned type) {
  return error(ErrorCode::InvalidValue, "{} is no handle type of external {}.", type, what);
}

Status check_type(hipExternalMemoryHandleType type) {
  switch (type) {
  case hipExternalMemoryHandleTypeOpaqueFd:
    return {};
  case hipExternalMemoryHandleTypeOpaqueWin32:
  case hipExternalMemoryHandleTypeOpaqueWin32Kmt:
  case hipExternalMemoryHandleTypeD3D12Heap:
  case hipExternalMemoryHandleTypeD3D12Resource:
  case hipExternalMemoryHandleTypeD3D11Resource:
  case hipExternalMemoryHandleTypeD3D11ResourceKmt:
  case hipExternalMemoryHandleTypeNvSciBuf:
    return absent_type("memory", type);
  }
  return unknown_type("memory", type);
}

Result<backend::SemaphoreKind> to_kind(hipExternalSemaphoreHandleType type) {
  switch (type) {
  case hipExternalSemaphoreHandleTypeOpaqueFd:
    return backend::SemaphoreKind::Opaque;
  case hipExternalSemaphoreHandleTypeTimelineSemaphoreFd:
    return backend::SemaphoreKind::Timeline;
  case hipExternalSemaphoreHandleTypeOpaqueWin32:
  case hipExternalSemaphoreHandleTypeOpaqueWin32Kmt:
  case hipExternalSemaphoreHandleTypeD3D12Fence:
  case hipExternalSemaphoreHandleTypeD3D11Fence:
  case hipExternalSemaphoreHandleTypeNvSciSync:
  case hipExternalSemaphoreHandleTypeKeyedMutex:
  case hipExternalSemaphoreHandleTypeKeyedMutexKmt:
  case hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32:
    return absent_type("semaphores", type);
  }
  return unknown_type("semaphores", type);
}

Status check_no_flags(unsigned flags) {
  if (flags == 0) return {};
  return error(ErrorCode::InvalidValue, "The flags are {:#x}; they must be 0.", flags);
}

} // namespace

// ---- memory --------------------------------------------------------------------------------------------------------

Status hipImportExternalMemory(hipExternalMemory_t* extMem_out, const hipExternalMemoryHandleDesc* memHandleDesc) {
  const hipExternalMemoryHandleDesc& desc = *memHandleDesc;
  if ((desc.flags & ~unsigned{hipExternalMemoryDedicated}) != 0)
    return error(ErrorCode::InvalidValue, "The flags of external memory are {:#x}; only {:#x} is known.", desc.flags,
                 hipExternalMemoryDedicated);
  RT_TRY(check_type(desc.type));
  if (desc.size == 0) return error(ErrorCode::InvalidValue, "External memory of 0 bytes is to be imported.");
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(const core::Handle imported,
                core::import_external_memory(*device, {.descriptor = desc.handle.fd,
                                                       .bytes = desc.size,
                                                       .dedicated = (desc.flags & hipExternalMemoryDedicated) != 0}));
  *extMem_out = const_cast<void*>(imported);
  return {};
}

Status hipExternalMemoryGetMappedBuffer(void** devPtr, hipExternalMemory_t extMem,
                                        const hipExternalMemoryBufferDesc* bufferDesc) {
  RT_TRY(check_no_flags(bufferDesc->flags));
  RT_TRY_ASSIGN(*devPtr, core::map_external_buffer(extMem, bufferDesc->offset, bufferDesc->size));
  return {};
}

// As for all arrays, a device without images comes before any other error.
Status hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t* mipmap, hipExternalMemory_t extMem,
                                                const hipExternalMemoryMipmappedArrayDesc* mipmapDesc) {
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY(core::images_of(*device).status());
  if (!mipmap || !mipmapDesc)
    return error(ErrorCode::InvalidValue, "The {} is null.", mipmap ? "description" : "place for the array");
  if (mipmapDesc->numLevels == 0) return error(ErrorCode::InvalidValue, "A mipmapped array of 0 levels is asked for.");
  backend::ImageShape shape{.width = mipmapDesc->extent.width,
                            .height = mipmapDesc->extent.height,
                            .depth = mipmapDesc->extent.depth,
                            .format = {},
                            .levels = mipmapDesc->numLevels};
  RT_TRY_ASSIGN(shape.format, element_format(mipmapDesc->formatDesc));
  RT_TRY(put_flags(shape, mipmapDesc->flags, kArrayFlags));
  RT_TRY_ASSIGN(const core::Handle mapped, core::map_external_array(extMem, mipmapDesc->offset, shape));
  *mipmap = as_handle<hipMipmappedArray_t>(mapped);
  return {};
}

Status hipDestroyExternalMemory(hipExternalMemory_t extMem) { return core::destroy_external_memory(extMem); }

// ---- semaphores ----------------------------------------------------------------------------------------------------

Status hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out,
                                  const hipExternalSemaphoreHandleDesc* semHandleDesc) {
  RT_TRY(check_no_flags(semHandleDesc->flags));
  RT_TRY_ASSIGN(const backend::SemaphoreKind kind, to_kind(semHandleDesc->type));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(const core::Handle imported,
                core::import_external_semaphore(*device, {.descriptor = semHandleDesc->handle.fd, .kind = kind}));
  *extSem_out = const_cast<void*>(imported);
  return {};
}

Status hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem) { return core::destroy_external_semaphore(extSem); }

namespace {

// A node's parameters with the lists that they point at. N and P are HIP's structures of signals, or those of waits.
template<class N, class P> struct GivenSemaphores {
  N params{};
  std::vector<hipExternalSemaphore_t> semaphores;
  std::vector<P> values;
};

template<class O, class N, class P>
Result<O> make_operation(const hipExternalSemaphore_t* semaphores, const P* values, unsigned count) {
  auto given = std::make_shared<GivenSemaphores<N, P>>();
  O operation;
  for (unsigned i = 0; i < count; ++i) {
    RT_TRY(check_no_flags(values[i].flags)); // those that there are concern NvSciSync alone
    RT_TRY(core::add_external_step(operation.steps, semaphores[i], values[i].params.fence.value));
    given->semaphores.push_back(semaphores[i]);
    given->values.push_back(values[i]);
  }
  given->params = {given->semaphores.data(), given->values.data(), count};
  operation.given = std::move(given);
  return operation;
}

template<class O, class P, class N> Result<core::Operation> make_node(const N& params) {
  if (!params.extSemArray || !params.paramsArray || params.numExtSems == 0)
    return error(ErrorCode::InvalidValue, "A node has {} external semaphores at {} with parameters at {}.",
                 params.numExtSems, static_cast<const void*>(params.extSemArray),
                 static_cast<const void*>(params.paramsArray));
  RT_TRY_ASSIGN(O operation, (make_operation<O, N, P>(params.extSemArray, params.paramsArray, params.numExtSems)));
  return core::Operation(std::move(operation));
}

// HIP documents InvalidValue for whatever is wrong with these two calls.
template<class O, class N, class P>
Status submit(const hipExternalSemaphore_t* semaphores, const P* values, unsigned count, hipStream_t stream) {
  const auto pin = core::find_stream(stream);
  if (!pin.ok()) return Status(ErrorCode::InvalidValue, pin.status().message());
  RT_TRY_ASSIGN(O operation, (make_operation<O, N, P>(semaphores, values, count)));
  return core::submit_external(*pin.value(), std::move(operation));
}

using SignalNode = hipExternalSemaphoreSignalNodeParams;
using WaitNode = hipExternalSemaphoreWaitNodeParams;
using SignalValues = hipExternalSemaphoreSignalParams;
using WaitValues = hipExternalSemaphoreWaitParams;

} // namespace

Status hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                        const hipExternalSemaphoreSignalParams* paramsArray, unsigned int numExtSems,
                                        hipStream_t stream) {
  return submit<core::ExternalSignalOperation, SignalNode>(extSemArray, paramsArray, numExtSems, stream);
}

Status hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                      const hipExternalSemaphoreWaitParams* paramsArray, unsigned int numExtSems,
                                      hipStream_t stream) {
  return submit<core::ExternalWaitOperation, WaitNode>(extSemArray, paramsArray, numExtSems, stream);
}

// ---- nodes of graphs -----------------------------------------------------------------------------------------------

Result<core::Operation> external_operation(const hipExternalSemaphoreSignalNodeParams& params) {
  return make_node<core::ExternalSignalOperation, SignalValues>(params);
}
Result<core::Operation> external_operation(const hipExternalSemaphoreWaitNodeParams& params) {
  return make_node<core::ExternalWaitOperation, WaitValues>(params);
}
hipExternalSemaphoreSignalNodeParams external_params(const core::ExternalSignalOperation& signal) {
  return static_cast<const GivenSemaphores<SignalNode, SignalValues>*>(signal.given.get())->params;
}
hipExternalSemaphoreWaitNodeParams external_params(const core::ExternalWaitOperation& wait) {
  return static_cast<const GivenSemaphores<WaitNode, WaitValues>*>(wait.given.get())->params;
}

} // namespace hip::api
