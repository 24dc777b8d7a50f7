// tests/good.h - results that must be good; a test that gets an error instead shows its message and ends.
#pragma once

#include "runtime/base/status.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

namespace hip::test {

// The value of a result.
template<class T> T good(Result<T> result) {
  INFO((result.ok() ? std::string() : result.status().to_string()));
  REQUIRE(result.ok());
  return std::move(result).value();
}

} // namespace hip::test

#define REQUIRE_OK(...)                                                                                                \
  do {                                                                                                                 \
    const ::hip::Status require_ok_status = (__VA_ARGS__);                                                             \
    INFO(require_ok_status.to_string());                                                                               \
    REQUIRE(require_ok_status.ok());                                                                                   \
  } while (0)
