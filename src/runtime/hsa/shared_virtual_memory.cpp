#include "runtime/hsa/shared_virtual_memory.h"

#include "runtime/base/mapped.h"

namespace hip::hsa {

namespace {

constexpr uint64_t kPage = Memory::kGranule;
constexpr uint64_t kMostGranularity = 18; // log2 of pages, as ROCr

uint64_t address_of(const void* pointer) noexcept { return reinterpret_cast<uint64_t>(pointer); }
void* pointer_to(uint64_t address) noexcept { return reinterpret_cast<void*>(address); }

bool names_access(uint64_t attribute) noexcept {
  return attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE ||
         attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE || attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
}

uint64_t handle_of(const Agent* agent) noexcept { return agent ? agent->handle().handle : 0; }

} // namespace

SharedVirtualMemory::SharedVirtualMemory(const std::vector<std::unique_ptr<Agent>>& agents, Memory& memory,
                                         Signals& signals, Callbacks& callbacks)
    : agents_(agents), memory_(memory), signals_(signals), callbacks_(callbacks) {
  initial_.accessible.set(0); // by the host
}

SharedVirtualMemory::~SharedVirtualMemory() {
  for (const auto& [begin, range] : ranges_) share({begin, range.end}, aql::SharedAccess::None);
}

void SharedVirtualMemory::share(const Pages& pages, aql::SharedAccess access) {
  if (Status status = agents_[1]->gpu().share_host(pointer_to(pages.begin), pages.end - pages.begin, access);
      !status.ok())
    log(LogLevel::Warning, "Sharing memory: {}", status.message());
}

hsa_status_t SharedVirtualMemory::find_pages(const void* base, size_t bytes, Pages& out) const {
  const uint64_t address = address_of(base);
  if (address == 0 || bytes == 0 || address + bytes < address || address + bytes > UINT64_MAX - kPage)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  out = {address / kPage * kPage, (address + bytes + kPage - 1) / kPage * kPage};
  if (!is_mapped(out.begin, out.end - out.begin))
    return refuse(HSA_STATUS_ERROR, "{} bytes at {} are not all memory of the process.", bytes, base);
  for (const uint64_t at : {out.begin, out.end - 1})
    if (const auto found = memory_.find(pointer_to(at)); found && found->block.type != HSA_EXT_POINTER_TYPE_LOCKED)
      return refuse(HSA_STATUS_ERROR, "{} bytes at {} are not the process's own: {:#x} lies in an allocation of {}.",
                    bytes, base, at, found->block.pool ? found->block.pool->agent->name() : "virtual memory");
  return HSA_STATUS_SUCCESS;
}

std::optional<size_t> SharedVirtualMemory::number_of(uint64_t agent_handle) const noexcept {
  for (size_t i = 0; i < agents_.size() && i < kMostAgents; ++i)
    if (handle_of(agents_[i].get()) == agent_handle) return i;
  return std::nullopt;
}

template<class What> void SharedVirtualMemory::visit(const Pages& pages, const What& what) const {
  auto range = ranges_.upper_bound(pages.begin);
  if (range != ranges_.begin() && std::prev(range)->second.end > pages.begin) --range;
  uint64_t at = pages.begin;
  for (; range != ranges_.end() && range->first < pages.end; ++range) {
    if (at < range->first) what(initial_);
    what(range->second.attributes);
    at = range->second.end;
  }
  if (at < pages.end) what(initial_);
}

void SharedVirtualMemory::split_at(uint64_t address) {
  auto range = ranges_.upper_bound(address);
  if (range == ranges_.begin() || (--range)->first == address || range->second.end <= address) return;
  ranges_[address] = range->second;
  range->second.end = address;
}

template<class What> void SharedVirtualMemory::change(const Pages& pages, const What& what) {
  split_at(pages.begin);
  split_at(pages.end);
  auto range = ranges_.lower_bound(pages.begin);
  for (uint64_t at = pages.begin; at < pages.end;) {
    if (range == ranges_.end() || range->first > at) {
      const uint64_t end = range == ranges_.end() ? pages.end : std::min(range->first, pages.end);
      range = ranges_.emplace_hint(range, at, Range{end, initial_});
    }
    Attributes& attributes = range->second.attributes;
    const aql::SharedAccess before = access(attributes);
    what(attributes);
    const uint64_t end = range->second.end;
    if (access(attributes) != before) share({at, end}, access(attributes));
    // Ranges that have become alike are one.
    if (attributes == initial_) {
      range = ranges_.erase(range);
    } else if (range != ranges_.begin() && std::prev(range)->second.end == at &&
               std::prev(range)->second.attributes == attributes) {
      std::prev(range)->second.end = end;
      range = ranges_.erase(range);
    } else {
      ++range;
    }
    at = end;
  }
  if (range == ranges_.end() || range == ranges_.begin() || range->first != pages.end) return;
  if (const auto last = std::prev(range);
      last->second.end == range->first && last->second.attributes == range->second.attributes) {
    last->second.end = range->second.end;
    ranges_.erase(range);
  }
}

// All software GPUs have one address space: what one of them may reach, the others may.
aql::SharedAccess SharedVirtualMemory::access(const Attributes& attributes) const noexcept {
  auto gpus = attributes.accessible | attributes.in_place;
  gpus.reset(0);
  if (gpus.none()) return aql::SharedAccess::None;
  return attributes.read_only ? aql::SharedAccess::Read : aql::SharedAccess::ReadWrite;
}

hsa_status_t SharedVirtualMemory::set(const void* base, size_t bytes, Pairs pairs) {
  uint64_t given = 0; // a bit for each attribute that is not an agent's access
  std::bitset<kMostAgents> told;
  for (const auto& [attribute, value] : pairs) {
    if (names_access(attribute)) {
      const auto agent = number_of(value);
      if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
      if (told.test(*agent)) return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
      told.set(*agent);
      continue;
    }
    if (attribute > HSA_AMD_SVM_ATTRIB_GPU_EXEC || attribute == HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{:#x} is no attribute that can be set.", attribute);
    if ((given >> attribute & 1) != 0) return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    given |= uint64_t{1} << attribute;
    if (attribute == HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG && value > HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (attribute == HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION && value != 0 && !number_of(value))
      return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  if (pairs.empty()) return HSA_STATUS_SUCCESS;
  Pages pages{};
  HSA_TRY(find_pages(base, bytes, pages));
  std::lock_guard guard(mutex_);
  change(pages, [&](Attributes& a) {
    for (const auto& [attribute, value] : pairs) switch (attribute) {
      case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        a.model = static_cast<hsa_amd_svm_model_t>(value);
        break;
      case HSA_AMD_SVM_ATTRIB_READ_ONLY:
        a.read_only = value != 0;
        break;
      case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
        a.hive_local = value != 0;
        break;
      case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
        a.granularity = std::min(value, kMostGranularity);
        break;
      case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
        a.preferred = value == 0 ? nullptr : agents_[*number_of(value)].get();
        break;
      case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
        a.read_mostly = value != 0;
        break;
      case HSA_AMD_SVM_ATTRIB_GPU_EXEC:
        a.executable = value != 0;
        break;
      default:
        a.accessible.set(*number_of(value), attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
        a.in_place.set(*number_of(value), attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
      }
  });
  return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedVirtualMemory::get(const void* base, size_t bytes, Pairs pairs) const {
  for (const auto& [attribute, value] : pairs) {
    if (attribute > HSA_AMD_SVM_ATTRIB_GPU_EXEC && attribute != HSA_AMD_SVM_ATTRIB_ACCESS_QUERY)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{:#x} is no attribute that can be asked for.", attribute);
    if (attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY && !number_of(value)) return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  if (pairs.empty()) return HSA_STATUS_SUCCESS;
  Pages pages{};
  HSA_TRY(find_pages(base, bytes, pages));
  std::lock_guard guard(mutex_);
  for (hsa_amd_svm_attribute_pair_t& pair : pairs) answer(pages, pair);
  return HSA_STATUS_SUCCESS;
}

void SharedVirtualMemory::answer(const Pages& pages, hsa_amd_svm_attribute_pair_t& pair) const {
  const auto everywhere = [&](const auto& holds) {
    bool all = true;
    visit(pages, [&](const Attributes& a) { all &= holds(a); });
    return all;
  };
  // The one place of all pages; none where they differ.
  const auto place = [&](const auto& of) {
    std::optional<const Agent*> one;
    visit(pages, [&](const Attributes& a) { one = !one || *one == of(a) ? of(a) : nullptr; });
    return handle_of(*one);
  };
  switch (pair.attribute) {
  case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
    pair.value = HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE;
    for (const auto model : {HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED, HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED})
      if (everywhere([model](const Attributes& a) { return a.model == model; })) pair.value = model;
    break;
  case HSA_AMD_SVM_ATTRIB_READ_ONLY:
    pair.value = everywhere([](const Attributes& a) { return a.read_only; });
    break;
  case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
    pair.value = everywhere([](const Attributes& a) { return a.hive_local; });
    break;
  case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
    pair.value = everywhere([](const Attributes& a) { return a.read_mostly; });
    break;
  case HSA_AMD_SVM_ATTRIB_GPU_EXEC:
    pair.value = everywhere([](const Attributes& a) { return a.executable; });
    break;
  case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
    pair.value = kMostGranularity;
    visit(pages, [&](const Attributes& a) { pair.value = std::min(pair.value, a.granularity); });
    break;
  case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
    pair.value = place([](const Attributes& a) { return a.preferred; });
    break;
  case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
    pair.value = place([](const Attributes& a) { return a.prefetch != 0 ? a.prefetching : a.prefetched; });
    break;
  default: { // the access that the agent has to all pages
    const size_t agent = *number_of(pair.value);
    pair.attribute = HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
    if (everywhere([agent](const Attributes& a) { return a.in_place.test(agent); }))
      pair.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE;
    else if (everywhere([agent](const Attributes& a) { return a.accessible.test(agent) || a.in_place.test(agent); }))
      pair.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
  }
  }
}

hsa_status_t SharedVirtualMemory::prefetch(const void* base, size_t bytes, const Agent& where,
                                           std::span<const hsa_signal_t> dependencies, aql::Signal* completion) {
  Pages pages{};
  HSA_TRY(find_pages(base, bytes, pages));
  std::vector<aql::Signal*> missing;
  for (const hsa_signal_t dependency : dependencies)
    if (to_signal(dependency)->value.load(std::memory_order_acquire) != 0) missing.push_back(to_signal(dependency));
  if (!missing.empty()) HSA_TRY(to_hsa(callbacks_.start())); // nothing can fail between here and the last watch
  Prefetch* begun = nullptr;
  {
    std::lock_guard guard(mutex_);
    auto made =
        std::make_unique<Prefetch>(Prefetch{*this, next_prefetch_++, pages, &where, missing.size(), completion});
    begun = made.get();
    prefetches_[begun->number] = std::move(made);
    change(pages, [&](Attributes& a) {
      a.prefetching = &where;
      a.prefetch = begun->number;
    });
  }
  if (missing.empty()) finish(*begun);
  for (aql::Signal* const signal : missing)
    HSA_TRY(to_hsa(callbacks_.watch(
        {signal, HSA_SIGNAL_CONDITION_EQ, 0, 0},
        [](hsa_signal_value_t, void* data) {
          auto& prefetch = *static_cast<Prefetch*>(data);
          if (--prefetch.dependencies == 0) prefetch.owner.finish(prefetch);
          return false;
        },
        begun)));
  return HSA_STATUS_SUCCESS;
}

void SharedVirtualMemory::finish(Prefetch& prefetch) {
  aql::Signal* const completion = prefetch.completion;
  const bool there = is_mapped(prefetch.pages.begin, prefetch.pages.end - prefetch.pages.begin);
  {
    std::lock_guard guard(mutex_);
    change(prefetch.pages, [&](Attributes& a) {
      if (there) a.prefetched = prefetch.where;
      if (a.prefetch != prefetch.number) return; // a later one is under way
      a.prefetch = 0;
      a.prefetching = nullptr;
    });
    prefetches_.erase(prefetch.number);
  }
  if (!there) log(LogLevel::Error, "Memory that is prefetched has been unmapped meanwhile.");
  if (!completion) return;
  if (there)
    completion->value.fetch_sub(1, std::memory_order_seq_cst);
  else
    completion->value.store(-1, std::memory_order_seq_cst);
  signals_.changed(*completion);
}

void SharedVirtualMemory::forget(const void* base, size_t bytes) {
  std::lock_guard guard(mutex_);
  change({address_of(base), address_of(base) + bytes}, [this](Attributes& a) { a = initial_; });
}

} // namespace hip::hsa
