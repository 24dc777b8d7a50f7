#include "runtime/hsa_check/check.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/hsa_check/book.h"
#include "runtime/hsa_check/report.h"

#include <atomic>
#include <cstdlib>

namespace hip::hsa_check {

Functions next;

namespace {

std::atomic<Mode> in_force{Mode::Off};

constexpr struct {
  std::string_view name, advice;
} kRules[] = {
#define HSA_RULE(identifier, name, advice) {name, advice},
#include "runtime/hsa_check/rules.def"
#undef HSA_RULE
};

} // namespace

void write_finding(Rule rule, std::string_view where, std::string_view what) {
  const auto& row = kRules[static_cast<size_t>(rule)];
  write_log(LogLevel::Fault, fmt::format("HSA check [{}] {}: {} {}", row.name, where, what, row.advice));
  if (in_force.load() == Mode::Stop) std::abort();
}

Result<Mode> mode() {
  RT_TRY_ASSIGN(const int64_t number, env_number(Env::OMNIHIP_HSA_CHECK, 0, 2));
  return static_cast<Mode>(number);
}

Status start(Mode mode, const std::function<void*(const char*)>& lookup) {
  in_force.store(mode);
#define HSA_CHECKED(name) next.name = reinterpret_cast<decltype(::name)*>(lookup(#name));
#define HSA_ASKED(name)                                                                                                \
  HSA_CHECKED(name)                                                                                                    \
  if (!next.name) return error(ErrorCode::NotSupported, "The HSA runtime cannot be checked: it has no " #name ".");
#include "runtime/hsa_check/functions.def"
#undef HSA_ASKED
#undef HSA_CHECKED
  book().begin();
  return {};
}

void* checking(const char* function) noexcept {
  static constexpr struct {
    std::string_view name;
    void* (*function)();
  } kCalls[] = {
#define HSA_ASKED(name)
#define HSA_CHECKED(name) {#name, [] { return reinterpret_cast<void*>(&calls::name); }},
#include "runtime/hsa_check/functions.def"
#undef HSA_ASKED
#undef HSA_CHECKED
  };
  for (const auto& each : kCalls)
    if (each.name == function) return each.function();
  return nullptr;
}

} // namespace hip::hsa_check
