#include "runtime/backend/cuda/virtual_memory.h"

#include "runtime/base/own.h"

#include <cstring>

namespace hip::cuda {

namespace {

constexpr size_t kUnknownBytes = 0; // the driver does not tell the size of imported memory

class Physical final : public backend::PhysicalMemory {
public:
  Physical(Device& device, CUmemGenericAllocationHandle handle, size_t bytes, backend::Compression compression) noexcept
      : PhysicalMemory(bytes, compression), device_(device), handle_(handle) {}
  ~Physical() override {
    Context& context = device_.context();
    if (context.enter().ok()) static_cast<void>(context.driver().cuMemRelease(handle_));
  }
  Result<int> export_descriptor() override {
    Context& context = device_.context();
    RT_TRY(context.enter());
    int descriptor = -1;
    RT_TRY(context.check(context.driver().cuMemExportToShareableHandle(&descriptor, handle_, kHandlePosixDescriptor, 0),
                         "cuMemExportToShareableHandle"));
    return descriptor;
  }
  CUmemGenericAllocationHandle handle() const noexcept { return handle_; }

private:
  Device& device_;
  const CUmemGenericAllocationHandle handle_;
};

class VirtualMemory final : public backend::VirtualMemory {
public:
  explicit VirtualMemory(Device& device) noexcept : device_(device) {}

  Result<size_t> granularity_bytes(backend::Granularity kind) override {
    RT_TRY(context().enter());
    const CUmemAllocationProp properties = properties_of({});
    size_t bytes = 0;
    const int option = kind == backend::Granularity::Recommended ? 1 : 0;
    RT_TRY(check(driver().cuMemGetAllocationGranularity(&bytes, &properties, option), "cuMemGetAllocationGranularity"));
    return bytes;
  }

  Result<void*> reserve(size_t bytes, size_t alignment, void* wish) override {
    RT_TRY(context().enter());
    CUdeviceptr address = 0;
    RT_TRY(check(driver().cuMemAddressReserve(&address, bytes, alignment, to_cuda(wish), 0), "cuMemAddressReserve"));
    return from_cuda(address);
  }
  Status release(void* base, size_t bytes) override {
    RT_TRY(context().enter());
    return check(driver().cuMemAddressFree(to_cuda(base), bytes), "cuMemAddressFree");
  }

  Result<Ref<backend::PhysicalMemory>> create(size_t bytes, const backend::PhysicalOptions& options) override {
    RT_TRY(device_.check_size(bytes));
    RT_TRY(context().enter());
    const CUmemAllocationProp properties = properties_of(options);
    CUmemGenericAllocationHandle handle = 0;
    RT_TRY(check(driver().cuMemCreate(&handle, bytes, &properties, 0), "cuMemCreate"));
    // The driver gives memory that is not compressed where it has no other. Without an answer it counts as that.
    CUmemAllocationProp given{};
    const bool compressed = options.compression == backend::Compression::Generic &&
                            driver().cuMemGetAllocationPropertiesFromHandle(&given, handle) == kSuccess &&
                            given.allocFlags.compressionType == kCompressionGeneric;
    return owned(handle, bytes, compressed ? backend::Compression::Generic : backend::Compression::None);
  }
  Result<Ref<backend::PhysicalMemory>> import(int descriptor) override {
    RT_TRY(context().enter());
    CUmemGenericAllocationHandle handle = 0;
    void* const as_pointer = reinterpret_cast<void*>(static_cast<uintptr_t>(descriptor));
    const CUresult result = driver().cuMemImportFromShareableHandle(&handle, as_pointer, kHandlePosixDescriptor);
    if (result == kErrorUnknown) // what the driver says of descriptors of other things
      return error(ErrorCode::InvalidValue, "The descriptor {} is of no memory that was exported.", descriptor);
    RT_TRY(check(result, "cuMemImportFromShareableHandle"));
    return owned(handle, kUnknownBytes, backend::Compression::None);
  }

  Status map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) override {
    RT_TRY(context().enter());
    const CUmemGenericAllocationHandle handle = static_cast<const Physical&>(*memory).handle();
    return check(driver().cuMemMap(to_cuda(address), bytes, offset, handle, 0), "cuMemMap");
  }
  Status unmap(void* address, size_t bytes) override {
    RT_TRY(context().enter());
    return check(driver().cuMemUnmap(to_cuda(address), bytes), "cuMemUnmap");
  }
  Status set_access(void* address, size_t bytes, backend::Device& device, backend::PoolAccess access) override {
    RT_TRY(context().enter());
    const CUmemAccessDesc description{{kLocationDevice, static_cast<Device&>(device).handle()},
                                      static_cast<int>(access)};
    return check(driver().cuMemSetAccess(to_cuda(address), bytes, &description, 1), "cuMemSetAccess");
  }

  Result<backend::SharedMemoryHandle> share(void* base) override {
    RT_TRY(context().enter());
    CUipcMemHandle handle{};
    RT_TRY(check(driver().cuIpcGetMemHandle(&handle, to_cuda(base)), "cuIpcGetMemHandle"));
    backend::SharedMemoryHandle result;
    static_assert(sizeof handle == sizeof result);
    std::memcpy(result.data(), &handle, sizeof handle);
    return result;
  }
  Result<void*> open(const backend::SharedMemoryHandle& handle, size_t& bytes) override {
    RT_TRY(context().enter());
    CUipcMemHandle copy;
    std::memcpy(&copy, handle.data(), sizeof copy);
    CUdeviceptr address = 0, base = 0;
    RT_TRY(check(driver().cuIpcOpenMemHandle(&address, copy, kIpcLazyPeerAccess), "cuIpcOpenMemHandle"));
    RT_TRY(check(driver().cuMemGetAddressRange(&base, &bytes, address), "cuMemGetAddressRange"));
    bytes -= address - base;
    return from_cuda(address);
  }
  Status close(void* base) override {
    RT_TRY(context().enter());
    return check(driver().cuIpcCloseMemHandle(to_cuda(base)), "cuIpcCloseMemHandle");
  }

private:
  Ref<backend::PhysicalMemory> owned(CUmemGenericAllocationHandle handle, size_t bytes,
                                     backend::Compression compression) {
    return own([&] { return Ref<backend::PhysicalMemory>(make_ref<Physical>(device_, handle, bytes, compression)); },
               [&] { return driver().cuMemRelease(handle); });
  }
  Context& context() noexcept { return device_.context(); }
  const Driver& driver() noexcept { return context().driver(); }
  Status check(CUresult result, const char* call) { return context().check(result, call); }
  CUmemAllocationProp properties_of(const backend::PhysicalOptions& options) const noexcept {
    CUmemAllocationProp properties{};
    properties.type = kAllocationPinned;
    properties.requestedHandleTypes = options.exportable ? kHandlePosixDescriptor : kHandleNone;
    properties.location = {kLocationDevice, device_.handle()};
    properties.allocFlags.compressionType =
        options.compression == backend::Compression::Generic ? kCompressionGeneric : kCompressionNone;
    return properties;
  }

  Device& device_;
};

} // namespace

std::unique_ptr<backend::VirtualMemory> make_virtual_memory(Device& device) {
  return std::make_unique<VirtualMemory>(device);
}

} // namespace hip::cuda
