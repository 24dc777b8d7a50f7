// runtime/core/array.h - HIP's arrays and mipmapped arrays: images of a back end under checked handles, with the rules
// on their shapes. Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/external.h"
#include "runtime/core/device.h"

namespace hip::core {

// A plain array, or a level of a mipmapped one.
class Array {
public:
  Array(Device& device, Ref<backend::Image> image, bool is_level) noexcept
      : device_(device), image_(std::move(image)), is_level_(is_level) {}

  Device& device() const noexcept { return device_; }
  const Ref<backend::Image>& image() const noexcept { return image_; }
  const backend::ImageShape& shape() const noexcept { return image_->shape(); }
  bool is_level() const noexcept { return is_level_; }
  Handle handle() const noexcept { return handle_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }

private:
  Device& device_;
  const Ref<backend::Image> image_;
  const bool is_level_;
  Handle handle_ = nullptr;
};

class MipmappedArray {
public:
  MipmappedArray(Device& device, Ref<backend::Image> image)
      : device_(device), image_(std::move(image)), levels_(image_->shape().levels) {}
  ~MipmappedArray(); // ends the handles of its levels

  Device& device() const noexcept { return device_; }
  const Ref<backend::Image>& image() const noexcept { return image_; }
  Handle handle() const noexcept { return handle_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }
  // The array that is this level, the same one each time. Error: InvalidValue for a level that is not there.
  Result<Handle> level(unsigned level);

private:
  Device& device_;
  const Ref<backend::Image> image_;
  Handle handle_ = nullptr;
  std::mutex mutex_; // levels_
  std::vector<Handle> levels_;
};

// Error: NotSupported for a device without image instructions.
Result<backend::Images*> images_of(Device& device);

// Makes an array, mipmapped when the shape has levels. Errors: NotSupported; InvalidValue for a shape that HIP or the
// device does not have; OutOfMemory.
Result<Handle> create_array(Device& device, const backend::ImageShape& shape);
// The same, mipmapped, of memory that another interface made, from `offset` on.
Result<Handle> create_external_array(Device& device, backend::ExternalMemory& memory, uint64_t offset,
                                     const backend::ImageShape& shape);
// Finishes the device's work and ends the array. Errors: InvalidValue for null and for a level; ContextIsDestroyed for
// what is no array.
Status free_array(Handle handle);
Status free_mipmapped_array(Handle handle);

// Errors: NotSupported where the current device has no arrays, else InvalidHandle.
Result<Pin<Array>> find_array(Handle handle);
Result<Pin<MipmappedArray>> find_mipmapped_array(Handle handle);

// The end of all arrays of the device (hipDeviceReset). No work is outstanding.
void free_all_arrays(Device& device) noexcept;

} // namespace hip::core
