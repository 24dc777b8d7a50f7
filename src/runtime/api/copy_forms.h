// runtime/api/copy_forms.h - the copies and fills behind several API names each: the plain, Async, driver-style and
// per-thread forms differ only in stream and waiting.
#pragma once

#include "runtime/api/api.h"
#include "runtime/core/copy.h"

namespace hip::api {

using core::CopyWait;

Status copy_linear(hipStream_t stream, CopyWait wait, void* dst, const void* src, size_t bytes, hipMemcpyKind kind);
Status copy_to_symbol(hipStream_t stream, CopyWait wait, const void* symbol, const void* src, size_t bytes, size_t offset,
                      hipMemcpyKind kind);
Status copy_from_symbol(hipStream_t stream, CopyWait wait, void* dst, const void* symbol, size_t bytes, size_t offset,
                        hipMemcpyKind kind);
Status copy_2d(hipStream_t stream, CopyWait wait, void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
               size_t height, hipMemcpyKind kind);
Status copy_3d(hipStream_t stream, CopyWait wait, const hipMemcpy3DParms& p);
Status copy_to_array(hipStream_t stream, CopyWait wait, hipArray_t dst, size_t x, size_t y, const void* src, size_t spitch,
                     size_t width, size_t height, hipMemcpyKind kind);
Status copy_from_array(hipStream_t stream, CopyWait wait, void* dst, size_t dpitch, hipArray_const_t src, size_t x,
                       size_t y, size_t width, size_t height, hipMemcpyKind kind);
// Copies `count` bytes, continued in the next row where one ends.
Status copy_run_from_array(hipStream_t stream, CopyWait wait, void* dst, hipArray_const_t src, size_t x, size_t y,
                           size_t count, hipMemcpyKind kind);

Status fill_1d(hipStream_t stream, CopyWait wait, void* dst, uint32_t value, uint32_t element_bytes, size_t count);
// `width` is in elements.
Status fill_2d(hipStream_t stream, CopyWait wait, void* dst, size_t pitch, uint32_t value, uint32_t element_bytes,
               size_t width, size_t height);
Status fill_box(hipStream_t stream, CopyWait wait, const hipPitchedPtr& memory, int value, const hipExtent& extent);

} // namespace hip::api
