// tests/golden/guest_kernels.cpp - see guest_kernels.h.
#include "guest_kernels.h"

#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/loader.h"
#include "runtime/engine/wave/grid_shape.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <llvm/Demangle/Demangle.h>

namespace golden {

using namespace hip;

namespace {

constexpr const char* kDevices[] = {"gfx942", "gfx1100"};
constexpr uint32_t kMostItems = 256;
constexpr uint64_t kImageAddress = uint64_t{1} << 32;

// "void kit::matrix_gemm<float>(float const*)" as "kit::matrix_gemm<float>", without spaces.
std::string short_name(const std::string& mangled) {
  std::string name = llvm::demangle(mangled);
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (size_t at; (at = name.find(kUnnamed)) != name.npos;) name.erase(at, kUnnamed.size());
  int depth = 0;
  size_t end = name.size(), begin = 0;
  for (size_t k = 0; k < name.size(); ++k) {
    if (name[k] == '<') ++depth;
    if (name[k] == '>') --depth;
    if (depth != 0) continue;
    if (name[k] == ' ') begin = k + 1;
    if (name[k] == '(') {
      end = k;
      break;
    }
  }
  name = name.substr(begin, end - begin);
  std::erase(name, ' ');
  return name;
}

// What the descriptor says of registers, as the engine finds it.
Status read_descriptor(const codeobject::Kernel& kernel, GuestKernels::Kernel& out) {
  alignas(64) codeobject::KernelDescriptor descriptor = kernel.descriptor;
  static const std::array<uint32_t, 1024> arguments{}; // some are loaded into registers
  engine::Dispatch dispatch;
  dispatch.kernel_object = reinterpret_cast<uint64_t>(&descriptor);
  dispatch.kernarg_address = reinterpret_cast<uint64_t>(arguments.data());
  engine::GridShape shape;
  RT_TRY(engine::make_grid_shape(dispatch, *engine::find_target(out.target), out.wave_lanes, shape));
  out.item_ids = shape.item_id_mask, out.item_id_vgprs = shape.item_id_vgprs;
  out.kernarg_sgpr = shape.kernarg_sgpr;
  return {};
}

} // namespace

engine::compile::Request GuestKernels::Kernel::request(const Shape& shape, const engine::compile::HostCpu& host) const {
  engine::compile::Request request;
  request.begin = reinterpret_cast<uint64_t>(code.data());
  request.end = request.begin + code.size();
  request.target = target;
  request.wave_lanes = wave_lanes;
  request.is_kernel = true;
  request.start.item_ids = item_ids;
  request.start.item_id_vgprs = item_id_vgprs;
  request.start.items = shape;
  request.start.kernarg_sgpr = kernarg_sgpr;
  if (hidden_group_size_offset >= 0)
    request.start.arguments.push_back({uint32_t(hidden_group_size_offset), shape[0] | shape[1] << 16});
  request.host = host;
  return request;
}

Result<GuestKernels> GuestKernels::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return error(ErrorCode::FileNotFound, "The file {} cannot be read.", path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  RT_TRY_ASSIGN(const codeobject::Bundle bundle, codeobject::parse_bundle(std::as_bytes(std::span(text))));
  const codeobject::BundleEntry* entry = nullptr;
  const char* device = nullptr;
  for (const char* tried : kDevices)
    if (const auto found = codeobject::choose_entry(bundle, tried); !entry && found.ok()) entry = found.value(), device = tried;
  if (!entry) return error(ErrorCode::InvalidImage, "The file {} has no code for gfx942 or gfx1100.", path);
  RT_TRY_ASSIGN(const codeobject::CodeObject code, codeobject::CodeObject::parse(entry->image));
  // Nothing is executed: what the code takes from elsewhere may have any address, which is the same every time.
  std::vector<std::byte> image(code.image_end() - code.image_begin());
  RT_TRY_ASSIGN(const codeobject::LoadedImage loaded,
                codeobject::place_image(code, {std::span(image), kImageAddress},
                                        [](std::string_view) -> Result<uint64_t> { return uint64_t{0}; }));
  GuestKernels out;
  for (const codeobject::Kernel& kernel : code.kernels()) {
    if (kernel.code_size == 0) continue; // there is nothing to translate
    Kernel& made = out.kernels_.emplace_back();
    made.name = short_name(kernel.info.name);
    made.target = device;
    made.wave_lanes = kernel.descriptor.wave_lanes();
    const std::byte* begin = image.data() + (loaded.address_of(kernel.entry_address) - kImageAddress);
    made.code.assign(begin, begin + kernel.code_size);
    const codeobject::KernelArg* x = kernel.info.find_arg(codeobject::ArgKind::HiddenGroupSizeX);
    if (x) made.hidden_group_size_offset = int32_t(x->offset);
    const uint32_t items = kernel.info.max_flat_workgroup_size;
    made.most[0] = items ? std::min(items, kMostItems) : kMostItems;
    RT_TRY(read_descriptor(kernel, made));
  }
  std::sort(out.kernels_.begin(), out.kernels_.end(), [](const Kernel& a, const Kernel& b) { return a.name < b.name; });
  return out;
}

} // namespace golden
