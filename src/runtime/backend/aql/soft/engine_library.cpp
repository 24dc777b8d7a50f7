#include "runtime/backend/aql/soft/engine_library.h"

#include "runtime/base/beside.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

#include <dlfcn.h>
#include <string>

namespace hip::aql::soft {

namespace {
constexpr const char* kName = "libomnihip_engine.so";
} // namespace

Result<std::unique_ptr<engine::Engine>> open_engine(const engine::AddressSpace& space) {
  std::string path(env_text(Env::OMNIHIP_ENGINE));
  if (path.empty()) path = path_beside(reinterpret_cast<const void*>(&open_engine), kName);
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
