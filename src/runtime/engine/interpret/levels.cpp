// runtime/engine/interpret/levels.cpp - the host ISA levels of this build, and the choice among them. A level is the same sources
// compiled with one set of compiler flags (listed in interpret/CMakeLists.txt).
#include "runtime/base/env.h"
#include "runtime/base/format.h"
#include "runtime/engine/interpret/rows.h"

namespace hip::engine {

#define DECLARE_LEVEL(level)                                                                                           \
  namespace level {                                                                                                    \
  std::span<const OpRow> valu_rows_0() noexcept;                                                                       \
  std::span<const OpRow> valu_rows_1() noexcept;                                                                       \
  std::span<const OpRow> valu_rows_2() noexcept;                                                                       \
  std::span<const OpRow> valu_rows_3() noexcept;                                                                       \
  std::span<const OpRow> valu_rows_4() noexcept;                                                                       \
  std::span<const OpRow> mfma_rows() noexcept;                                                                         \
  std::span<const OpRow> wmma_rows() noexcept;                                                                         \
  std::span<const OpRow> memory_rows() noexcept;                                                                       \
  }
DECLARE_LEVEL(avx512)
DECLARE_LEVEL(avx2)
DECLARE_LEVEL(generic)
#undef DECLARE_LEVEL

#define LEVEL_GROUPS(level)                                                                                            \
  {level::valu_rows_0(), level::valu_rows_1(), level::valu_rows_2(), level::valu_rows_3(), level::valu_rows_4(),       \
   level::mfma_rows(),   level::wmma_rows(),   level::memory_rows(), salu_rows(),          flow_rows(),          lane_rows(),          block_rows()}

std::span<const HostLevel* const> host_levels() noexcept {
  static const HostLevel avx512_level = {"avx512", HostIsa::Avx512, LEVEL_GROUPS(avx512), run_wave};
  static const HostLevel avx2_level = {"avx2", HostIsa::Avx2, LEVEL_GROUPS(avx2), run_wave};
  static const HostLevel generic_level = {"generic", HostIsa::Generic, LEVEL_GROUPS(generic), run_wave};
  static const HostLevel* const levels[] = {&avx512_level, &avx2_level, &generic_level};
  return levels;
}

bool can_execute(const HostLevel& level) noexcept {
  switch (level.isa) {
  case HostIsa::Avx512: return __builtin_cpu_supports("x86-64-v4");
  case HostIsa::Avx2: return __builtin_cpu_supports("x86-64-v3");
  case HostIsa::Generic: return true;
  }
  return false;
}

const HostLevel* choose_host_level(std::string& why) {
  const std::string_view wanted = env_text(Env::OMNIHIP_HOST_ISA);
  if (wanted.empty()) {
    for (const HostLevel* level : host_levels())
      if (can_execute(*level)) return level;
    why = "This build of the engine holds no code that the processor can execute.";
    return nullptr;
  }
  std::string names;
  for (const HostLevel* level : host_levels()) {
    if (wanted != level->name) {
      names += (names.empty() ? "" : ", ") + std::string(level->name);
      continue;
    }
    if (can_execute(*level)) return level;
    why = fmt::format("OMNIHIP_HOST_ISA asks for '{}', which this processor cannot execute; unset it to get the best that "
                      "it can.", wanted);
    return nullptr;
  }
  why = fmt::format("OMNIHIP_HOST_ISA is '{}'; this build knows {}.", wanted, names);
  return nullptr;
}

} // namespace hip::engine
