// runtime/engine/tiering/perf_map.cpp - see perf_map.h.
#include "runtime/engine/tiering/perf_map.h"

#include "runtime/base/env.h"
#include "runtime/base/format.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <unistd.h>

namespace hip::engine {

std::unique_ptr<PerfMap> PerfMap::open_if_wanted() {
  if (env_text(Env::OMNIHIP_PERF_MAP) != "1") return nullptr;
  const std::string path = fmt::format("/tmp/perf-{}.map", getpid());
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file) return std::unique_ptr<PerfMap>(new PerfMap(file));
  std::fprintf(stderr, "omnihip: %s cannot be written for perf: %s\n", path.c_str(), std::strerror(errno));
  return nullptr;
}

void PerfMap::add(Program& program, const TranslatedFunction& function) {
  std::lock_guard lock(mutex_);
  for (const TranslatedFunction::Piece& piece : function.pieces()) {
    const Program::CodeLocation at = program.describe(piece.guest_pc ? piece.guest_pc : function.begin());
    std::fprintf(file_.get(), "%" PRIx64 " %" PRIx64 " %s", piece.begin, piece.end - piece.begin, at.function.c_str());
    if (piece.guest_pc) std::fprintf(file_.get(), "+0x%" PRIx64 " %s", at.offset, at.text.c_str());
    std::fputc('\n', file_.get());
  }
  std::fflush(file_.get());
}

} // namespace hip::engine
