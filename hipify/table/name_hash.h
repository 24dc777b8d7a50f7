// hipify/table/name_hash.h - the hash of a name, for the table's index: computed at build time by make_table and for
// every identifier by the lookup, so both have to include this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hip::hipify {

constexpr size_t kIndexSlots = 32768;

// FNV-1a.
constexpr uint32_t name_hash(std::string_view name) {
  uint32_t hash = 2166136261u;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash ^ (hash >> 15);
}

} // namespace hip::hipify
