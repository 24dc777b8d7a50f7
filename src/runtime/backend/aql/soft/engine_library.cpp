#include "runtime/backend/aql/soft/engine_library.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"

#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace hip::aql::soft {

namespace {

constexpr const char* kName = "libomnihip_engine.so";

std::string beside_this_code() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&beside_this_code), &info) || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1) + kName;
}

} // namespace

Result<std::unique_ptr<engine::Engine>> open_engine(const engine::AddressSpace& space) {
  std::string path(env_text(Env::OMNIHIP_ENGINE));
  if (path.empty()) {
    path = beside_this_code();
    if (path.empty() || ::access(path.c_str(), R_OK) != 0) path = kName;
  }
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return error(ErrorCode::SharedObjectInitFailed,
                 "The software GPU's engine cannot be loaded: {}. Set OMNIHIP_ENGINE to its path.", ::dlerror());
  const auto create = reinterpret_cast<decltype(&omnihip_engine_create)>(::dlsym(library, "omnihip_engine_create"));
  if (!create)
    return error(ErrorCode::SharedObjectSymbolNotFound, "{} is no engine: it has no omnihip_engine_create.", path);
  std::string why;
  std::unique_ptr<engine::Engine> engine(create(engine::kEngineAbiVersion, &space, &why));
  if (!engine && !why.empty())
    return error(ErrorCode::SharedObjectInitFailed, "The engine {} cannot run here: {}", path, why);
  if (!engine)
    return error(ErrorCode::SharedObjectInitFailed,
                 "The engine {} is of another version than this runtime (interface {}).", path,
                 engine::kEngineAbiVersion);
  log(LogLevel::Info, "Loaded the engine {}.", path);
  return engine;
}

} // namespace hip::aql::soft
