// Libraries and their kernels. A kernel's handle is launched as the address of a kernel of the program is
// (hipLaunchKernel), on whatever device is current.
#include "runtime/core/library.h"

#include "runtime/api/api.h"

#include <algorithm>

namespace hip::api {
namespace {

Result<core::Pin<core::Library>> find_library(hipLibrary_t library) {
  auto pin = core::libraries().pin(library);
  if (!pin)
    return error(ErrorCode::InvalidHandle, "{} is not a library, or it was unloaded.", static_cast<void*>(library));
  return pin;
}

struct Options {
  hipJitOption* jit;
  void** jit_values;
  unsigned jit_count;
  hipLibraryOption* library;
  void** library_values;
  unsigned library_count;
};

// Options of the compiler have no effect on code objects, and the image is always copied; what is no option is refused.
Status check(const Options& o) {
  if ((o.jit_count != 0 && (!o.jit || !o.jit_values)) || (o.library_count != 0 && (!o.library || !o.library_values)))
    return error(ErrorCode::InvalidValue, "{} options are announced, but a list of them is null.",
                 o.jit_count + o.library_count);
  for (unsigned i = 0; i < o.library_count; ++i)
    if (o.library[i] != hipLibraryHostUniversalFunctionAndDataTable && o.library[i] != hipLibraryBinaryIsPreserved)
      return error(ErrorCode::InvalidValue, "{} is no option of a library.", static_cast<int>(o.library[i]));
  return {};
}

Status load(hipLibrary_t* library, std::vector<std::byte> image) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY_ASSIGN(auto made, core::Library::load(*device, std::move(image)));
  *library = as_handle<hipLibrary_t>(core::libraries().insert(std::move(made)));
  return {};
}

using FindVariable = Result<backend::Global> (core::Library::*)(core::Device&, std::string_view);

Status get_variable(void** address, size_t* bytes, hipLibrary_t library, const char* name, FindVariable find) {
  if (!address && !bytes) return error(ErrorCode::InvalidValue, "Both outputs are null.");
  if (*name == '\0') return error(ErrorCode::InvalidValue, "The name of the variable is empty.");
  RT_TRY_ASSIGN(auto pin, find_library(library));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(const backend::Global global, (*pin.*find)(*device, name));
  if (address) *address = global.address;
  if (bytes) *bytes = global.bytes;
  return {};
}

} // namespace

Status hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption* jitOptions, void** jitOptionsValues,
                          unsigned int numJitOptions, hipLibraryOption* libraryOptions, void** libraryOptionValues,
                          unsigned int numLibraryOptions) {
  *library = nullptr;
  RT_TRY(check({jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions}));
  RT_TRY_ASSIGN(const codeobject::Bytes bytes, core::image_extent(code));
  return load(library, {bytes.begin(), bytes.end()});
}

Status hipLibraryLoadFromFile(hipLibrary_t* library, const char* fileName, hipJitOption* jitOptions,
                              void** jitOptionsValues, unsigned int numJitOptions, hipLibraryOption* libraryOptions,
                              void** libraryOptionValues, unsigned int numLibraryOptions) {
  *library = nullptr;
  RT_TRY(check({jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions}));
  if (*fileName == '\0') return error(ErrorCode::InvalidValue, "The name of the library's file is empty.");
  RT_TRY_ASSIGN(std::vector<std::byte> bytes, core::read_module_file(fileName));
  return load(library, std::move(bytes));
}

Status hipLibraryUnload(hipLibrary_t library) {
  if (core::libraries().remove(library)) return {};
  return error(ErrorCode::InvalidHandle, "{} is not a library, or it was unloaded before.",
               static_cast<void*>(library));
}

Status hipLibraryGetKernel(hipKernel_t* pKernel, hipLibrary_t library, const char* name) {
  *pKernel = nullptr;
  RT_TRY_ASSIGN(auto pin, find_library(library));
  for (const auto& kernel : pin->kernels())
    if (kernel->name == name) {
      *pKernel = reinterpret_cast<hipKernel_t>(kernel.get());
      return {};
    }
  return error(ErrorCode::NotFound, "The library has no kernel \"{}\".", name);
}

Status hipLibraryGetKernelCount(unsigned int* count, hipLibrary_t library) {
  RT_TRY_ASSIGN(auto pin, find_library(library));
  *count = static_cast<unsigned>(pin->kernels().size());
  return {};
}

Status hipLibraryEnumerateKernels(hipKernel_t* kernels, unsigned int numKernels, hipLibrary_t library) {
  RT_TRY_ASSIGN(auto pin, find_library(library));
  const size_t count = std::min<size_t>(numKernels, pin->kernels().size());
  for (size_t i = 0; i < count; ++i) kernels[i] = reinterpret_cast<hipKernel_t>(pin->kernels()[i].get());
  return {};
}

Status hipLibraryGetGlobal(void** dptr, size_t* bytes, hipLibrary_t library, const char* name) {
  return get_variable(dptr, bytes, library, name, &core::Library::variable);
}

Status hipLibraryGetManaged(void** dptr, size_t* bytes, hipLibrary_t library, const char* name) {
  return get_variable(dptr, bytes, library, name, &core::Library::managed_variable);
}

Status hipKernelGetLibrary(hipLibrary_t* library, hipKernel_t kernel) {
  RT_TRY_ASSIGN(const core::KernelPlace place, core::find_library_kernel(kernel));
  *library = as_handle<hipLibrary_t>(place.library);
  return {};
}

Status hipKernelGetName(const char** name, hipKernel_t kernel) {
  RT_TRY_ASSIGN(const core::KernelPlace place, core::find_library_kernel(kernel));
  *name = place.name;
  return {};
}

} // namespace hip::api
