// runtime/engine/translate/library/lanes.cpp - what crosses lanes and is no shuffle that the translator knows beforehand.
// Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/exec/crossbar.h"
#include "runtime/engine/translate/library/entries.h"

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

U32x16 bpermute(U32x16 addresses, U32x16 a, U32x16 b, U32x16 c, U32x16 d) { return bpermute_strip(addresses, {a, b, c, d}); }

} // namespace

extern "C" __attribute__((used)) const library::LanesEntry OMNIHIP_LEVEL_TABLE(omnihip_lanes)[] = {
    {"ds_bpermute_b32", reinterpret_cast<const void*>(&bpermute)},
};

} // namespace hip::engine::OMNIHIP_LEVEL
