// Host memory of every kind that is registered: at any address and length, files, memory that may only be read or has
// gone meanwhile, ranges that meet or overlap, copies of parts of them, and what a forked child has of them.
#include "e2e.h"

#include <functional>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr size_t kPage = 4096;

__global__ void add_to_bytes(unsigned char* p, size_t count, int value) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    p[i] = static_cast<unsigned char>(p[i] + value);
}
__global__ void sum_bytes(const unsigned char* p, size_t count, unsigned* sum) {
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) atomicAdd(sum, p[i]);
}
__global__ void load_word(const uint64_t* p, uint64_t* out) { *out = *p; }
__global__ void wait_and_write(const int* go, unsigned char* p) {
  while (__hip_atomic_load(go, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) continue;
  *p = 77;
}

hipError_t add(unsigned char* p, size_t count, int value) {
  (void)hipGetLastError(); // of calls that were refused
  add_to_bytes<<<2, 64>>>(p, count, value);
  return e2e::finish();
}

// Pages of the process, filled with `fill`.
struct Pages {
  unsigned char* data;
  size_t bytes;
  explicit Pages(size_t pages, unsigned char fill = 0, int sharing = MAP_PRIVATE) : bytes(pages * kPage) {
    data = static_cast<unsigned char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0));
    std::memset(data, fill, bytes);
  }
  ~Pages() { munmap(data, bytes); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
};

// A file without a name, with the bytes 0, 1, 2, ...
struct File {
  int fd = memfd_create("registered", 0);
  explicit File(size_t bytes) {
    std::vector<unsigned char> content(bytes);
    for (size_t i = 0; i < bytes; ++i) content[i] = static_cast<unsigned char>(i);
    if (write(fd, content.data(), bytes) != static_cast<ssize_t>(bytes)) std::abort();
  }
  ~File() { close(fd); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  unsigned char* map(size_t bytes, int protection, int sharing) const {
    return static_cast<unsigned char*>(mmap(nullptr, bytes, protection, sharing, fd, 0));
  }
};

unsigned sum_of_file(size_t bytes) {
  unsigned sum = 0;
  for (size_t i = 0; i < bytes; ++i) sum += i & 255;
  return sum;
}

unsigned sum_by_kernel(const unsigned char* p, size_t count) {
  e2e::Device<unsigned> sum(1);
  sum_bytes<<<1, 64>>>(p, count, sum);
  HIP_OK(e2e::finish());
  return sum.download()[0];
}

// A fault ends an NVIDIA GPU, or a card that is used through HSA, for the process.
bool faults_are_final() {
  const char* backend = std::getenv("OMNIHIP_BACKEND");
  return e2e::on_nvidia() || (backend && std::string(backend) == "hsa");
}

void expect_fault(const char* text, hipError_t result) {
  if (result != hipErrorIllegalAddress) e2e::fail(__FILE__, __LINE__, std::string(text) + ": " + e2e::text_of(result));
  (void)hipGetLastError();
}

} // namespace

E2E_CASE(any_address_and_length) {
  Pages pages(4, 10);
  for (const size_t offset : {0ul, 1ul, 3ul, 63ul, 64ul, kPage - 1, kPage, kPage + 5})
    for (const size_t bytes : {1ul, 2ul, 7ul, 64ul, 129ul, kPage - 1, kPage, kPage + 1, 2 * kPage + 3}) {
      unsigned char* const p = pages.data + offset;
      HIP_OK(hipHostRegister(p, bytes, 0));
      void* on_device = nullptr;
      HIP_OK(hipHostGetDevicePointer(&on_device, p, 0));
      HIP_OK(add(static_cast<unsigned char*>(on_device), bytes, 5));
      for (size_t i = 0; i < pages.bytes; ++i)
        CHECK_AT(i, int(pages.data[i]), i >= offset && i < offset + bytes ? 15 : 10);
      HIP_OK(hipHostUnregister(p));
      std::memset(p, 10, bytes);
    }
}

E2E_CASE(ranges_that_meet) {
  Pages pages(1);
  const size_t cuts[] = {0, 1, 5, 64, 1003, kPage};
  for (int i = 0; i < 5; ++i) HIP_OK(hipHostRegister(pages.data + cuts[i], cuts[i + 1] - cuts[i], 0));
  HIP_OK(add(pages.data, kPage, 3));
  for (size_t i = 0; i < kPage; ++i) CHECK_AT(i, int(pages.data[i]), 3);
  // One load that lies in two of them, and one in three.
  const uint64_t word = 0x1122334455667788;
  e2e::Device<uint64_t> out(1);
  for (const size_t at : {size_t{0}, size_t{60}, size_t{1000}}) {
    if (e2e::on_nvidia() && at % sizeof word != 0) continue; // these fault there
    std::memcpy(pages.data + at, &word, sizeof word);
    load_word<<<1, 1>>>(reinterpret_cast<const uint64_t*>(pages.data + at), out);
    HIP_OK(e2e::finish());
    CHECK_EQ(out.download()[0], word);
  }
  // Without the one in the middle the others stay.
  HIP_OK(hipHostUnregister(pages.data + 5));
  HIP_OK(add(pages.data + 64, 1003 - 64, 1));
  HIP_OK(add(pages.data, 5, 1));
  HIP_OK(hipHostRegister(pages.data + 5, 59, 0));
  for (int i = 0; i < 5; ++i) HIP_OK(hipHostUnregister(pages.data + cuts[i]));
}

E2E_CASE(ranges_that_overlap) {
  Pages pages(4);
  unsigned char* const p = pages.data + kPage;
  HIP_OK(hipHostRegister(p, kPage, 0));
  const struct {
    ptrdiff_t from;
    size_t bytes;
  } overlapping[] = {{0, kPage},         {0, 1},
                     {0, 2 * kPage},     {-1, 2},
                     {-16, kPage + 32},  {100, 10},
                     {1, kPage - 1},     {kPage - 1, 1},
                     {kPage - 1, kPage}, {-ptrdiff_t(kPage), 3 * kPage}};
  for (const auto& o : overlapping)
    CHECK_EQ(hipHostRegister(p + o.from, o.bytes, 0), hipErrorHostMemoryAlreadyRegistered);
  HIP_OK(hipHostRegister(p - 16, 16, 0));
  HIP_OK(hipHostRegister(p + kPage, 1, 0));
  HIP_OK(add(p - 16, kPage + 17, 9)); // what was refused has changed nothing
  for (size_t i = 0; i < kPage + 17; ++i) CHECK_AT(i, int(p[ptrdiff_t(i) - 16]), 9);
  HIP_OK(hipHostUnregister(p - 16));
  HIP_OK(hipHostUnregister(p + kPage));
  for (const ptrdiff_t inner : {ptrdiff_t{1}, ptrdiff_t{64}, ptrdiff_t(kPage) - 1, ptrdiff_t(kPage), ptrdiff_t{-1}})
    CHECK_EQ(hipHostUnregister(p + inner), hipErrorHostMemoryNotRegistered);
  HIP_OK(hipHostUnregister(p));
  CHECK_EQ(hipHostUnregister(p), hipErrorHostMemoryNotRegistered);
  for (const auto& o : overlapping) { // and each of them by itself
    HIP_OK(hipHostRegister(p + o.from, o.bytes, 0));
    HIP_OK(hipHostUnregister(p + o.from));
  }
}

E2E_CASE(memory_that_HIP_has_given) {
  void *pinned = nullptr, *managed = nullptr, *device = nullptr;
  HIP_OK(hipHostMalloc(&pinned, 256, 0));
  HIP_OK(hipMallocManaged(&managed, 256, hipMemAttachGlobal));
  HIP_OK(hipMalloc(&device, 256));
  for (void* const p : {pinned, managed}) {
    CHECK_EQ(hipHostRegister(p, 256, 0), hipErrorHostMemoryAlreadyRegistered);
    CHECK_EQ(hipHostRegister(static_cast<char*>(p) + 16, 8, 0), hipErrorHostMemoryAlreadyRegistered);
  }
  const hipError_t result = hipHostRegister(device, 256, 0);
  CHECK(result == hipErrorHostMemoryAlreadyRegistered || result == hipErrorInvalidValue);
  for (void* const p : {pinned, managed, device}) CHECK_EQ(hipHostUnregister(p), hipErrorHostMemoryNotRegistered);
  HIP_OK(hipMemset(device, 1, 256));
  HIP_OK(hipMemset(managed, 1, 256));
  HIP_OK(hipMemset(pinned, 1, 256));
  HIP_OK(hipFree(device));
  HIP_OK(hipFree(managed));
  HIP_OK(hipHostFree(pinned));
}

E2E_CASE(copies_of_parts) {
  Pages pages(3, 1);
  unsigned char* const p = pages.data + kPage;
  HIP_OK(hipHostRegister(p, kPage, 0));
  e2e::Device<unsigned char> device(3 * kPage);
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  // Inside, at any offset.
  HIP_OK(hipMemset(device, 2, 3 * kPage));
  HIP_OK(hipMemcpy(p + 7, device, 100, hipMemcpyDeviceToHost));
  HIP_OK(hipMemcpyAsync(p + 1000, device, kPage - 1000, hipMemcpyDeviceToHost, stream));
  HIP_OK(hipStreamSynchronize(stream));
  for (size_t i = 0; i < kPage; ++i) CHECK_AT(i, int(p[i]), i >= 1000 || (i >= 7 && i < 107) ? 2 : 1);
  CHECK_EQ(int(p[kPage]), 1);
  HIP_OK(hipMemset(p + 5, 8, 17)); // as every memory of HIP
  CHECK_EQ(int(p[4]) * 10000 + p[5] * 100 + p[21], 1 * 10000 + 8 * 100 + 8);
  // Behind its end lies memory that the process has, and that is not registered.
  CHECK_EQ(hipMemcpy(p, device, kPage + 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(device, p + 1, kPage, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAsync(device, p + kPage - 1, 2, hipMemcpyHostToDevice, stream), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(p + 1, 0, kPage), hipErrorInvalidValue);
  (void)hipGetLastError();
  // What begins before it is pageable memory.
  HIP_OK(hipMemset(device, 4, 3 * kPage));
  HIP_OK(hipMemcpy(pages.data, device, 3 * kPage, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < pages.bytes; ++i) CHECK_AT(i, int(pages.data[i]), 4);
  HIP_OK(hipStreamDestroy(stream));
  HIP_OK(hipHostUnregister(p));
}

E2E_CASE(attributes_and_flags) {
  Pages pages(1);
  for (const unsigned flags : {0u, unsigned(hipHostRegisterPortable), unsigned(hipHostRegisterMapped),
                               unsigned(hipHostRegisterPortable | hipHostRegisterMapped)}) {
    HIP_OK(hipHostRegister(pages.data, 100, flags));
    hipPointerAttribute_t attributes{};
    HIP_OK(hipPointerGetAttributes(&attributes, pages.data + 99));
    CHECK_EQ(attributes.type, hipMemoryTypeHost);
    CHECK(attributes.hostPointer == pages.data + 99);
    HIP_OK(hipHostUnregister(pages.data));
    HIP_OK(hipPointerGetAttributes(&attributes, pages.data));
    CHECK_EQ(attributes.type, hipMemoryTypeUnregistered);
  }
  for (const unsigned unknown : {0x10u, 0x40u, 0x100u, 0x40000000u})
    CHECK_EQ(hipHostRegister(pages.data, 100, unknown), hipErrorInvalidValue);
  CHECK_EQ(hipHostUnregister(pages.data), hipErrorHostMemoryNotRegistered);
}

E2E_CASE(files) {
  const size_t bytes = 2 * kPage + 100;
  const File file(bytes);
  // A shared mapping: what a kernel writes is in the file.
  unsigned char* const shared = file.map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
  HIP_OK(hipHostRegister(shared, bytes, 0));
  CHECK_EQ(sum_by_kernel(shared, bytes), sum_of_file(bytes));
  HIP_OK(add(shared + 50, 10, 1));
  unsigned char got[12];
  CHECK_EQ(pread(file.fd, got, sizeof got, 49), ssize_t(sizeof got));
  for (int i = 0; i < 12; ++i) CHECK_AT(i, int(got[i]), 49 + i + (i >= 1 && i <= 10 ? 1 : 0));
  HIP_OK(add(shared + 50, 10, -1));
  HIP_OK(hipHostUnregister(shared));
  munmap(shared, bytes);
  // A private one: the file stays as it is.
  unsigned char* const own = file.map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  HIP_OK(hipHostRegister(own, bytes, 0));
  HIP_OK(add(own, bytes, 7));
  CHECK_EQ(int(own[3]), 10);
  CHECK_EQ(pread(file.fd, got, 4, 0), 4);
  CHECK_EQ(int(got[3]), 3);
  HIP_OK(hipHostUnregister(own));
  munmap(own, bytes);
}

E2E_CASE(memory_that_may_only_be_read) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "drivers register it for some GPUs only");
  const size_t bytes = 2 * kPage;
  const File file(bytes);
  for (const unsigned flags : {0u, unsigned(hipHostRegisterReadOnly)}) {
    unsigned char* const p = file.map(bytes, PROT_READ, flags == 0 ? MAP_SHARED : MAP_PRIVATE);
    HIP_OK(hipHostRegister(p, bytes, flags));
    CHECK_EQ(sum_by_kernel(p, bytes), sum_of_file(bytes));
    e2e::Device<unsigned char> device(bytes);
    HIP_OK(hipMemcpy(device, p, bytes, hipMemcpyHostToDevice));
    CHECK_EQ(int(device.download()[kPage + 9]), 9);
    if (!faults_are_final()) {
      expect_fault("a kernel's write", add(p, 64, 1));
      CHECK_EQ(sum_by_kernel(p, bytes), sum_of_file(bytes)); // the device goes on
    }
    HIP_OK(hipHostUnregister(p));
    munmap(p, bytes);
  }
}

E2E_CASE(memory_that_has_gone) {
  E2E_LEAVE_OUT_IF(faults_are_final(), "a fault ends this device for the process");
  // Unmapped while it is registered: a kernel faults, and the range can be given up and registered again. The kernel is
  // loaded before, so that no memory of the runtime takes the place of what has gone.
  HIP_OK(add(nullptr, 0, 1));
  auto* p =
      static_cast<unsigned char*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  HIP_OK(hipHostRegister(p, 2 * kPage, 0));
  munmap(p + kPage, kPage);
  expect_fault("unmapped memory", add(p, 2 * kPage, 1));
  HIP_OK(add(p, kPage, 1));
  HIP_OK(hipHostUnregister(p));
  CHECK_EQ(hipHostRegister(p, 2 * kPage, 0), hipErrorInvalidValue);
  // Without any access.
  mprotect(p, kPage, PROT_NONE);
  if (hipHostRegister(p, kPage, 0) == hipSuccess) {
    expect_fault("memory without access", add(p, 1, 1));
    HIP_OK(hipHostUnregister(p));
  }
  munmap(p, kPage);
  // A file that has become shorter than its mapping.
  const File file(2 * kPage);
  unsigned char* const mapped = file.map(2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED);
  HIP_OK(hipHostRegister(mapped, 2 * kPage, 0));
  CHECK_EQ(ftruncate(file.fd, kPage), 0);
  expect_fault("behind the file's end", add(mapped + kPage, 8, 1));
  HIP_OK(add(mapped, 8, 1));
  HIP_OK(hipHostUnregister(mapped));
  munmap(mapped, 2 * kPage);
}

E2E_CASE(behind_the_end) {
  E2E_LEAVE_OUT_IF(faults_are_final(), "a fault ends this device for the process; and cards see whole pages");
  Pages pages(2);
  HIP_OK(hipHostRegister(pages.data, kPage, 0));
  expect_fault("one byte behind", add(pages.data, kPage + 1, 1));
  HIP_OK(hipHostUnregister(pages.data));
  expect_fault("after unregistering", add(pages.data, 1, 1));
}

E2E_CASE(unregistering_waits_for_kernels) {
  int* go = nullptr;
  HIP_OK(hipHostMalloc(&go, sizeof *go, 0));
  *go = 0;
  Pages pages(1);
  HIP_OK(hipHostRegister(pages.data, kPage, 0));
  hipStream_t stream;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  wait_and_write<<<1, 1, 0, stream>>>(go, pages.data + 5);
  HIP_OK(hipGetLastError());
  std::thread later([&] {
    usleep(30000);
    __atomic_store_n(go, 1, __ATOMIC_RELEASE);
  });
  HIP_OK(hipHostUnregister(pages.data));
  CHECK_EQ(int(pages.data[5]), 77);
  later.join();
  HIP_OK(hipStreamSynchronize(stream));
  HIP_OK(hipStreamDestroy(stream));
  HIP_OK(hipHostFree(go));
}

E2E_CASE(many_threads) {
  constexpr int kThreads = 4, kRounds = 50;
  Pages pages(kThreads);
  int wrong[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      hipStream_t stream;
      if (hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) != hipSuccess) ++wrong[t];
      unsigned char* const p = pages.data + size_t(t) * kPage;
      for (int i = 0; i < kRounds; ++i) {
        if (hipHostRegister(p, kPage, 0) != hipSuccess) ++wrong[t];
        add_to_bytes<<<1, 64, 0, stream>>>(p, kPage, 1);
        if (hipGetLastError() != hipSuccess || hipStreamSynchronize(stream) != hipSuccess) ++wrong[t];
        if (hipHostUnregister(p) != hipSuccess) ++wrong[t];
      }
      if (hipStreamDestroy(stream) != hipSuccess) ++wrong[t];
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < kThreads; ++t) CHECK_AT(t, wrong[t], 0);
  for (size_t i = 0; i < pages.bytes; ++i) CHECK_AT(i, int(pages.data[i]), kRounds);
  // All of them register one range: one at a time has it.
  std::vector<std::thread> rivals;
  int got[kThreads] = {}, refused[kThreads] = {};
  for (int t = 0; t < kThreads; ++t)
    rivals.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        const hipError_t result = hipHostRegister(pages.data, kPage, 0);
        if (result == hipErrorHostMemoryAlreadyRegistered) ++refused[t];
        if (result == hipSuccess && hipHostUnregister(pages.data) == hipSuccess) ++got[t];
      }
    });
  for (std::thread& thread : rivals) thread.join();
  for (int t = 0; t < kThreads; ++t) CHECK_AT(t, got[t] + refused[t], kRounds);
  CHECK_EQ(hipHostUnregister(pages.data), hipErrorHostMemoryNotRegistered);
}

E2E_CASE(after_reset) {
  Pages pages(1);
  HIP_OK(hipHostRegister(pages.data, kPage, 0));
  HIP_OK(hipDeviceReset());
  CHECK_EQ(hipHostUnregister(pages.data), hipErrorHostMemoryNotRegistered);
  HIP_OK(hipHostRegister(pages.data, kPage, 0));
  HIP_OK(add(pages.data, kPage, 2));
  CHECK_EQ(int(pages.data[kPage - 1]), 2);
  HIP_OK(hipHostUnregister(pages.data));
}

// The parent's memory stays the parent's: its kernels write there and not in the child's copy; of shared memory both
// see everything. The child has no GPU, and its calls say so.
E2E_CASE(a_forked_child) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "NVIDIA's driver has rules of its own for fork");
  Pages own(1, 1), shared(1, 1, MAP_SHARED);
  HIP_OK(hipHostRegister(own.data, kPage, 0));
  HIP_OK(hipHostRegister(shared.data, kPage, 0));
  int to_child[2], to_parent[2];
  CHECK_EQ(pipe(to_child) + pipe(to_parent), 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    char c = 0;
    own.data[10] = 99; // its own copy
    shared.data[11] = 50;
    int wrong = write(to_parent[1], &c, 1) == 1 && read(to_child[0], &c, 1) == 1 ? 0 : 1;
    if (own.data[0] != 1 || own.data[10] != 99) wrong |= 2;
    if (shared.data[0] != 6 || shared.data[11] != 55) wrong |= 4;
    if (hipHostRegister(&c, 1, 0) == hipSuccess) wrong |= 8;
    if (hipHostUnregister(own.data) == hipSuccess) wrong |= 16;
    _exit(wrong);
  }
  char c = 0;
  CHECK_EQ(read(to_parent[0], &c, 1), ssize_t{1});
  HIP_OK(add(own.data, kPage, 5));
  HIP_OK(add(shared.data, kPage, 5));
  CHECK_EQ(write(to_child[1], &c, 1), ssize_t{1});
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  CHECK_EQ(int(own.data[0]) * 100 + own.data[10], 606); // the child's write is not here
  CHECK_EQ(int(shared.data[11]), 55);
  HIP_OK(hipHostUnregister(own.data));
  HIP_OK(hipHostUnregister(shared.data));
  for (const int fd : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) close(fd);
}
