// hipify/edits.h - the changes to one file: collected in any order while the file is read, applied once at the end.
// What no edit names is copied byte for byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hipify {

class Edits {
public:
  void replace(uint32_t begin, uint32_t end, std::string text) { edits_.push_back({begin, end, std::move(text)}); }
  void insert(uint32_t at, std::string text) { replace(at, at, std::move(text)); }
  void erase(uint32_t begin, uint32_t end) { replace(begin, end, {}); }

  bool empty() const { return edits_.empty(); }

  // Insertions at one place keep the order in which they were made, and stand in front of what is replaced there. An
  // edit that lies inside of another one is dropped: what an argument is called no longer matters when the argument
  // goes.
  std::string apply(std::string_view source) const;

private:
  struct Edit {
    uint32_t begin;
    uint32_t end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

} // namespace hip::hipify
