// runtime/api/device_properties.h - hipDeviceProp_t from what the back end says of a device, and single attributes from
// hip/api/attributes.def.
#pragma once

#include "runtime/api/api.h"

namespace hip::api {

hipDeviceProp_tR0600 device_properties(const core::Device& device);
// The older structure of programs built before HIP 6.
hipDeviceProp_tR0000 older_properties(const hipDeviceProp_tR0600& p);
// Error: InvalidValue for a number that is no attribute.
Status get_device_attribute(int* value, const core::Device& device, hipDeviceAttribute_t attribute);

} // namespace hip::api
