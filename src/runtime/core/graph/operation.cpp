#include "runtime/core/graph/operation.h"

#include <algorithm>
#include <cstring>

namespace hip::core {

KernelArguments::KernelArguments(const backend::Kernel& kernel, void* const* pointers,
                                 std::span<const std::byte> packed)
    : form_(packed.data() ? Form::Packed : Form::Pointers), block_(kernel.explicit_bytes) {
  for (const backend::KernelArgument& argument : kernel.arguments) offsets_.push_back(argument.offset);
  if (packed.data()) {
    std::memcpy(block_.data(), packed.data(), std::min(block_.size(), packed.size()));
    return;
  }
  for (size_t i = 0; i < kernel.arguments.size(); ++i)
    std::memcpy(block_.data() + kernel.arguments[i].offset, pointers[i], kernel.arguments[i].bytes);
}

KernelArguments& KernelArguments::operator=(KernelArguments o) noexcept {
  form_ = o.form_;
  block_ = std::move(o.block_);
  offsets_ = std::move(o.offsets_);
  pointers_.clear();
  return *this;
}

void** KernelArguments::pointers() {
  if (offsets_.empty()) return nullptr;
  pointers_.clear();
  for (const uint32_t offset : offsets_) pointers_.push_back(block_.data() + offset);
  return pointers_.data();
}

void** KernelArguments::packed_list(void* pointer_key, void* size_key, void* end_key) {
  size_ = block_.size();
  pointers_ = {pointer_key, block_.data(), size_key, &size_, end_key};
  return pointers_.data();
}

} // namespace hip::core
