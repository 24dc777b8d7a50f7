#include "runtime/core/stream_value.h"

#include "runtime/core/address_map.h"
#include "runtime/core/device.h"
#include "runtime/core/graph/capture.h"

namespace hip::core {
namespace {

Status check_word(const void* address, uint32_t bytes) {
  if (!address) return error(ErrorCode::InvalidValue, "The address of the {}-byte word is null.", bytes);
  if (reinterpret_cast<uintptr_t>(address) % bytes != 0)
    return error(ErrorCode::InvalidValue, "{} is not aligned to the word of {} bytes.", const_cast<void*>(address),
                 bytes);
  const auto found = addresses().find(address);
  if (!found || found->bytes_from(address) < bytes)
    return error(ErrorCode::InvalidValue, "{} is not in memory that HIP knows; allocate or register it.",
                 const_cast<void*>(address));
  return {};
}

} // namespace

Status check_values(const Device& device, std::span<const ValueOperation> operations) {
  if (!device.properties().stream_values)
    return error(ErrorCode::NotSupported, "Device {} does not write or wait for values in stream order.",
                 device.ordinal());
  for (const ValueOperation& operation : operations)
    RT_TRY(std::visit([](const auto& o) { return check_word(o.address, o.bytes); }, operation));
  return {};
}

Status submit_values(backend::Queue& queue, std::span<const ValueOperation> operations) {
  for (const ValueOperation& operation : operations) {
    if (const auto* const write = std::get_if<ValueWrite>(&operation))
      RT_TRY(queue.write_value(write->address, write->value, write->bytes));
    else
      RT_TRY(queue.wait_value(std::get<backend::ValueWait>(operation)));
  }
  return {};
}

Status submit_values(Stream& stream, std::span<const ValueOperation> operations) {
  RT_TRY(check_values(stream.device(), operations));
  if (stream.captures()) [[unlikely]] {
    if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
    return capture_operation(stream, BatchOperation{{operations.begin(), operations.end()}, {}});
  }
  return stream.submit([&](backend::Queue& queue) { return submit_values(queue, operations); });
}

} // namespace hip::core
