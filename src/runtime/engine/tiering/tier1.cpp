// runtime/engine/tiering/tier1.cpp - see tier1.h.
#include "runtime/engine/tiering/tier1.h"

#include "runtime/base/blocked_signals.h"
#include "runtime/base/env.h"
#include "runtime/base/format.h"
#include "runtime/base/processors.h"
#include "runtime/engine/store/stored_translation.h"
#include "runtime/engine/tiering/precompiled.h"
#include "runtime/engine/wave/run.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <system_error>
#include <unistd.h>

namespace hip::engine {
namespace {

// The instructions that are translated as one: a function, or as much of it as OMNIHIP_TIER_BYTES allows. What else waves reach of a
// function is translated as if it were called: each target of branches that leave a part becomes a function's first instruction.
// 384 KiB are about 60,000 instructions, whose translation takes a minute of one thread. A loop that is shorter lies in
// one part, for it is entered by the branch that goes back.
std::vector<std::byte> code_of(Program& program, uint64_t address, uint64_t most_bytes) {
  const auto* begin = reinterpret_cast<const std::byte*>(address);
  return {begin, begin + (program.part_end(address, most_bytes) - address)};
}

// A function is translated when it has been dispatched or called with so many waves, or a kernel has taken so many
// ticks. Before that the translation would cost more than it can win soon. A long kernel's costs more, so it wants a
// wave, or so many ticks, for each byte of its code: a third to half of what quick code costs (docs/decisions/0003).
constexpr uint64_t kWorthWhileWaves = 2048, kWorthWhileTicks = 4'000'000;
constexpr uint64_t kWorthWhileWavesOfByte = 1, kWorthWhileTicksOfByte = 36'000;

// What the best code of a function costs, in ticks for each byte of its quick code: 4 to 8 ms for a KiB, where
// instructions cost 0.8 to 4.7 ms each. Quick code that has run for so long would have lost less than that against the
// best code, for it is nearly as fast.
constexpr uint64_t kTicksOfBestCode = 9'000;

// Functions that are translated at the same time, each by several threads: a translation of 60,000 instructions takes a gigabyte.
constexpr uint32_t kMostFunctionsAtOnce = 4;

// A kernel is translated anew, carefully, when of the waves of a share of a grid so many, and one of so many, have left its
// translation for tier 0.
constexpr uint32_t kOftenSideExits = 16, kOftenShare = 4;

// A kernel is translated for so many shapes of its work-group. A translation for any shape takes 1.1 to 2.2 times as long to run, and
// programs that try every shape (tuners, tests) run each but shortly.
constexpr size_t kMostShapes = 8;

uint64_t hash_of(const FunctionKey& k) {
  uint64_t h = k.entry_pc;
  for (uint32_t n : k.items) h = (h ^ n) * 0x9e3779b97f4a7c15ull;
  h = (h ^ uint64_t(k.full_waves) ^ uint64_t(k.program.form()) << 1 ^ uint64_t(k.float_mode) << 8) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}
bool same(const TieredFunction& a, const FunctionKey& b) {
  return a.entry_pc == b.entry_pc && a.items == b.items && a.full_waves == b.full_waves && a.float_mode == b.float_mode && a.form == b.program.form();
}

// The Tier1 that is asked for unfinished requests when the process ends.
std::atomic<Tier1*> last_asked{nullptr};

uint64_t most_bytes() {
  constexpr int64_t kLeast = 4, kUsual = 384 * 1024, kMost = int64_t(1) << 30;
  const Result<int64_t> wanted = env_number(Env::OMNIHIP_TIER_BYTES, kLeast, kMost);
  if (wanted.ok()) return uint64_t(wanted.value());
  std::fprintf(stderr, "omnihip: tier 1: %s\n", wanted.status().message().c_str());
  return kUsual;
}

uint32_t threads_wanted() {
  constexpr int64_t kMost = 1024;
  const Result<int64_t> wanted = env_number(Env::OMNIHIP_TIER_THREADS, 0, kMost);
  if (wanted.ok()) return uint32_t(wanted.value());
  std::fprintf(stderr, "omnihip: tier 1: %s\n", wanted.status().message().c_str());
  return 0;
}

// Counts up as long as it lives.
class OneMore {
public:
  explicit OneMore(std::atomic<uint32_t>& count) : count_(count), before_(count.fetch_add(1, std::memory_order_relaxed)) {}
  ~OneMore() { count_.fetch_sub(1, std::memory_order_relaxed); }
  OneMore(const OneMore&) = delete;
  OneMore& operator=(const OneMore&) = delete;
  uint32_t before() const noexcept { return before_; }

private:
  std::atomic<uint32_t>& count_;
  const uint32_t before_;
};

// For messages: the function's name; those that are local to a code object have none.
std::string name_of(Program& program, uint64_t entry_pc) {
  const CodeRange::Symbol* symbol = program.symbol_at(entry_pc);
  if (symbol && symbol->address == entry_pc) return symbol->name;
  return fmt::format("the function {:#x} bytes from the code's start", entry_pc - program.base());
}

// A request to translate the function, whose instructions have been copied to `code`.
compile::Request request_for(const TieredFunction& function, bool careful, const Program& program, const std::vector<std::byte>& code) {
  compile::Request request;
  request.begin = reinterpret_cast<uint64_t>(code.data());
  request.end = request.begin + code.size();
  request.target = program.target().name();
  request.wave_lanes = program.lanes();
  request.form = function.form;
  request.is_kernel = function.is_kernel();
  request.float_mode = function.float_mode;
  if (careful) request.optimise = compile::Optimise::Careful;
  if (!request.is_kernel) return request;
  request.start.version = function.full_waves ? compile::Version::Full : compile::Version::Partial;
  request.start.item_ids = function.item_ids;
  request.start.item_id_vgprs = function.item_id_vgprs;
  request.start.items = function.items;
  request.start.kernarg_sgpr = function.kernarg_sgpr;
  if (function.hidden_group_size_offset >= 0)
    request.start.arguments.push_back(
        {uint32_t(function.hidden_group_size_offset), function.items[0] | function.items[1] << 16});
  return request;
}

} // namespace

Tier1::Tier1(HostIsa isa) : talkative_(env_text(Env::OMNIHIP_TIER_LOG) == "1"), most_bytes_(most_bytes()), threads_wanted_(threads_wanted()), slots_(new std::atomic<TieredFunction*>[kSlots]) {
  for (size_t k = 0; k < kSlots; ++k) slots_[k].store(nullptr, std::memory_order_relaxed);
  const std::string_view tier = env_text(Env::OMNIHIP_TIER);
  if (tier == "0") mode_ = Mode::Never;
  if (tier == "1") mode_ = Mode::AtOnce;
  if (isa == HostIsa::Generic) mode_ = Mode::Never;
  const std::string_view code = env_text(Env::OMNIHIP_TIER_CODE);
  if (code == "quick") generators_ = Generators::Quick;
  if (code == "best" || (code != "quick" && mode_ == Mode::AtOnce)) generators_ = Generators::Best;
  if (enabled()) source_ = std::make_unique<TranslationSource>(isa), perf_map_ = PerfMap::open_if_wanted();
}

Tier1::~Tier1() {
  Tier1* self = this;
  last_asked.compare_exchange_strong(self, nullptr);
  if (!background_) return;
  if (background_->process != getpid()) { // in a forked child nobody will ever release the threads' locks
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
  for (std::thread& thread : background_->threads) thread.join();
}

void TieredFunction::worked(uint64_t more_ticks, uint64_t more_waves) noexcept {
  if (!owner) return;
  if (side_exits.load(std::memory_order_relaxed) >= kOftenSideExits && !careful.load(std::memory_order_relaxed)) {
    const uint64_t left = side_exits.exchange(0, std::memory_order_relaxed);
    if (left * kOftenShare >= more_waves && !careful.exchange(true)) owner->left_often(*this);
  }
  if (owner->mode_ != Tier1::Mode::Background) return;
  const uint64_t before = ticks.fetch_add(more_ticks, std::memory_order_relaxed), now = before + more_ticks;
  if (now < worthwhile_ticks) {
    if (before < kWorthWhileTicks && now >= kWorthWhileTicks) owner->finish_for_next_run();
    return;
  }
  if (!asked.load(std::memory_order_relaxed) && !asked.exchange(true)) owner->ask(*this);
  uint64_t worth = best_at.load(std::memory_order_relaxed);
  if (worth != 0 && now >= worth && best_at.compare_exchange_strong(worth, 0)) owner->ask(*this);
  if (before < worthwhile_ticks || std::bit_width(before) != std::bit_width(now))
    owner->ask_for_functions_of(*this, now);
}

void Tier1::left_often(TieredFunction& kernel) noexcept {
  if (mode_ == Mode::Background) return ask(kernel);
  const HostFloatControl host;
  obtain(kernel, Effort::Translate);
}

void Tier1::ask_for_functions_of(const TieredFunction& kernel, uint64_t ticks) noexcept try {
  std::vector<TieredFunction*> wanted;
  {
    std::lock_guard lock(mutex_);
    for (TieredFunction& function : functions_) {
      if (function.is_kernel() || function.program != kernel.program) continue;
      uint64_t worth = function.best_at.load(std::memory_order_relaxed);
      const bool wants_best = worth != 0 && ticks >= worth && function.best_at.compare_exchange_strong(worth, 0);
      if (!function.asked.exchange(true) || wants_best) wanted.push_back(&function);
    }
  }
  for (TieredFunction* function : wanted) ask(*function);
} catch (const std::bad_alloc&) { // they stay in tier 0
}

void Tier1::function_called(const FunctionKey& key, uint64_t calls) noexcept {
  if (!enabled()) return;
  const HostFloatControl host;
  find(key, calls - calls / 2); // those since it was told last
}

TieredFunction* Tier1::find(const FunctionKey& key, uint64_t waves) noexcept try {
  const uint64_t h = hash_of(key);
  TieredFunction* function = nullptr;
  bool fresh = false;
  for (size_t probe = 0; probe < kSlots && !function; ++probe) {
    std::atomic<TieredFunction*>& slot = slots_[(h + probe) % kSlots];
    TieredFunction* known = slot.load(std::memory_order_acquire);
    if (!known) {
      std::lock_guard lock(mutex_);
      known = slot.load(std::memory_order_acquire);
      if (!known) {
        if (functions_.size() >= kSlots / 2) return nullptr;
        TieredFunction& made = functions_.emplace_back();
        made.entry_pc = key.entry_pc, made.items = key.items, made.full_waves = key.full_waves, made.float_mode = key.float_mode, made.form = key.program.form();
        made.owner = this;
        renew(made, key);
        slot.store(&made, std::memory_order_release);
        known = &made;
        fresh = true;
      }
    }
    if (same(*known, key)) function = known;
  }
  if (!function) return nullptr;
  if (function->dead.load(std::memory_order_acquire)) {
    std::lock_guard code(code_in_use_);
    std::lock_guard lock(mutex_);
    fresh = function->dead.load(std::memory_order_relaxed);
    if (fresh) renew(*function, key);
  }
  if (fresh && function->is_kernel() && has_many_shapes(key)) {
    const FunctionKey any{.entry_pc = key.entry_pc, .full_waves = false, .float_mode = key.float_mode, .program = key.program};
    if (TieredFunction* shared = find(any, 0)) {
      function->for_any_shape.store(shared, std::memory_order_release);
      fresh = false;
    }
  }
  if (TieredFunction* shared = function->for_any_shape.load(std::memory_order_acquire)) function = shared;
  if (fresh && mode_ == Mode::Background) obtain(*function, Effort::Stored);
  if (!function->asked.load(std::memory_order_acquire)) {
    if (mode_ == Mode::AtOnce) {
      translate_now(*function);
    } else {
      const uint64_t before = function->waves.fetch_add(waves, std::memory_order_relaxed), now = before + waves;
      if (now >= function->worthwhile_waves) {
        if (!function->asked.exchange(true)) ask(*function);
      } else if (before < kWorthWhileWaves && now >= kWorthWhileWaves) {
        finish_for_next_run();
      }
    }
  }
  return function;
} catch (const std::bad_alloc&) {
  return nullptr;
}

// Whether the kernel has been launched with so many work-group shapes, for waves of this kind, that the next ones share a translation.
bool Tier1::has_many_shapes(const FunctionKey& key) noexcept {
  std::lock_guard lock(mutex_);
  const auto shapes = std::ranges::count_if(functions_, [&](const TieredFunction& f) {
    return f.entry_pc == key.entry_pc && f.is_kernel() && f.full_waves == key.full_waves && f.form == key.program.form() &&
           !f.dead.load(std::memory_order_relaxed);
  });
  return size_t(shapes) > kMostShapes;
}

// Sets all fields of the record but those that find() compares.
void Tier1::renew(TieredFunction& function, const FunctionKey& key) noexcept {
  function.program = key.program.shared_from_this();
  function.item_ids = key.item_ids;
  function.item_id_vgprs = key.item_id_vgprs;
  function.kernarg_sgpr = key.kernarg_sgpr;
  const CodeRange::Symbol* symbol = key.program.symbol_at(key.entry_pc);
  const bool is_symbol = symbol && symbol->address == key.entry_pc;
  function.hidden_group_size_offset = is_symbol ? symbol->hidden_group_size_offset : -1;
  const uint64_t bytes = is_symbol && function.is_kernel() ? std::min(symbol->bytes, most_bytes_) : 0;
  function.worthwhile_waves = std::max(kWorthWhileWaves, kWorthWhileWavesOfByte * bytes);
  function.worthwhile_ticks = std::max(kWorthWhileTicks, kWorthWhileTicksOfByte * bytes);
  function.waves.store(0, std::memory_order_relaxed), function.ticks.store(0, std::memory_order_relaxed);
  function.asked.store(false, std::memory_order_relaxed), function.careful.store(false, std::memory_order_relaxed);
  function.groups_wait.store(false, std::memory_order_relaxed);
  function.for_any_shape.store(nullptr, std::memory_order_relaxed);
  function.side_exits.store(0, std::memory_order_relaxed);
  function.has_quick.store(false, std::memory_order_relaxed), function.best_at.store(0, std::memory_order_relaxed);
  function.dead.store(false, std::memory_order_release);
}

// Threads that launch or call the function meanwhile wait for its translation too.
void Tier1::translate_now(TieredFunction& function) noexcept {
  std::lock_guard lock(at_once_);
  if (function.asked.load(std::memory_order_relaxed)) return;
  obtain(function, Effort::Translate);
  function.asked.store(true, std::memory_order_release);
}

void Tier1::finish_for_next_run() noexcept try {
  if (!source_->keeps() || env_text(Env::OMNIHIP_TIER_FINISH) == "0") return;
  last_asked.store(this, std::memory_order_release);
  finish_elsewhere(source_->finisher(), [] {
    Tier1* tier1 = last_asked.load(std::memory_order_acquire);
    return tier1 ? tier1->unfinished() : PackedRequests();
  });
} catch (const std::bad_alloc&) { // the next run translates again
}

void Tier1::ask(TieredFunction& function) noexcept try {
  std::lock_guard made(background_mutex_);
  if (!background_) {
    auto background = std::make_unique<Background>();
    background->process = getpid();
    background->current.reserve(kMostFunctionsAtOnce); // of that many threads none allocates
    if (!add_thread(*background)) return;
    background_ = std::move(background);
    finish_for_next_run();
  }
  std::lock_guard lock(background_->mutex);
  // Functions that have no translation yet come first.
  const auto has_one = [](const TieredFunction* other) {
    return other->start.load(std::memory_order_relaxed) != nullptr;
  };
  background_->wanted.insert(
      has_one(&function) ? background_->wanted.end() : std::ranges::find_if(background_->wanted, has_one), &function);
  const size_t busy = background_->current.size() + background_->wanted.size();
  if (busy > background_->threads.size() && busy <= std::min(kMostFunctionsAtOnce, threads())) add_thread(*background_);
  background_->wake.notify_one();
} catch (const std::bad_alloc&) { // the function stays in tier 0
}

// Processors are counted when something is translated first: that reads a file, which programs that find all on disk need not.
uint32_t Tier1::threads() const {
  static const uint32_t processors = usable_processors();
  return threads_wanted_ ? threads_wanted_ : processors;
}

// Whether there is one more thread in the background; else the system has no room for it.
bool Tier1::add_thread(Background& background) noexcept {
  const BlockedSignals blocked;
  try {
    background.threads.emplace_back([this, &background] { work(background); });
    return true;
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void Tier1::work(Background& background) {
  for (;;) {
    TieredFunction* function = nullptr;
    {
      std::unique_lock lock(background.mutex);
      background.wake.wait(lock, [&] { return background.stop || !background.wanted.empty(); });
      if (background.stop) return;
      function = background.wanted.front();
      background.wanted.pop_front();
      background.current.push_back(function);
    }
    obtain(*function, Effort::Translate);
    std::lock_guard lock(background.mutex);
    background.current.erase(std::ranges::find(background.current, function));
  }
}

PackedRequests Tier1::unfinished() {
  std::vector<TieredFunction*> functions;
  // No lock is waited for, because the process is ending.
  {
    std::unique_lock made(background_mutex_, std::try_to_lock);
    if (!made) return {};
    if (background_) {
      std::unique_lock lock(background_->mutex, std::try_to_lock);
      if (!lock) return {};
      functions = background_->current;
      functions.insert(functions.end(), background_->wanted.begin(), background_->wanted.end());
    }
  }
  // Those that have run quick code are worth their best code in the next run, and long ones that were not worth a
  // translation in this run may be in all runs together.
  const auto is_for_next_run = [&](const TieredFunction& function) {
    if (function.has_quick.load(std::memory_order_relaxed)) return generators_ == Generators::Both;
    return !function.asked.load(std::memory_order_relaxed) &&
           (function.waves.load(std::memory_order_relaxed) >= kWorthWhileWaves ||
            function.ticks.load(std::memory_order_relaxed) >= kWorthWhileTicks);
  };
  if (std::unique_lock lock(mutex_, std::try_to_lock); lock)
    for (TieredFunction& function : functions_)
      if (is_for_next_run(function) && std::ranges::find(functions, &function) == functions.end())
        functions.push_back(&function);
  PackedRequests requests;
  std::unique_lock lock(code_in_use_, std::try_to_lock);
  if (!lock) return {};
  for (const TieredFunction* function : functions) {
    const std::shared_ptr<Program> program = function->program;
    const bool careful = function->careful.load(std::memory_order_relaxed);
    const bool is_done =
        function->start.load(std::memory_order_relaxed) && !function->has_quick.load(std::memory_order_relaxed);
    if (!program || (is_done && !careful)) continue;
    const std::vector<std::byte> code = code_of(*program, function->entry_pc, most_bytes_);
    compile::Request request = request_for(*function, careful, *program, code);
    request.host = source_->host();
    requests.push_back(compile::pack(request));
  }
  return requests;
}

void Tier1::forget(uint64_t base, uint64_t bytes) noexcept {
  std::lock_guard code(code_in_use_);
  std::lock_guard lock(mutex_);
  for (TieredFunction& function : functions_)
    if (function.entry_pc - base < bytes) {
      function.start.store(nullptr, std::memory_order_relaxed);
      function.program.reset();
      function.dead.store(true, std::memory_order_release);
    }
  std::erase_if(translated_, [&](const auto& function) { return function->begin() - base < bytes; });
}

uint64_t Tier1::guest_pc_of(const void* pc, uint64_t otherwise) const noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& function : translated_)
    if (function->holds(pc)) {
      const uint64_t known = function->guest_pc_of(pc);
      return known ? known : function->begin() + otherwise;
    }
  return 0;
}

bool Tier1::is_translated(const void* pc) const noexcept {
  if (is_precompiled_code(pc)) return true;
  // A thread that has the lock itself is not in translated code; a lock that somebody else has is free soon.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  return std::ranges::any_of(translated_, [pc](const auto& function) { return function->holds(pc); });
}

void Tier1::obtain(TieredFunction& function, Effort effort) noexcept try {
  const Status status = try_to_obtain(function, effort);
  if (talkative_ && !status.ok() && !cancelled_.load(std::memory_order_relaxed))
    std::fprintf(stderr, "omnihip: tier 1: %s\n", status.message().c_str());
} catch (const std::bad_alloc&) { // the function stays in tier 0
  if (talkative_) std::fputs("omnihip: tier 1: The host has no memory for a translation.\n", stderr);
}

// A kernel whose waves leave its translation often is translated anew by the best generator at once: it has run for a
// while.
bool Tier1::wants_quick(const TieredFunction& function, bool careful) const noexcept {
  if (generators_ == Generators::Quick) return true;
  return generators_ == Generators::Both && !careful && !function.start.load(std::memory_order_relaxed);
}

Status Tier1::try_to_obtain(TieredFunction& function, Effort effort) {
  std::shared_ptr<Program> program;
  std::vector<std::byte> code; // a copy, so that unloading a module does not wait for its translation
  compile::Request request;
  const bool careful = function.careful.load(std::memory_order_relaxed);
  {
    std::lock_guard lock(code_in_use_);
    program = function.program;
    const bool has_best =
        function.start.load(std::memory_order_relaxed) && !function.has_quick.load(std::memory_order_relaxed);
    if (!program || (has_best && !careful)) return {}; // it is unmapped, or was requested twice
    code = code_of(*program, function.entry_pc, most_bytes_);
    request = request_for(function, careful, *program, code);
  }
  request.host = source_->host();
  request.cancelled = &cancelled_;
  request.quick = wants_quick(function, careful);
  std::optional<compile::Translation> translation;
  if (generators_ != Generators::Quick) translation = source_->stored(request);
  const bool was_stored = translation.has_value();
  if (!was_stored) {
    if (effort == Effort::Stored) return {};
    // Other translations have started with more threads than they would get now; there are too many for the time that these take.
    const OneMore others(translating_);
    request.threads = std::max(1u, threads() / (others.before() + 1));
    RT_TRY_ASSIGN(translation, source_->translate(request));
  }
  std::lock_guard in_use(code_in_use_);
  if (function.program != program) return {}; // it has been unmapped meanwhile
  if (!careful && function.careful.load(std::memory_order_relaxed)) return {}; // another thread makes, or has made, the careful one
  RT_TRY_ASSIGN(std::unique_ptr<TranslatedFunction> translated,
                TranslatedFunction::load(*program, function.entry_pc, code.size(), *translation));
  const size_t code_bytes = translated->code_bytes();
  if (talkative_)
    std::fprintf(stderr, "omnihip: tier 1: %s: %u instructions in %zu regions, %u left to tier 0, %zu bytes, %s%s\n",
                 name_of(*program, function.entry_pc).c_str(), translation->native, translation->exits.size(),
                 translation->foreign, code_bytes,
                 translation->quick ? was_stored ? "quick code from the cache" : "quick code"
                 : was_stored       ? "from the cache"
                                    : "translated",
                 careful ? ", without assumptions" : "");
  if (talkative_)
    for (const std::string& refusal : translation->refusals)
      std::fprintf(stderr, "omnihip: tier 1: %s: a part is LLVM's code. %s\n",
                   name_of(*program, function.entry_pc).c_str(), refusal.c_str());
  const Inst* start = translated->start();
  if (perf_map_) perf_map_->add(*program, *translated);
  if (function.is_kernel() && !careful) translated->count_side_exits(function.side_exits);
  for (const TranslatedFunction::Entry& entry : translated->entries())
    program->for_mode(entry.element->src[0]).set_translated(entry.address, entry.element);
  std::lock_guard lock(mutex_);
  translated_.push_back(std::move(translated));
  function.has_quick.store(translation->quick, std::memory_order_relaxed);
  if (translation->quick && generators_ == Generators::Both)
    function.best_at.store(function.ticks.load(std::memory_order_relaxed) + code_bytes * kTicksOfBestCode,
                           std::memory_order_relaxed);
  function.start.store(start, std::memory_order_release);
  function.asked.store(true, std::memory_order_release);
  return {};
}

} // namespace hip::engine
