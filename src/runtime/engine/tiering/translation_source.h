// runtime/engine/tiering/translation_source.h - where translations come from: the cache on disk, which needs no code
// generator, or else the translator, whose shared object is loaded when it is first needed.
//
// Thread safety: all functions from any thread.
#pragma once

#include "runtime/base/code_cache.h"
#include "runtime/engine/compile/translator.h"

#include <optional>
#include <string>
#include <vector>

namespace hip::engine {

class TranslationSource {
public:
  // Translations for this host, used as `isa`. Reads the environment (code_cache.h). There is no cache when the translator's file
  // is not found beside this code, because then its build id is unknown, by which cached translations are recognised.
  explicit TranslationSource(HostIsa isa);

  // The processor that requests are for.
  const compile::HostCpu& host() const noexcept { return host_; }
  // The translation of the request, when it is in the cache: the best code there, or, for a quick request, quick code.
  std::optional<compile::Translation> stored(const compile::Request& request) const;
  // Whether there is a cache.
  bool keeps() const noexcept { return cache_.enabled(); }
  // The program beside the translator that makes translations for processes that have ended.
  std::string finisher() const;
  // Translates, and keeps the result in the cache.
  Result<compile::Translation> translate(const compile::Request& request);

private:
  compile::Translator* translator();

  std::string path_; // of the translator
  std::vector<std::byte> build_;
  CodeCache cache_;
  compile::HostCpu host_;
};

} // namespace hip::engine
