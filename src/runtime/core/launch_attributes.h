// runtime/core/launch_attributes.h - the values of launch attributes, of kernel nodes and of streams, which core keeps
// and, but for cooperative and priority, does not interpret. By hipLaunchAttributeID. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace hip::core {

inline constexpr size_t kLaunchAttributes = 11;
using LaunchAttributeValue = std::array<std::byte, 64>;
// The place of hipLaunchAttributeAccessPolicyWindow.
inline constexpr size_t kAccessWindowAttribute = 1;
using LaunchAttributes = std::array<std::optional<LaunchAttributeValue>, kLaunchAttributes>;

} // namespace hip::core
