// runtime/core/library.h - hipLibrary_t: code that belongs to no device. Its kernels are known by addresses, as those
// of a registered fat binary are, and are loaded on a device when they are first used there. Thread safety: all
// functions may be called from any thread; a Library does not change once it is made.
#pragma once

#include "runtime/core/fat_binary.h"

namespace hip::core {

class Library;

// hipKernel_t is this object's address, which is its kernel's host address (fat_binary.h).
struct LibraryKernel {
  Library* library = nullptr;
  std::string name;
};

class Library {
public:
  // Keeps `image` and loads it on `device`, whose kernels are the library's. Errors: those of LoadedCode::load.
  static Result<std::unique_ptr<Library>> load(Device& device, std::vector<std::byte> image);
  ~Library();

  // In the order of the image.
  const std::vector<std::unique_ptr<LibraryKernel>>& kernels() const noexcept { return kernels_; }
  // Errors: NotFound; those of LoadedCode::load.
  Result<backend::Global> variable(Device& device, std::string_view name) {
    return binary_.find_variable(device, name);
  }
  Result<backend::Global> managed_variable(Device& device, std::string_view name) {
    return binary_.find_managed(device, name);
  }
  void set_handle(Handle handle) noexcept { handle_ = handle; }
  Handle handle() const noexcept { return handle_; }

private:
  explicit Library(std::vector<std::byte> image) : image_(std::move(image)), binary_(codeobject::Bytes(image_)) {}
  const std::vector<std::byte> image_;
  std::vector<std::unique_ptr<LibraryKernel>> kernels_;
  FatBinary binary_; // ends before the image and the kernels
  Handle handle_ = nullptr;
};

using LibraryTable = HandleTable<Library, HandleKind::Library>;
LibraryTable& libraries() noexcept;

// The handle of the library of a kernel, and the kernel's name, which lives as long as the library. Error:
// InvalidHandle.
struct KernelPlace {
  Handle library;
  const char* name;
};
Result<KernelPlace> find_library_kernel(const void* kernel);

} // namespace hip::core
