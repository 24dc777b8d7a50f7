// tests/unit/engine/rig.h - a device of one arena for the engine's tests: allocations with a guard page behind each,
// the test kernels loaded, and one call per launch.
#pragma once

#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/loader.h"
#include "runtime/engine/engine.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace hip::engine::test {

class Arena final : public AddressSpace {
public:
  Arena();
  ~Arena() override;
  bool accessible(uint64_t address, uint64_t bytes, Access access) const noexcept override;
  std::string describe(uint64_t address) const override;
  void* allocate(size_t bytes);
  // Host memory that kernels may touch although it lies outside the arena.
  void register_host(const void* p, size_t bytes) { hosts_.push_back({reinterpret_cast<uint64_t>(p), bytes}); }

private:
  struct Range {
    uint64_t address, bytes;
  };
  std::vector<Range> allocations_, hosts_;
  uint64_t next_ = 0;
};

class Rig {
public:
  // Loads the code object `file` (in the test data folder).
  explicit Rig(const char* file = "kernels.co");
  ~Rig();

  template<class T> T* array(size_t count, T value = T()) {
    T* p = static_cast<T*>(arena.allocate(count * sizeof(T)));
    for (size_t k = 0; k < count; ++k) p[k] = value;
    return p;
  }
  struct Shape {
    uint32_t groups_x = 1, items_x = 1, groups_y = 1, items_y = 1;
    unsigned threads = 1;
    bool cooperative = false;
    uint32_t grid_items_x = 0; // when not groups_x * items_x
    Tool* tool = nullptr;      // watches the launch
    uint32_t time_out_ms = 0;  // not 0: after so long its time is over
  };
  // Runs a kernel to its end with its arguments one after the other, each aligned to its size.
  template<class... A> Status launch(const char* kernel, const Shape& shape, A... arguments) {
    std::vector<char> block;
    (append(block, arguments), ...);
    return launch_block(kernel, shape, block);
  }
  // The same as a dispatch to be executed later, whose arguments stay.
  template<class... A> Dispatch dispatch(const char* kernel, const Shape& shape, A... arguments) {
    std::vector<char> block;
    (append(block, arguments), ...);
    void* const kernarg = arena.allocate(block.size());
    std::copy(block.begin(), block.end(), static_cast<char*>(kernarg));
    return dispatch_of(kernel, shape, kernarg);
  }
  Status execute(const Dispatch& dispatch);
  uint64_t address_of(const char* kernel) const; // of its first instruction
  // Puts other code in the place of this one, as when a module goes and another one comes to lie where it was: this
  // code with a dword that occurs once in the kernel replaced.
  void exchange(const char* kernel, uint32_t dword, uint32_t by);

  // Gives the kernel's descriptor another FLOAT_MODE (MODE's bits for rounding and denormals).
  void set_float_mode(const char* kernel, uint32_t mode);

  Arena arena;
  std::unique_ptr<Engine> engine;

private:
  template<class T> static void append(std::vector<char>& block, T value) {
    block.resize((block.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    block.insert(block.end(), reinterpret_cast<char*>(&value), reinterpret_cast<char*>(&value) + sizeof value);
  }
  Dispatch dispatch_of(const char* kernel, const Shape& shape, const void* kernarg) const;
  Status launch_block(const char* kernel, const Shape& shape, const std::vector<char>& block);

  std::vector<std::byte> file_;
  std::unique_ptr<codeobject::CodeObject> code_;
  codeobject::LoadedImage image_;
  std::vector<CodeRange> ranges_;
  char* kernarg_ = nullptr;
};

} // namespace hip::engine::test
