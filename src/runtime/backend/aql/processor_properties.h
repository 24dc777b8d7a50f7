// runtime/backend/aql/processor_properties.h - what devices of one processor have in common. Thread safety: keeps no
// state.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/codeobject/processor.h"

namespace hip::aql {

// Architecture limits that programs rely on, and a product's speed; name, target and what one device alone knows are
// left.
void describe_processor(const codeobject::Processor& processor, backend::DeviceProperties& properties) noexcept;

} // namespace hip::aql
