// runtime/rtc/compiler/header_store.cpp - see header_store.h. An entry is the names' length, the names, and the header.
#include "runtime/rtc/compiler/header_store.h"

#include "runtime/rtc/compiler_cache.h"

#include <cstring>

namespace hip::rtc {

HeaderStore::HeaderStore(const std::string& sdk) : cache_(open_compiler_cache("rtc-headers", sdk)) {}

std::optional<PrecompiledHeader> HeaderStore::find(const std::string& name) const {
  const std::optional<CodeCache::Bytes> entry = cache_.find(CodeCache::key_of(name));
  uint64_t size = 0;
  if (!entry || entry->size() < sizeof size) return std::nullopt;
  std::memcpy(&size, entry->data(), sizeof size);
  if (size > entry->size() - sizeof size) return std::nullopt;
  const auto* const names = reinterpret_cast<const char*>(entry->data()) + sizeof size;
  return PrecompiledHeader{{names + size, entry->size() - sizeof size - size}, {names, size}};
}

void HeaderStore::store(const std::string& name, const PrecompiledHeader& header) {
  const uint64_t size = header.names.size();
  CodeCache::Bytes entry(sizeof size + header.names.size() + header.pch.size());
  std::memcpy(entry.data(), &size, sizeof size);
  std::memcpy(entry.data() + sizeof size, header.names.data(), header.names.size());
  std::memcpy(entry.data() + sizeof size + header.names.size(), header.pch.data(), header.pch.size());
  cache_.store(CodeCache::key_of(name), entry);
}

} // namespace hip::rtc
