// Copies of linear memory, and the memory behind __device__ and __constant__ variables.
#include "runtime/api/copy_forms.h"
#include "runtime/api/graph_params.h"
#include "runtime/core/fat_binary.h"

namespace hip::api {

Status copy_linear(hipStream_t stream, CopyWait wait, void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return core::copy({pin.get(), wait}, dst, src, bytes, static_cast<core::CopyKind>(kind));
}

namespace {

// A copy of bytes for a node: checked as hipMemcpyAsync checks it, and nothing is done.
Result<core::Operation> prepare_linear(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (bytes == 0) return error(ErrorCode::InvalidValue, "A node cannot copy 0 bytes.");
  core::CopyOperation copy;
  copy.dst = {.memory = dst, .pitch_bytes = bytes, .width = bytes, .height = 1};
  copy.src = {.memory = const_cast<void*>(src), .pitch_bytes = bytes, .width = bytes, .height = 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = static_cast<core::CopyKind>(kind);
  RT_TRY(core::copy({&device->null_stream(), CopyWait::Async, &copy.transfers}, dst, src, bytes, copy.kind));
  return core::Operation(std::move(copy));
}

// The other end of a node's copy with a variable: where the direction says that it is in a device's memory, it must be.
Status check_device_memory(hipMemcpyKind kind, const void* memory) {
  const bool says_device = kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDeviceToDeviceNoCU;
  if (!says_device || !memory || core::addresses().find(memory)) return {};
  return error(ErrorCode::InvalidValue, "{} is not memory that HIP knows, and the direction of the copy is {}.",
               const_cast<void*>(memory), static_cast<int>(kind));
}

Status check_to_symbol(hipMemcpyKind kind) {
  if (kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault ||
      kind == hipMemcpyDeviceToDeviceNoCU)
    return {};
  return error(ErrorCode::InvalidMemcpyDirection, "A copy to a symbol cannot have the direction {}.",
               static_cast<int>(kind));
}

Status check_from_symbol(hipMemcpyKind kind) {
  if (kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault ||
      kind == hipMemcpyDeviceToDeviceNoCU)
    return {};
  return error(ErrorCode::InvalidMemcpyDirection, "A copy from a symbol cannot have the direction {}.",
               static_cast<int>(kind));
}

// The address at `offset` in a variable; `bytes` from there must lie inside it.
Result<void*> inside_symbol(const void* symbol, size_t bytes, size_t offset) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (!symbol) return error(ErrorCode::InvalidSymbol, "The symbol is null.");
  RT_TRY_ASSIGN(const backend::Global global, core::resolve_variable(symbol, *device));
  if (offset > global.bytes || bytes > global.bytes - offset)
    return error(ErrorCode::InvalidValue, "{} bytes at offset {} leave the variable of {} bytes.", bytes, offset,
                 global.bytes);
  return static_cast<void*>(static_cast<char*>(global.address) + offset);
}

} // namespace

Status copy_to_symbol(hipStream_t stream, CopyWait wait, const void* symbol, const void* src, size_t bytes,
                      size_t offset, hipMemcpyKind kind) {
  RT_TRY(check_to_symbol(kind));
  RT_TRY_ASSIGN(void* dst, inside_symbol(symbol, bytes, offset));
  return copy_linear(stream, wait, dst, src, bytes, kind);
}

Status copy_from_symbol(hipStream_t stream, CopyWait wait, void* dst, const void* symbol, size_t bytes, size_t offset,
                        hipMemcpyKind kind) {
  RT_TRY(check_from_symbol(kind));
  RT_TRY_ASSIGN(void* src, inside_symbol(symbol, bytes, offset));
  return copy_linear(stream, wait, dst, src, bytes, kind);
}

Result<core::Operation> copy_operation(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return prepare_linear(dst, src, bytes, kind);
}

Result<core::Operation> copy_to_symbol_operation(const void* symbol, const void* src, size_t bytes, size_t offset,
                                                 hipMemcpyKind kind) {
  RT_TRY_ASSIGN(void* dst, inside_symbol(symbol, bytes, offset));
  RT_TRY(check_to_symbol(kind));
  RT_TRY(check_device_memory(kind, src));
  return prepare_linear(dst, src, bytes, kind);
}

Result<core::Operation> copy_from_symbol_operation(void* dst, const void* symbol, size_t bytes, size_t offset,
                                                   hipMemcpyKind kind) {
  RT_TRY_ASSIGN(void* src, inside_symbol(symbol, bytes, offset));
  RT_TRY(check_from_symbol(kind));
  RT_TRY(check_device_memory(kind, dst));
  return prepare_linear(dst, src, bytes, kind);
}

Status hipMemcpy(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind) {
  return copy_linear(nullptr, CopyWait::Blocking, dst, src, sizeBytes, kind);
}

Status hipMemcpyWithStream(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return copy_linear(stream, CopyWait::Blocking, dst, src, sizeBytes, kind);
}

Status hipMemcpyAsync(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return copy_linear(stream, CopyWait::Async, dst, src, sizeBytes, kind);
}

Status hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t sizeBytes) {
  return copy_linear(nullptr, CopyWait::Blocking, dst, src, sizeBytes, hipMemcpyHostToDevice);
}

Status hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t sizeBytes, hipStream_t stream) {
  return copy_linear(stream, CopyWait::Async, dst, src, sizeBytes, hipMemcpyHostToDevice);
}

Status hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t sizeBytes) {
  return copy_linear(nullptr, CopyWait::Blocking, dst, src, sizeBytes, hipMemcpyDeviceToHost);
}

Status hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return copy_linear(stream, CopyWait::Async, dst, src, sizeBytes, hipMemcpyDeviceToHost);
}

Status hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
  return copy_linear(nullptr, CopyWait::Blocking, dst, src, sizeBytes, hipMemcpyDeviceToDevice);
}

Status hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return copy_linear(stream, CopyWait::Async, dst, src, sizeBytes, hipMemcpyDeviceToDevice);
}

Status hipGetSymbolAddress(void** devPtr, const void* symbol) {
  RT_TRY_ASSIGN(*devPtr, inside_symbol(symbol, 0, 0));
  return {};
}

Status hipGetSymbolSize(size_t* size, const void* symbol) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (!symbol) return error(ErrorCode::InvalidSymbol, "The symbol is null.");
  RT_TRY_ASSIGN(const backend::Global global, core::resolve_variable(symbol, *device));
  *size = global.bytes;
  return {};
}

Status hipMemcpyToSymbol(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return copy_to_symbol(nullptr, CopyWait::Blocking, symbol, src, sizeBytes, offset, kind);
}

Status hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                              hipStream_t stream) {
  return copy_to_symbol(stream, CopyWait::Async, symbol, src, sizeBytes, offset, kind);
}

Status hipMemcpyFromSymbol(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return copy_from_symbol(nullptr, CopyWait::Blocking, dst, symbol, sizeBytes, offset, kind);
}

Status hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                hipStream_t stream) {
  return copy_from_symbol(stream, CopyWait::Async, dst, symbol, sizeBytes, offset, kind);
}

} // namespace hip::api
