// runtime/engine/tiering/tier1.cpp - see tier1.h.
#include "runtime/engine/tiering/tier1.h"

#include "runtime/base/env.h"
#include "runtime/engine/store/stored_translation.h"

#include <csignal>
#include <cstdio>
#include <system_error>
#include <unistd.h>

namespace hip::engine {
namespace {

// About 60,000 instructions, whose translation takes the background thread a minute.
constexpr uint64_t kLargestFunctionBytes = 384 * 1024;

// A kernel is translated when it has dispatched so many waves or taken so many ticks. Before that the translation would cost more
// than it can win soon.
constexpr uint64_t kWorthWhileWaves = 2048, kWorthWhileTicks = 4'000'000;

uint64_t hash_of(const KernelKey& k) {
  uint64_t h = k.entry_pc;
  for (uint32_t n : k.items) h = (h ^ n) * 0x9e3779b97f4a7c15ull;
  h = (h ^ uint64_t(k.full_waves) ^ uint64_t(k.program->form()) << 1) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}
bool same(const TieredKernel& a, const KernelKey& b) {
  return a.entry_pc == b.entry_pc && a.items == b.items && a.full_waves == b.full_waves && a.form == b.program->form();
}

// The Tier1 that is asked for unfinished requests when the process ends.
std::atomic<Tier1*> last_asked{nullptr};

// A request to translate the kernel's function, whose instructions have been copied to `code`.
compile::Request request_for(const TieredKernel& kernel, const Program& program,
                               const std::vector<std::byte>& code) {
  compile::Request request;
  request.begin = reinterpret_cast<uint64_t>(code.data());
  request.end = request.begin + code.size();
  request.target = program.target().name();
  request.wave_lanes = program.lanes();
  request.form = kernel.form;
  request.is_kernel = true;
  request.start.version = kernel.full_waves ? compile::Version::Full : compile::Version::Partial;
  request.start.item_ids = kernel.item_ids;
  request.start.item_id_vgprs = kernel.item_id_vgprs;
  request.start.items = kernel.items;
  request.start.kernarg_sgpr = kernel.kernarg_sgpr;
  if (kernel.hidden_group_size_offset >= 0)
    request.start.arguments.push_back(
        {uint32_t(kernel.hidden_group_size_offset), kernel.items[0] | kernel.items[1] << 16});
  return request;
}

} // namespace

Tier1::Tier1(HostIsa isa) : talkative_(env_text(Env::OMNIHIP_TIER_LOG) == "1"), slots_(new std::atomic<TieredKernel*>[kSlots]) {
  for (size_t k = 0; k < kSlots; ++k) slots_[k].store(nullptr, std::memory_order_relaxed);
  const std::string_view tier = env_text(Env::OMNIHIP_TIER);
  if (tier == "0") mode_ = Mode::Never;
  if (tier == "1") mode_ = Mode::AtOnce;
  if (isa == HostIsa::Generic) mode_ = Mode::Never;
  if (enabled()) source_ = std::make_unique<TranslationSource>(isa);
}

Tier1::~Tier1() {
  Tier1* self = this;
  last_asked.compare_exchange_strong(self, nullptr);
  if (!background_) return;
  if (background_->process != getpid()) { // in a forked child nobody will ever release the thread's locks
    static_cast<void>(background_.release());
    return;
  }
  cancelled_.store(true, std::memory_order_relaxed);
  {
    std::lock_guard lock(background_->mutex);
    background_->stop = true;
    background_->wanted.clear();
  }
  background_->wake.notify_all();
  background_->thread.join();
}

void TieredKernel::worked(uint64_t more_ticks) noexcept {
  if (asked.load(std::memory_order_relaxed)) return;
  const uint64_t before = ticks.fetch_add(more_ticks, std::memory_order_relaxed);
  if (before + more_ticks >= kWorthWhileTicks && owner->mode_ == Tier1::Mode::Background && !asked.exchange(true)) owner->ask(*this);
}

TieredKernel* Tier1::find(const KernelKey& key, uint64_t waves) noexcept {
  const uint64_t h = hash_of(key);
  TieredKernel* kernel = nullptr;
  bool fresh = false;
  for (size_t probe = 0; probe < kSlots && !kernel; ++probe) {
    std::atomic<TieredKernel*>& slot = slots_[(h + probe) % kSlots];
    TieredKernel* known = slot.load(std::memory_order_acquire);
    if (!known) {
      std::lock_guard lock(mutex_);
      known = slot.load(std::memory_order_acquire);
      if (!known) {
        if (kernels_.size() >= kSlots / 2) return nullptr;
        TieredKernel& made = kernels_.emplace_back();
        made.entry_pc = key.entry_pc, made.items = key.items, made.full_waves = key.full_waves, made.form = key.program->form();
        made.owner = this;
        renew(made, key);
        slot.store(&made, std::memory_order_release);
        known = &made;
        fresh = true;
      }
    }
    if (same(*known, key)) kernel = known;
  }
  if (!kernel) return nullptr;
  if (kernel->dead.load(std::memory_order_acquire)) {
    std::lock_guard code(code_in_use_);
    std::lock_guard lock(mutex_);
    fresh = kernel->dead.load(std::memory_order_relaxed);
    if (fresh) renew(*kernel, key);
  }
  if (fresh && mode_ == Mode::Background) obtain(*kernel, Effort::Stored);
  if (!kernel->asked.load(std::memory_order_acquire)) {
    if (mode_ == Mode::AtOnce) {
      translate_now(*kernel);
    } else {
      const uint64_t before = kernel->waves.fetch_add(waves, std::memory_order_relaxed);
      if (before + waves >= kWorthWhileWaves && !kernel->asked.exchange(true)) ask(*kernel);
    }
  }
  return kernel;
}

// Sets all fields of the record but those that find() compares.
void Tier1::renew(TieredKernel& kernel, const KernelKey& key) noexcept {
  kernel.program = key.program;
  kernel.item_ids = key.item_ids;
  kernel.item_id_vgprs = key.item_id_vgprs;
  kernel.kernarg_sgpr = key.kernarg_sgpr;
  const CodeRange::Symbol* symbol = key.program->symbol_at(key.entry_pc);
  kernel.hidden_group_size_offset = symbol && symbol->address == key.entry_pc ? symbol->hidden_group_size_offset : -1;
  kernel.waves.store(0, std::memory_order_relaxed), kernel.ticks.store(0, std::memory_order_relaxed);
  kernel.asked.store(false, std::memory_order_relaxed);
  kernel.dead.store(false, std::memory_order_release);
}

// Threads that launch the kernel meanwhile wait for its translation too.
void Tier1::translate_now(TieredKernel& kernel) noexcept {
  std::lock_guard lock(at_once_);
  if (kernel.asked.load(std::memory_order_relaxed)) return;
  obtain(kernel, Effort::Translate);
  kernel.asked.store(true, std::memory_order_release);
}

void Tier1::ask(TieredKernel& kernel) noexcept {
  std::lock_guard made(background_mutex_);
  if (!background_) {
    background_ = std::make_unique<Background>();
    background_->process = getpid();
    sigset_t all, before; // the thread takes no signals: they are for the program's own threads
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      background_->thread = std::thread([this] { work(); });
    } catch (const std::system_error&) { // the system has no room for one more thread
      background_.reset();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!background_) return;
    if (source_->keeps() && env_text(Env::OMNIHIP_TIER_FINISH) != "0") {
      last_asked.store(this, std::memory_order_release);
      finish_elsewhere(source_->finisher(), [] {
        Tier1* tier1 = last_asked.load(std::memory_order_acquire);
        return tier1 ? tier1->unfinished() : PackedRequests();
      });
    }
  }
  std::lock_guard lock(background_->mutex);
  background_->wanted.push_back(&kernel);
  background_->wake.notify_one();
}

void Tier1::work() {
  Background* background = nullptr;
  {
    std::lock_guard made(background_mutex_);
    background = background_.get();
  }
  for (;;) {
    TieredKernel* kernel = nullptr;
    {
      std::unique_lock lock(background->mutex);
      background->wake.wait(lock, [&] { return background->stop || !background->wanted.empty(); });
      if (background->stop) return;
      kernel = background->current = background->wanted.front();
      background->wanted.pop_front();
    }
    obtain(*kernel, Effort::Translate);
    std::lock_guard lock(background->mutex);
    background->current = nullptr;
  }
}

PackedRequests Tier1::unfinished() {
  std::vector<TieredKernel*> kernels;
  {
    std::unique_lock lock(background_->mutex, std::try_to_lock); // does not wait, because the process is ending
    if (!lock) return {};
    if (background_->current) kernels.push_back(background_->current);
    kernels.insert(kernels.end(), background_->wanted.begin(), background_->wanted.end());
  }
  PackedRequests requests;
  std::unique_lock lock(code_in_use_, std::try_to_lock);
  if (!lock) return {};
  for (const TieredKernel* kernel : kernels) {
    const std::shared_ptr<Program> program = kernel->program;
    if (!program || kernel->start.load(std::memory_order_relaxed)) continue;
    const auto* begin = reinterpret_cast<const std::byte*>(kernel->entry_pc);
    const uint64_t bytes = program->function_end(kernel->entry_pc) - kernel->entry_pc;
    if (bytes > kLargestFunctionBytes) continue;
    const std::vector<std::byte> code(begin, begin + bytes);
    compile::Request request = request_for(*kernel, *program, code);
    request.host = source_->host();
    requests.push_back(compile::pack(request));
  }
  return requests;
}

void Tier1::forget(uint64_t base, uint64_t bytes) noexcept {
  std::lock_guard code(code_in_use_);
  std::lock_guard lock(mutex_);
  for (TieredKernel& kernel : kernels_)
    if (kernel.entry_pc - base < bytes) {
      kernel.start.store(nullptr, std::memory_order_relaxed);
      kernel.program.reset();
      kernel.dead.store(true, std::memory_order_release);
    }
  std::erase_if(functions_, [&](const auto& function) { return function->begin() - base < bytes; });
}

uint64_t Tier1::guest_pc_of(const void* pc, uint64_t otherwise) const noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& function : functions_)
    if (function->holds(pc)) {
      const uint64_t known = function->guest_pc_of(pc);
      return known ? known : function->begin() + otherwise;
    }
  return 0;
}

void Tier1::obtain(TieredKernel& kernel, Effort effort) noexcept {
  const Status status = try_to_obtain(kernel, effort);
  if (talkative_ && !status.ok() && !cancelled_.load(std::memory_order_relaxed))
    std::fprintf(stderr, "omnihip: tier 1: %s\n", status.message().c_str());
}

Status Tier1::try_to_obtain(TieredKernel& kernel, Effort effort) {
  std::shared_ptr<Program> program;
  std::vector<std::byte> code; // a copy, so that unloading a module does not wait for its translation
  compile::Request request;
  {
    std::lock_guard lock(code_in_use_);
    program = kernel.program;
    if (!program || kernel.start.load(std::memory_order_relaxed)) return {}; // it is unmapped, or was requested twice
    const auto* begin = reinterpret_cast<const std::byte*>(kernel.entry_pc);
    const uint64_t bytes = program->function_end(kernel.entry_pc) - kernel.entry_pc;
    if (bytes > kLargestFunctionBytes)
      return error(ErrorCode::NotSupported, "{} has {} bytes of instructions; functions of more than {} stay in tier 0.",
                   program->describe(kernel.entry_pc).function, bytes, kLargestFunctionBytes);
    code.assign(begin, begin + bytes);
    request = request_for(kernel, *program, code);
  }
  request.host = source_->host();
  request.cancelled = &cancelled_;
  std::optional<compile::Translation> translation = source_->stored(request);
  const bool was_stored = translation.has_value();
  if (!was_stored) {
    if (effort == Effort::Stored) return {};
    std::lock_guard busy(translating_);
    RT_TRY_ASSIGN(translation, source_->translate(request));
  }
  std::lock_guard in_use(code_in_use_);
  if (kernel.program != program) return {}; // it has been unmapped meanwhile
  RT_TRY_ASSIGN(std::unique_ptr<TranslatedFunction> function,
                TranslatedFunction::load(*program, kernel.entry_pc, *translation));
  if (talkative_)
    std::fprintf(stderr, "omnihip: tier 1: %s: %u instructions in %zu regions, %u left to tier 0, %zu bytes, %s\n",
                 program->describe(kernel.entry_pc).function.c_str(), translation->native, translation->exits.size(),
                 translation->foreign, function->code_bytes(), was_stored ? "from the cache" : "translated");
  const Inst* start = function->start();
  std::lock_guard lock(mutex_);
  functions_.push_back(std::move(function));
  kernel.start.store(start, std::memory_order_release);
  kernel.asked.store(true, std::memory_order_release);
  return {};
}

} // namespace hip::engine
