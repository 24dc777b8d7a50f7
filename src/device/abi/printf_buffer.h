/* The buffer of buffered printf (-mprintf-kind=buffered), hidden_printf_buffer: a header, then records one after the
 * other. The kernel appends, the host reads when the kernel has ended. */
#ifndef HIP_DEVICE_ABI_PRINTF_BUFFER_H
#define HIP_DEVICE_ABI_PRINTF_BUFFER_H

#include <stdint.h>

typedef struct PrintfBufferHeader {
  uint32_t used_bytes; /* of the records */
  uint32_t capacity_bytes;
} PrintfBufferHeader;

/* Each record starts with one word: bit 0 stderr, bit 1 the format is a number into the code object's metadata (else
 * its text follows), bits 2 to 31 the record's size in bytes, this word included. */

#endif
