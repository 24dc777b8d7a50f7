// runtime/backend/cuda/virtual_memory.h - VirtualMemory through the driver.
#pragma once

#include "runtime/backend/cuda/device.h"

namespace hip::cuda {

std::unique_ptr<backend::VirtualMemory> make_virtual_memory(Device& device);

} // namespace hip::cuda
