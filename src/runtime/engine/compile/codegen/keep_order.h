// runtime/engine/compile/codegen/keep_order.h - LLVM's machine scheduler orders a block's instructions anew before they
// get registers: it hides latencies, which hosts do themselves, and lowers the number of values that live at once, step
// by step. In long blocks of vectors, which the IR has in a good order (order_chains.h), it often ends with more of
// them than there were. There the order that the instructions had is put back.
#pragma once

namespace hip::engine::compile {

// Once per process, before code is generated. Of LLVM's options there is one set for all (the translator has an LLVM of
// its own).
void keep_order_under_pressure();

} // namespace hip::engine::compile
