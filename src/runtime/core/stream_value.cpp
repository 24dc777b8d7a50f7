#include "runtime/core/stream_value.h"

#include "runtime/core/address_map.h"
#include "runtime/core/device.h"
#include "runtime/core/graph/capture.h"

namespace hip::core {
namespace {

Status check_word(const void* address, uint32_t bytes, backend::PoolAccess access) {
  if (!address) return error(ErrorCode::InvalidValue, "The address of the {}-byte word is null.", bytes);
  if (reinterpret_cast<uintptr_t>(address) % bytes != 0)
    return error(ErrorCode::InvalidValue, "{} is not aligned to the word of {} bytes.", const_cast<void*>(address),
                 bytes);
  const auto found = addresses().find(address);
  if (!found || found->bytes_from(address) < bytes)
    return error(ErrorCode::InvalidValue, "{} is not in memory that HIP knows; allocate or register it.",
                 const_cast<void*>(address));
  // Memory of hipMemMap has an access of its own, by which its pages fault for the host's threads, too.
  if (found->is_mapped() && found->access < access)
    return error(ErrorCode::InvalidValue, "The word at {} is in mapped memory that may not be {}.",
                 const_cast<void*>(address), access == backend::PoolAccess::Read ? "read" : "written");
  return {};
}

Status check_operation(const ValueOperation& operation) {
  if (const auto* const write = std::get_if<ValueWrite>(&operation))
    return check_word(write->address, write->bytes, backend::PoolAccess::ReadWrite);
  const auto& wait = std::get<backend::ValueWait>(operation);
  return check_word(wait.address, wait.bytes, backend::PoolAccess::Read);
}

} // namespace

Status check_values(const Device& device, std::span<const ValueOperation> operations) {
  if (!device.properties().stream_values)
    return error(ErrorCode::NotSupported, "Device {} does not write or wait for values in stream order.",
                 device.ordinal());
  for (const ValueOperation& operation : operations) RT_TRY(check_operation(operation));
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
