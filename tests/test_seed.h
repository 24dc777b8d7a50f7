// test_seed.h - where a test's random numbers start.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace hip::testing {

// The seed that a test names, so that a failure comes again. With OMNIHIP_TEST_SEED set to another number than 0, a
// seed made of both: the tests then try other cases, for each such number the same ones.
inline uint64_t seeded(uint64_t own) {
  static const uint64_t chosen = [] {
    const char* text = std::getenv("OMNIHIP_TEST_SEED");
    const uint64_t number = text ? std::strtoull(text, nullptr, 0) : 0;
    if (number != 0) std::fprintf(stderr, "OMNIHIP_TEST_SEED=%llu\n", static_cast<unsigned long long>(number));
    return number;
  }();
  return own + chosen * 0xd1342543de82ef95ull;
}

} // namespace hip::testing
