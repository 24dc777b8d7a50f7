// runtime/engine/interpret/memory/names.h - the instructions that load and store, and what of: for the tables of handlers and of the
// translator's library. X(name, element...), names without "global_", "flat_", "scratch_", "buffer_" or "ds_"; elements as in
// mem.h, operations as in atomic_ops.h.
#pragma once

#define MEMORY_LOADS(X)                                                                                                \
  X("load_ubyte", Elem<1>)                                                                                             \
  X("load_sbyte", Elem<1, Conv::Sign>)                                                                                 \
  X("load_ushort", Elem<2>)                                                                                            \
  X("load_sshort", Elem<2, Conv::Sign>)                                                                                \
  X("load_ubyte_d16", Elem<1, Conv::Low16>)                                                                            \
  X("load_ubyte_d16_hi", Elem<1, Conv::High16>)                                                                        \
  X("load_sbyte_d16", Elem<1, Conv::SignLow16>)                                                                        \
  X("load_sbyte_d16_hi", Elem<1, Conv::SignHigh16>)                                                                    \
  X("load_short_d16", Elem<2, Conv::Low16>)                                                                            \
  X("load_short_d16_hi", Elem<2, Conv::High16>)                                                                        \
  X("load_dword", Elem<4>)                                                                                             \
  X("load_dwordx2", Elem<8>)                                                                                           \
  X("load_dwordx3", Elem<12>)                                                                                          \
  X("load_dwordx4", Elem<16>)

#define MEMORY_STORES(X)                                                                                               \
  X("store_byte", StoreElem<1>)                                                                                        \
  X("store_byte_d16_hi", StoreElem<1, 16>)                                                                             \
  X("store_short", StoreElem<2>)                                                                                       \
  X("store_short_d16_hi", StoreElem<2, 16>)                                                                            \
  X("store_dword", StoreElem<4>)                                                                                       \
  X("store_dwordx2", StoreElem<8>)                                                                                     \
  X("store_dwordx3", StoreElem<12>)                                                                                    \
  X("store_dwordx4", StoreElem<16>)

#define LDS_LOADS(X)                                                                                                   \
  X("read_u8", Elem<1>)                                                                                                \
  X("read_i8", Elem<1, Conv::Sign>)                                                                                    \
  X("read_u16", Elem<2>)                                                                                               \
  X("read_i16", Elem<2, Conv::Sign>)                                                                                   \
  X("read_u8_d16", Elem<1, Conv::Low16>)                                                                               \
  X("read_u8_d16_hi", Elem<1, Conv::High16>)                                                                           \
  X("read_i8_d16", Elem<1, Conv::SignLow16>)                                                                           \
  X("read_i8_d16_hi", Elem<1, Conv::SignHigh16>)                                                                       \
  X("read_u16_d16", Elem<2, Conv::Low16>)                                                                              \
  X("read_u16_d16_hi", Elem<2, Conv::High16>)                                                                          \
  X("read_b32", Elem<4>)                                                                                               \
  X("read_b64", Elem<8>)                                                                                               \
  X("read_b96", Elem<12>)                                                                                              \
  X("read_b128", Elem<16>)

#define LDS_STORES(X)                                                                                                  \
  X("write_b8", StoreElem<1>)                                                                                          \
  X("write_b8_d16_hi", StoreElem<1, 16>)                                                                               \
  X("write_b16", StoreElem<2>)                                                                                         \
  X("write_b16_d16_hi", StoreElem<2, 16>)                                                                              \
  X("write_b32", StoreElem<4>)                                                                                         \
  X("write_b64", StoreElem<8>)                                                                                         \
  X("write_b96", StoreElem<12>)                                                                                        \
  X("write_b128", StoreElem<16>)

// Two elements, each at an offset of its own, which counts in units of `unit` bytes: X(name, element's name, unit, element).
#define LDS_LOADS_OF_TWO(X)                                                                                            \
  X("read2_b32", "read_b32", 4, Elem<4>)                                                                               \
  X("read2_b64", "read_b64", 8, Elem<8>)                                                                               \
  X("read2st64_b32", "read_b32", 4 * 64, Elem<4>)                                                                      \
  X("read2st64_b64", "read_b64", 8 * 64, Elem<8>)
#define LDS_STORES_OF_TWO(X)                                                                                           \
  X("write2_b32", "write_b32", 4, StoreElem<4>)                                                                        \
  X("write2_b64", "write_b64", 8, StoreElem<8>)                                                                        \
  X("write2st64_b32", "write_b32", 4 * 64, StoreElem<4>)                                                               \
  X("write2st64_b64", "write_b64", 8 * 64, StoreElem<8>)

// X(first part, second part, operation); with a result the name has "_rtn" between its parts.
#define LDS_ATOMICS(X)                                                                                                 \
  X("add", "u32", OpAdd<uint32_t>)                                                                                     \
  X("sub", "u32", OpSub<uint32_t>)                                                                                     \
  X("rsub", "u32", OpRsub<uint32_t>)                                                                                   \
  X("inc", "u32", OpInc<uint32_t>)                                                                                     \
  X("dec", "u32", OpDec<uint32_t>)                                                                                     \
  X("min", "i32", OpMin<int32_t>)                                                                                      \
  X("max", "i32", OpMax<int32_t>)                                                                                      \
  X("min", "u32", OpMin<uint32_t>)                                                                                     \
  X("max", "u32", OpMax<uint32_t>)                                                                                     \
  X("and", "b32", OpAnd<uint32_t>)                                                                                     \
  X("or", "b32", OpOr<uint32_t>)                                                                                       \
  X("xor", "b32", OpXor<uint32_t>)                                                                                     \
  X("add", "f32", OpFloatAdd<float>)                                                                                   \
  X("min", "f32", OpFloatMin<float>)                                                                                   \
  X("max", "f32", OpFloatMax<float>)                                                                                   \
  X("pk_add", "f16", OpPackedAddF16)                                                                                   \
  X("pk_add", "bf16", OpPackedAddBf16)                                                                                 \
  X("add", "u64", OpAdd<uint64_t>)                                                                                     \
  X("sub", "u64", OpSub<uint64_t>)                                                                                     \
  X("rsub", "u64", OpRsub<uint64_t>)                                                                                   \
  X("inc", "u64", OpInc<uint64_t>)                                                                                     \
  X("dec", "u64", OpDec<uint64_t>)                                                                                     \
  X("min", "i64", OpMin<int64_t>)                                                                                      \
  X("max", "i64", OpMax<int64_t>)                                                                                      \
  X("min", "u64", OpMin<uint64_t>)                                                                                     \
  X("max", "u64", OpMax<uint64_t>)                                                                                     \
  X("and", "b64", OpAnd<uint64_t>)                                                                                     \
  X("or", "b64", OpOr<uint64_t>)                                                                                       \
  X("xor", "b64", OpXor<uint64_t>)                                                                                     \
  X("add", "f64", OpFloatAdd<double>)                                                                                  \
  X("min", "f64", OpFloatMin<double>)                                                                                  \
  X("max", "f64", OpFloatMax<double>)
