#include "rig.h"

#include "runtime/codeobject/line_table.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>

namespace hip::engine::test {
namespace {
constexpr uint64_t kArenaBytes = 1ull << 32, kPage = 4096;
void require(bool ok, const std::string& what) {
  if (!ok) throw std::runtime_error(what);
}
} // namespace

Arena::Arena() {
  void* p = mmap(nullptr, kArenaBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(p != MAP_FAILED, "no address space for the arena");
  arena_base = reinterpret_cast<uint64_t>(p);
  arena_bytes = kArenaBytes;
  next_ = arena_base;
}
Arena::~Arena() { munmap(reinterpret_cast<void*>(arena_base), arena_bytes); }

void* Arena::allocate(size_t bytes) {
  uint64_t address = next_, size = (bytes + kPage - 1) / kPage * kPage;
  require(mprotect(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE) == 0, "mprotect failed");
  allocations_.push_back({address, bytes});
  next_ += size + kPage;
  return reinterpret_cast<void*>(address);
}
bool Arena::accessible(uint64_t address, uint64_t bytes, Access) const noexcept {
  for (const Range& r : hosts_)
    if (address >= r.address && address + bytes <= r.address + r.bytes) return true;
  return false;
}
std::string Arena::describe(uint64_t address) const {
  for (const Range& r : allocations_)
    if (address >= r.address && address < r.address + r.bytes + kPage * 2)
      return fmt::format("{} bytes from the start of a {}-byte allocation", address - r.address, r.bytes);
  return "no allocation near";
}

Rig::Rig(const char* name) {
  std::ifstream in(std::string(ENGINE_TEST_DATA) + "/" + name, std::ios::binary);
  require(in.good(), std::string("cannot read ") + name);
  for (std::istreambuf_iterator<char> it(in), end; it != end; ++it) file_.push_back(std::byte(*it));
  auto parsed = codeobject::CodeObject::parse(file_);
  require(parsed.ok(), parsed.status().to_string());
  code_ = std::make_unique<codeobject::CodeObject>(std::move(parsed).value());
  auto loaded = codeobject::load_image(*code_, [this](uint64_t bytes, uint64_t) -> Result<codeobject::ImageMemory> {
    auto* p = static_cast<std::byte*>(arena.allocate(bytes));
    return codeobject::ImageMemory{{p, bytes}, reinterpret_cast<uint64_t>(p)};
  });
  require(loaded.ok(), loaded.status().to_string());
  image_ = loaded.value();
  std::string why;
  engine.reset(omnihip_engine_create(kEngineAbiVersion, &arena, &why));
  require(engine != nullptr, "no engine");
  for (const codeobject::Segment& segment : code_->segments()) {
    if (!segment.executable) continue;
    CodeRange range;
    range.base = image_.address_of(segment.address);
    range.bytes = segment.memory_size;
    range.target = code_->target().processor->name;
    if (!code_->kernels().empty()) range.wave_lanes = code_->kernels()[0].info.wavefront_size;
    for (const codeobject::Kernel& kernel : code_->kernels())
      range.symbols.push_back({image_.address_of(kernel.entry_address), kernel.code_size, std::string(kernel.info.name),
                               -1, image_.kernel_object(kernel)});
    range.lines = codeobject::LineSections::of(file_);
    range.file_address = segment.address;
    Status status = engine->map_code(range);
    require(status.ok(), status.to_string());
    ranges_.push_back(std::move(range));
  }
  kernarg_ = static_cast<char*>(arena.allocate(kPage));
}
Rig::~Rig() = default;

void Rig::exchange(const char* kernel, uint32_t dword, uint32_t by) {
  for (const CodeRange& range : ranges_) engine->unmap_code(range.base);
  auto* code = reinterpret_cast<uint32_t*>(address_of(kernel));
  auto* end = code + code_->find_kernel(kernel)->code_size / sizeof dword;
  require(std::count(code, end, dword) == 1, "the dword is not there once");
  *std::find(code, end, dword) = by;
  for (const CodeRange& range : ranges_) require(engine->map_code(range).ok(), "the code cannot be mapped again");
}

uint64_t Rig::address_of(const char* kernel) const {
  return image_.address_of(code_->find_kernel(kernel)->entry_address);
}

void Rig::set_float_mode(const char* kernel, uint32_t mode) {
  auto* kd = reinterpret_cast<codeobject::KernelDescriptor*>(image_.kernel_object(*code_->find_kernel(kernel)));
  kd->compute_pgm_rsrc1 = (kd->compute_pgm_rsrc1 & ~(0xffu << 12)) | mode << 12;
}

Dispatch Rig::dispatch_of(const char* name, const Shape& shape, const void* kernarg) const {
  const codeobject::Kernel* kernel = code_->find_kernel(name);
  require(kernel != nullptr, std::string("no kernel ") + name);
  Dispatch dispatch;
  dispatch.kernel_object = image_.kernel_object(*kernel);
  dispatch.kernarg_address = reinterpret_cast<uint64_t>(kernarg);
  dispatch.grid_items = {shape.groups_x * shape.items_x, shape.groups_y * shape.items_y, 1};
  if (shape.grid_items_x) dispatch.grid_items[0] = shape.grid_items_x;
  dispatch.group_items = {shape.items_x, shape.items_y, 1};
  dispatch.private_segment_bytes = kernel->descriptor.private_segment_fixed_size;
  if (kernel->descriptor.uses_dynamic_stack()) dispatch.private_segment_bytes += 16384;
  dispatch.group_segment_bytes = kernel->descriptor.group_segment_fixed_size;
  dispatch.cooperative = shape.cooperative;
  dispatch.tool = shape.tool;
  dispatch.timed = shape.time_out_ms != 0;
  return dispatch;
}

Status Rig::execute(const Dispatch& dispatch) {
  std::unique_ptr<Grid> grid;
  if (Status status = engine->prepare(dispatch, grid); !status.ok()) return status;
  const auto worker = engine->create_worker();
  grid->run(*worker);
  require(grid->finished(), "the grid is not finished although everybody returned");
  return grid->status();
}

Status Rig::launch_block(const char* name, const Shape& shape, const std::vector<char>& block) {
  std::copy(block.begin(), block.end(), kernarg_);
  const Dispatch dispatch = dispatch_of(name, shape, kernarg_);
  std::unique_ptr<Grid> grid;
  if (Status status = engine->prepare(dispatch, grid); !status.ok()) return status;
  std::atomic<bool> ended = false;
  std::thread clock;
  if (dispatch.timed)
    clock = std::thread([&] {
      for (auto pause = std::chrono::milliseconds(shape.time_out_ms); !ended; pause = std::chrono::milliseconds(2)) {
        for (const auto end = std::chrono::steady_clock::now() + pause;
             !ended && std::chrono::steady_clock::now() < end;)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!ended) grid->time_out("the time of the test");
      }
    });
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < shape.threads; ++k) workers.push_back(engine->create_worker());
  for (unsigned k = 1; k < shape.threads; ++k) threads.emplace_back([&, k] { grid->run(*workers[k]); });
  grid->run(*workers[0]);
  for (std::thread& t : threads) t.join();
  ended = true;
  if (clock.joinable()) clock.join();
  require(grid->finished(), "the grid is not finished although everybody returned");
  return grid->status();
}

} // namespace hip::engine::test
