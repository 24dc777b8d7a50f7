// runtime/rtc/compiler/header_store.h - precompiled headers that the SDK does not come with, kept on disk
// (base/code_cache.h: the folder "rtc-headers" of the caches, OMNIHIP_CACHE=0 switches it off). Thread safety: any
// thread, any number of processes.
#pragma once

#include "runtime/base/code_cache.h"

#include <optional>
#include <string>

namespace hip::rtc {

struct PrecompiledHeader {
  std::string pch;   // the file that clang reads
  std::string names; // the macros that the headers ask for (asked_names.h), each between line ends
};

class HeaderStore {
public:
  explicit HeaderStore(const std::string& sdk);
  // `name` stands for all that the header depends on besides the SDK.
  std::optional<PrecompiledHeader> find(const std::string& name) const;
  void store(const std::string& name, const PrecompiledHeader& header);

private:
  CodeCache cache_;
};

} // namespace hip::rtc
