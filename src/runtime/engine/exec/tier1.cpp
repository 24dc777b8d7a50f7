// runtime/engine/exec/tier1.cpp - see tier1.h.
#include "runtime/engine/exec/tier1.h"

#include "runtime/engine/translate/translator.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace hip::engine {
namespace {

// Below that the translation costs more than it can win soon.
constexpr uint64_t kWorthWhileWaves = 2048;

uint64_t hash_of(const TieredKernel& k) {
  uint64_t h = k.entry_pc;
  for (uint32_t n : k.items) h = (h ^ n) * 0x9e3779b97f4a7c15ull;
  h = (h ^ k.full_waves) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}
bool same(const TieredKernel& a, const TieredKernel& b) { return a.entry_pc == b.entry_pc && a.items == b.items && a.full_waves == b.full_waves; }

bool talkative() {
  static const bool on = [] {
    const char* v = std::getenv("OMNIHIP_TIER_LOG");
    return v && *v == '1';
  }();
  return on;
}

} // namespace

Tier1::Tier1() : slots_(new std::atomic<TieredKernel*>[kSlots]) {
  for (size_t k = 0; k < kSlots; ++k) slots_[k].store(nullptr, std::memory_order_relaxed);
  const char* tier = std::getenv("OMNIHIP_TIER");
  if (tier && std::string_view(tier) == "0") mode_ = Mode::Never;
  if (tier && std::string_view(tier) == "1") mode_ = Mode::AtOnce;
  // Code is generated for the host as it is; the handlers' other levels have no counterpart.
  if (!__builtin_cpu_supports("x86-64-v4")) mode_ = Mode::Never;
}

Tier1::~Tier1() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    wanted_.clear();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

TieredKernel* Tier1::find(const TieredKernel& key, uint64_t waves) noexcept {
  const uint64_t h = hash_of(key);
  TieredKernel* kernel = nullptr;
  for (size_t probe = 0; probe < kSlots && !kernel; ++probe) {
    std::atomic<TieredKernel*>& slot = slots_[(h + probe) % kSlots];
    TieredKernel* known = slot.load(std::memory_order_acquire);
    if (!known) {
      std::lock_guard lock(mutex_);
      known = slot.load(std::memory_order_acquire);
      if (!known) {
        if (kernels_.size() >= kSlots / 2) return nullptr;
        TieredKernel& made = kernels_.emplace_back();
        made.entry_pc = key.entry_pc, made.items = key.items, made.full_waves = key.full_waves, made.program = key.program;
        made.kernarg_sgpr = key.kernarg_sgpr, made.hidden_group_size_offset = key.hidden_group_size_offset;
        slot.store(&made, std::memory_order_release);
        known = &made;
      }
    }
    if (same(*known, key) && !known->dead.load(std::memory_order_relaxed)) kernel = known;
  }
  if (!kernel) return nullptr;
  if (!kernel->asked.load(std::memory_order_relaxed)) {
    const uint64_t before = kernel->waves.fetch_add(waves, std::memory_order_relaxed);
    if (mode_ == Mode::AtOnce || before + waves >= kWorthWhileWaves)
      if (!kernel->asked.exchange(true)) ask(*kernel);
  }
  return kernel;
}

void Tier1::ask(TieredKernel& kernel) noexcept {
  if (mode_ == Mode::AtOnce) return translate_now(kernel);
  std::lock_guard lock(mutex_);
  if (stop_) return;
  wanted_.push_back(&kernel);
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wake_.notify_one();
}

void Tier1::work() {
  for (;;) {
    TieredKernel* kernel = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !wanted_.empty(); });
      if (stop_) return;
      kernel = wanted_.front();
      wanted_.pop_front();
    }
    translate_now(*kernel);
  }
}

void Tier1::forget(uint64_t base, uint64_t bytes) noexcept {
  std::lock_guard busy(translating_); // a translation reads the code
  std::lock_guard lock(mutex_);
  for (TieredKernel& kernel : kernels_)
    if (kernel.entry_pc - base < bytes) {
      kernel.dead.store(true, std::memory_order_relaxed);
      kernel.start.store(nullptr, std::memory_order_relaxed);
    }
}

uint64_t Tier1::guest_pc_of(const void* pc) const noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& function : functions_)
    if (function->holds(pc)) return function->guest_pc_of(pc);
  return 0;
}

// The translator's shared object lies beside the one that holds the engine. It is opened once and stays.
translate::Translator* Tier1::translator() {
  static translate::Translator* const translator = []() -> translate::Translator* {
    Dl_info self{};
    void* object = nullptr;
    if (dladdr(reinterpret_cast<const void*>(&hash_of), &self) && self.dli_fname) {
      std::string path = self.dli_fname;
      path.erase(path.find_last_of('/') + 1);
      object = dlopen((path + "libomnihip_translator.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (!object) object = dlopen("libomnihip_translator.so", RTLD_NOW | RTLD_LOCAL);
    if (!object) return nullptr;
    auto create = reinterpret_cast<translate::Translator* (*)(uint32_t)>(dlsym(object, "omnihip_translator_create"));
    return create ? create(translate::kTranslatorAbiVersion) : nullptr;
  }();
  return translator;
}

void Tier1::translate_now(TieredKernel& kernel) noexcept {
  std::lock_guard busy(translating_);
  if (kernel.dead.load(std::memory_order_relaxed)) return;
  const Status status = translate(kernel);
  if (talkative() && !status.ok()) std::fprintf(stderr, "omnihip: tier 1: %s\n", status.message().c_str());
}

Status Tier1::translate(TieredKernel& kernel) {
  translate::Translator* translator = Tier1::translator();
  if (!translator) return error(ErrorCode::NotSupported, "There is no translator.");
  translate::Request request;
  request.begin = kernel.entry_pc;
  request.end = kernel.program->function_end(kernel.entry_pc);
  request.target = kernel.program->target();
  request.is_kernel = true;
  request.start.version = kernel.full_waves ? translate::Version::Full : translate::Version::Partial;
  request.start.item_ids = true;
  request.start.items = kernel.items;
  request.start.kernarg_sgpr = kernel.kernarg_sgpr;
  if (kernel.hidden_group_size_offset >= 0)
    request.start.arguments.push_back({uint32_t(kernel.hidden_group_size_offset), kernel.items[0] | kernel.items[1] << 16});
  RT_TRY_ASSIGN(translate::Translation translation, translator->translate(request));
  RT_TRY_ASSIGN(std::unique_ptr<TranslatedFunction> function,
                TranslatedFunction::load(*kernel.program, kernel.entry_pc, translation));
  const Inst* start = function->start();
  if (talkative())
    std::fprintf(stderr, "omnihip: tier 1: %s: %u instructions in %zu regions, %u left to tier 0, %zu bytes\n",
                 kernel.program->describe(kernel.entry_pc).function.c_str(), translation.native, translation.exits.size(),
                 translation.foreign, function->code_bytes());
  std::lock_guard lock(mutex_);
  functions_.push_back(std::move(function));
  kernel.start.store(start, std::memory_order_release);
  return {};
}

} // namespace hip::engine
