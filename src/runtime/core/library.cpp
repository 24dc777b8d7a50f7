#include "runtime/core/library.h"

namespace hip::core {
namespace {
// Kernels of all libraries by address. Never destroyed, as the libraries.
RT_NO_DESTROY constinit FunctionIndex<LibraryKernel> library_kernels;
RT_NO_DESTROY constinit LibraryTable all_libraries;
} // namespace

LibraryTable& libraries() noexcept { return all_libraries; }

Result<std::unique_ptr<Library>> Library::load(Device& device, std::vector<std::byte> image) {
  std::unique_ptr<Library> library(new Library(std::move(image)));
  RT_TRY_ASSIGN(LoadedCode * code, library->binary_.on(device));
  for (std::string& name : code->function_names()) {
    library->kernels_.push_back(std::make_unique<LibraryKernel>(LibraryKernel{library.get(), std::move(name)}));
    LibraryKernel* const kernel = library->kernels_.back().get();
    library->binary_.add_function(kernel, kernel->name.c_str());
    library_kernels.insert(kernel, kernel);
  }
  return library;
}

Library::~Library() {
  for (const auto& kernel : kernels_) library_kernels.remove(kernel.get(), kernel.get());
}

Result<KernelPlace> find_library_kernel(const void* kernel) {
  const LibraryKernel* const found = library_kernels.find(kernel);
  if (!found)
    return error(ErrorCode::InvalidHandle, "{} is not a kernel of a library, or its library was unloaded.",
                 const_cast<void*>(kernel));
  return KernelPlace{found->library->handle(), found->name.c_str()};
}

} // namespace hip::core
