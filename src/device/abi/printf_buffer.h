/* The buffer of buffered printf (-mprintf-kind=buffered), hidden_printf_buffer: a header, then records one after the
 * other. The kernel appends, the host reads when the kernel has ended. */
#ifndef HIP_DEVICE_ABI_PRINTF_BUFFER_H
#define HIP_DEVICE_ABI_PRINTF_BUFFER_H

#include <stddef.h>
#include <stdint.h>

typedef struct PrintfBufferHeader {
  uint32_t used_bytes; /* of the records */
  uint32_t capacity_bytes;
} PrintfBufferHeader;

/* Each record starts with a control word of the bits below. Then comes the text of its format with its NUL, padded to 8
 * bytes, or the 8 bytes of a constant format's number in the code object's metadata; then the arguments. */
enum {
  kPrintfRecordToStderr = 1,
  kPrintfRecordConstantFormat = 2,
  kPrintfRecordSizeShift = 2 /* the bits above: the record's size in bytes, the control word included */
};

#ifdef __cplusplus
static_assert(sizeof(PrintfBufferHeader) == 8 && offsetof(PrintfBufferHeader, capacity_bytes) == 4,
              "The layout is part of the ABI.");
#endif

#endif
