// runtime/engine/compile/codegen/code_parts.cpp - see code_parts.h.
#include "runtime/engine/compile/codegen/code_parts.h"

#include "runtime/base/blocked_signals.h"
#include "runtime/base/format.h"
#include "runtime/engine/compile/codegen/host_code.h"
#include "runtime/engine/compile/dump.h"
#include "runtime/engine/compile/left_on_throw.h"
#include "runtime/engine/compile/library/library.h"
#include "runtime/engine/compile/phase_times.h"
#include "runtime/engine/compile/quick/quick_code.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <thread>

namespace hip::engine::compile {
namespace {

// A part costs a context, a code generator and the module's declarations, 2 ms, which is what three instructions cost; and the
// functions that regions share are compiled once for each.
constexpr uint32_t kLeastInstructions = 128, kLeastInstructionsOfQuickCode = 512;
constexpr size_t kMostParts = 64;

using Object = std::vector<std::byte>;

// What emitted IR breaks of LLVM's rules; null: nothing. A hundredth of a translation's time: on such IR LLVM may
// crash, and with it the program, whose kernel tier 0 can still run.
std::optional<std::string> problems_of(const llvm::Module& module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  return llvm::verifyModule(module, &stream) ? std::optional(problems) : std::nullopt;
}

// Sets `refusal` where quick code has no form for something, and LLVM's generator makes the object.
Result<Object> generate(llvm::Module& module, const Request& request, bool rounds, bool quick, std::string& refusal) {
  const auto cancelled = [&] { return request.cancelled && request.cancelled->load(std::memory_order_relaxed); };
  PhaseTimes times(dumps("times"));
  RT_TRY_ASSIGN(const HostCode host, HostCode::create(request.host));
  host.prepare(module);
  if (dumps("ir")) module.print(llvm::errs(), nullptr);
  times.begin("verify");
  if (const auto problems = problems_of(module))
    return error(ErrorCode::Unknown, "The translation of the function at {:#x} is not valid IR: {}", request.begin,
                 *problems);
  times.begin("optimise");
  host.optimise(module, request.optimise, rounds, cancelled, quick);
  if (cancelled()) return error(ErrorCode::Unknown, "The translation was cancelled.");
  if (dumps("optimised")) module.print(llvm::errs(), nullptr);
  times.begin("generate");
  if (quick) {
    auto object = generate_quickly(module, request.host);
    if (object.ok()) return object;
    refusal = object.status().message();
    if (dumps("quick")) llvm::errs() << refusal << "\n";
  }
  return host.generate(module);
}

// The code of some regions of the module whose bitcode this is.
Result<Object> generate_of(llvm::MemoryBufferRef bitcode, const std::vector<uint32_t>& regions, const Request& request,
                           bool rounds, bool quick, std::string& refusal) {
  const auto unreadable = [](llvm::Error e) {
    return error(ErrorCode::Unknown, "The translator cannot read its own bitcode: {}.", llvm::toString(std::move(e)));
  };
  const LeftOnThrow<llvm::LLVMContext> context;
  context->setDiscardValueNames(!dumps("ir") && !dumps("optimised"));
  auto read = llvm::getLazyBitcodeModule(bitcode, *context);
  if (!read) return unreadable(read.takeError());
  const LeftOnThrow<llvm::Module> owner(std::move(*read));
  llvm::Module& module = *owner;
  for (const uint32_t region : regions)
    if (llvm::Error e = module.getFunction(region_name(region))->materialize()) return unreadable(std::move(e));
  if (llvm::Error e = materialize_used(module)) return unreadable(std::move(e));
  return generate(module, request, rounds, quick, refusal);
}

// Calls work(k) for each k below `count`, on so many threads, this one included. It must not throw.
template<class Work> void share(size_t count, size_t threads, const Work& work) {
  std::atomic<size_t> next{0};
  const auto take = [&] {
    for (size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < count;) work(k);
  };
  std::vector<std::jthread> others;
  try {
    const BlockedSignals blocked;
    while (others.size() + 1 < std::min(count, threads)) others.emplace_back(take);
  } catch (const std::system_error&) { // the system has no room for more threads
  } catch (const std::bad_alloc&) {
  }
  take();
}

} // namespace

std::string region_name(uint32_t region) { return fmt::format("r{}", region); }

// The largest regions first, each to the part that has the least so far.
std::vector<std::vector<uint32_t>> parts_of(const Regions& regions, bool quick) {
  std::vector<uint32_t> order(regions.regions.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto size = [&](uint32_t region) { return regions.regions[region].instructions; };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  const uint64_t all =
      std::accumulate(order.begin(), order.end(), uint64_t{0}, [&](uint64_t sum, uint32_t r) { return sum + size(r); });
  const size_t count = std::clamp<size_t>(all / (quick ? kLeastInstructionsOfQuickCode : kLeastInstructions), 1,
                                          std::clamp<size_t>(order.size(), 1, kMostParts));
  std::vector<std::vector<uint32_t>> parts(count);
  std::vector<uint64_t> filled(count, 0);
  for (const uint32_t region : order) {
    const auto least = size_t(std::ranges::min_element(filled) - filled.begin());
    parts[least].push_back(region), filled[least] += size(region);
  }
  for (auto& part : parts) std::ranges::sort(part);
  return parts;
}

Result<GeneratedParts> generate_parts(llvm::Module& module, const std::vector<std::vector<uint32_t>>& parts,
                                      const Request& request, bool rounds, bool quick) {
  GeneratedParts out;
  std::vector<Object>& objects = out.objects;
  std::vector<std::string>& refusals = out.refusals;
  objects.resize(parts.size()), refusals.resize(parts.size());
  if (parts.size() == 1) {
    RT_TRY_ASSIGN(objects[0], generate(module, request, rounds, quick, refusals[0]));
    std::erase(refusals, "");
    return out;
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  constexpr bool kKeepOrderOfUses = true; // passes go through uses in their order
  llvm::WriteBitcodeToFile(module, stream, kKeepOrderOfUses);
  const llvm::MemoryBufferRef bitcode({bytes.data(), bytes.size()}, "translation");
  std::vector<Status> states(parts.size());
  share(parts.size(), request.threads, [&](size_t k) noexcept {
    try {
      Result<Object> object = generate_of(bitcode, parts[k], request, rounds, quick, refusals[k]);
      if (object.ok())
        objects[k] = std::move(object.value());
      else
        states[k] = object.status();
    } catch (const std::bad_alloc&) {
      states[k] = Status::no_memory();
    }
  });
  for (const Status& status : states) RT_TRY(status);
  std::erase(refusals, "");
  return out;
}

} // namespace hip::engine::compile
