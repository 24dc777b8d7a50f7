// runtime/engine/tiering/translation_source.cpp - see translation_source.h.
#include "runtime/engine/tiering/translation_source.h"

#include "runtime/base/build_id.h"
#include "runtime/engine/store/stored_translation.h"

#include <dlfcn.h>

namespace hip::engine {
namespace {

constexpr const char *kName = "libomnihip_translator.so", *kFinisher = "omnihip-translate";

// Beside the shared object that holds the engine.
std::string translator_path() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void*>(&translator_path), &self) || !self.dli_fname) return kName;
  std::string path = self.dli_fname;
  path.erase(path.find_last_of('/') + 1);
  return path + kName;
}

} // namespace

TranslationSource::TranslationSource(HostIsa isa)
    : path_(translator_path()), build_(build_id_of(path_)),
      cache_(build_.empty() ? CodeCache({}, 0, {}) : CodeCache::from_environment("code", build_)),
      host_(compile::HostCpu::detect(isa)) {}

std::string TranslationSource::finisher() const { return path_.substr(0, path_.find_last_of('/') + 1) + kFinisher; }

// The translator's shared object is opened once and stays open.
compile::Translator* TranslationSource::translator() {
  static compile::Translator* const translator = [this]() -> compile::Translator* {
    void* object = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!object && build_.empty()) object = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
    if (!object) return nullptr;
    auto create = reinterpret_cast<decltype(&omnihip_translator_create)>(dlsym(object, "omnihip_translator_create"));
    return create ? create(compile::kTranslatorAbiVersion) : nullptr;
  }();
  return translator;
}

std::optional<compile::Translation> TranslationSource::stored(const compile::Request& request) const {
  if (!cache_.enabled()) return std::nullopt;
  for (const compile::CodeKind kind : {compile::CodeKind::Best, compile::CodeKind::Quick}) {
    if (kind == compile::CodeKind::Quick && !request.quick) break;
    const std::optional<CodeCache::Bytes> bytes = cache_.find(compile::key_of(request, build_, kind));
    if (!bytes) continue;
    if (auto translation = compile::unpack(*bytes, request.end - request.begin)) return translation;
  }
  return std::nullopt;
}

Result<compile::Translation> TranslationSource::translate(const compile::Request& request) {
  compile::Translator* translator = this->translator();
  if (!translator)
    return error(ErrorCode::NotSupported, "The translator {} cannot be loaded, or is of another version.", path_);
  RT_TRY_ASSIGN(compile::Translation translation, translator->translate(request));
  const compile::CodeKind kind = translation.quick ? compile::CodeKind::Quick : compile::CodeKind::Best;
  if (cache_.enabled()) cache_.store(compile::key_of(request, build_, kind), compile::pack(translation));
  return translation;
}

} // namespace hip::engine
