// Memory from the device's own heap: malloc, free, new and delete in kernels.
#include "e2e.h"

namespace {

struct Node {
  int value;
  Node* next;
};

__global__ void lists(int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k <= i % 20; ++k) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (!node) {
      sums[i] = -1;
      return;
    }
    *node = {k + i, head};
    head = node;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
    Node* next = head->next;
    free(head);
    head = next;
  }
  sums[i] = sum;
}

// Allocated by one kernel, used by the next, freed by a third.
__global__ void make(int** pointers, int n) {
  int* p = static_cast<int*>(malloc(n * sizeof(int)));
  for (int k = 0; p && k < n; ++k) p[k] = k * static_cast<int>(threadIdx.x);
  pointers[threadIdx.x] = p;
}
__global__ void use(int** pointers, int n, int* sums) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += pointers[threadIdx.x][k];
  sums[threadIdx.x] = sum;
}
__global__ void drop(int** pointers) { free(pointers[threadIdx.x]); }

__global__ void ask(const size_t* sizes, void** pointers) { pointers[threadIdx.x] = malloc(sizes[threadIdx.x]); }

struct Counted {
  int* alive;
  int tag;
  __device__ Counted(int* alive, int tag) : alive(alive), tag(tag) { atomicAdd(alive, 1); }
  __device__ ~Counted() { atomicAdd(alive, -1); }
};
__global__ void new_and_delete(int* alive, int* out) {
  Counted* object = new Counted(alive, threadIdx.x * 2);
  int* array = new int[10];
  for (int k = 0; k < 10; ++k) array[k] = object->tag + k;
  int sum = 0;
  for (int k = 0; k < 10; ++k) sum += array[k];
  out[threadIdx.x] = sum;
  delete[] array;
  delete object;
}

} // namespace

E2E_CASE(lists_of_nodes) {
  e2e::Device<int> sums(256);
  for (int round = 0; round < 3; ++round) {
    lists<<<2, 128>>>(sums);
    RUN_OK();
    const auto got = sums.download();
    for (int i = 0; i < 256; ++i) {
      int wanted = 0;
      for (int k = 0; k <= i % 20; ++k) wanted += k + i;
      CHECK_AT(i, got[i], wanted);
    }
  }
}

E2E_CASE(memory_outlives_its_kernel) {
  for (const int n : {1, 100, 5000}) {
    e2e::Device<int*> pointers(64);
    e2e::Device<int> sums(64);
    make<<<1, 64>>>(pointers, n);
    use<<<1, 64>>>(pointers, n, sums);
    drop<<<1, 64>>>(pointers);
    RUN_OK();
    const auto got = sums.download();
    for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], n * (n - 1) / 2 * i);
  }
}

// With what the heap keeps beside a block, the greatest of these sizes are more than 64 bits hold.
E2E_CASE(more_memory_than_there_is) {
  std::vector<size_t> sizes;
  if (!e2e::on_nvidia()) // whose driver's malloc takes such sizes for small ones
    for (size_t less = 1; less <= 40; ++less) sizes.push_back(size_t(0) - less);
  for (int bit = 63; bit >= 50; --bit) sizes.push_back(size_t(1) << bit);
  e2e::Device<size_t> device_sizes(sizes);
  e2e::Device<void*> pointers(sizes.size());
  ask<<<1, static_cast<unsigned>(sizes.size())>>>(device_sizes, pointers.data());
  RUN_OK();
  const auto got = pointers.download();
  for (size_t i = 0; i < sizes.size(); ++i) CHECK_AT(i, got[i] == nullptr, true);
}

E2E_CASE(new_and_delete_objects) {
  e2e::Device<int> alive(1), out(64);
  new_and_delete<<<1, 64>>>(alive, out);
  RUN_OK();
  CHECK_EQ(alive.download()[0], 0);
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], i * 20 + 45);
}
