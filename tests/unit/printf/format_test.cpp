#include "runtime/backend/aql/printf/printf_format.h"

#include "slots.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <cinttypes>
#include <cstdio>
#include <random>

using namespace hip::aql;
using test::Slots;

namespace {

std::string run(std::string_view format, const Slots& slots = {}) { return format_printf(format, slots.bytes()); }

// What the C library prints; the reference for everything that is well formed.
template<class... A> std::string host(const char* format, A... values) {
  char text[8192];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  const int size = std::snprintf(text, sizeof(text), format, values...);
#pragma clang diagnostic pop
  return std::string(text, static_cast<size_t>(size));
}

} // namespace

TEST_CASE("printf: integers of every length", "[printf]") {
  const int64_t value =
      GENERATE(int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{300}, INT64_MIN, INT64_MAX, int64_t{0x12345678});
  const Slots slots = Slots().add(value);
  for (const std::string conversion : {"d", "i", "u", "o", "x", "X"})
    for (const std::string flags : {"", "-", "+", " ", "#", "0", "-+#", "+ 0"})
      for (const std::string field : {"", "1", "24", ".0", ".9", "30.20"}) {
        const std::string start = "[%" + flags + field;
        INFO(start + conversion << " of " << value);
        CHECK(run(start + conversion + "]", slots) ==
              host((start + conversion + "]").c_str(), static_cast<int>(value)));
        CHECK(run(start + "hh" + conversion + "]", slots) ==
              host((start + "hh" + conversion + "]").c_str(), static_cast<signed char>(value)));
        CHECK(run(start + "h" + conversion + "]", slots) ==
              host((start + "h" + conversion + "]").c_str(), static_cast<short>(value)));
        for (const std::string length : {"l", "ll", "j", "z", "t"})
          CHECK(run(start + length + conversion + "]", slots) ==
                host((start + length + conversion + "]").c_str(), value));
      }
}

TEST_CASE("printf: floating point", "[printf]") {
  const double value =
      GENERATE(0.0, -0.0, 1.0, -2.5, 1e300, 1e-300, 3.14159265358979, HUGE_VAL, -HUGE_VAL, 123456789.0);
  for (const std::string conversion : {"f", "F", "e", "E", "g", "G", "a", "A"})
    for (const std::string field : {"", "20", "-20", "020", ".0", ".3", "+", "#.0", " 12.4"}) {
      const std::string format = "%" + field + conversion;
      INFO(format << " of " << value);
      CHECK(run(format, Slots().add(value)) == host(format.c_str(), value));
      CHECK(run("%" + field + "l" + conversion, Slots().add(value)) == host(format.c_str(), value));
    }
}

TEST_CASE("printf: characters, pointers, percent signs", "[printf]") {
  CHECK(run("%c%c", Slots().add(int64_t{'h'}).add(int64_t{'i'})) == "hi");
  CHECK(run("%-4c|", Slots().add(int64_t{'h'})) == "h   |");
  CHECK(run("100%%") == "100%");
  CHECK(run("%p", Slots().add(int64_t{0x1234})) == "0x1234");
  CHECK(run("") == "");
  CHECK(run("no conversion\n") == "no conversion\n");
}

TEST_CASE("printf: texts", "[printf]") {
  CHECK(run("[%s]", Slots().text("hello")) == "[hello]");
  CHECK(run("[%8s|%-8s|%.2s]", Slots().text("abc").text("abc").text("abc")) == "[     abc|abc     |ab]");
  CHECK(run("%s%d%s", Slots().text("1234567").add(int64_t{8}).text("12345678")) == "1234567812345678");
  CHECK(run("[%s]", Slots().text("")) == "[]");
}

TEST_CASE("printf: a null text takes no slot", "[printf]") {
  CHECK(run("[%s]") == "[(null)]");
  CHECK(run("%d [%s] %d", Slots().add(int64_t{1}).add(int64_t{2})) == "1 [(null)] 2");
  CHECK(run("%s %s %d", Slots().add(int64_t{7})) == "(null) (null) 7");
}

TEST_CASE("printf: width and precision from arguments", "[printf]") {
  CHECK(run("[%*d]", Slots().add(int64_t{5}).add(int64_t{42})) == "[   42]");
  CHECK(run("[%*d]", Slots().add(int64_t{-5}).add(int64_t{42})) == "[42   ]");
  CHECK(run("[%.*f]", Slots().add(int64_t{2}).add(3.14159)) == "[3.14]");
  CHECK(run("[%.*f]", Slots().add(int64_t{-2}).add(0.5)) == "[0.500000]");
  CHECK(run("[%*.*s]", Slots().add(int64_t{6}).add(int64_t{2}).text("abc")) == "[    ab]");
}

TEST_CASE("printf: %n takes its argument and writes nothing", "[printf]") {
  CHECK(run("a%nb%d", Slots().add(int64_t{0x10}).add(int64_t{3})) == "ab3");
}

TEST_CASE("printf: formats and arguments that are not right", "[printf]") {
  CHECK(run("%d %d", Slots().add(int64_t{1})) == "1 (missing)");
  CHECK(run("%*d") == "(missing)");
  CHECK(run("%") == "%");
  CHECK(run("50%") == "50%");
  CHECK(run("%5") == "%5");
  CHECK(run("%y %d", Slots().add(int64_t{1})) == "%y 1");
  CHECK(run("%99999999999999999999d", Slots().add(int64_t{1})).size() == 4095);
  CHECK(run("%.99999999999999999999d", Slots().add(int64_t{1})).size() == 4095);
  CHECK(run("%*d", Slots().add(INT64_MAX).add(int64_t{1})).size() <= 4095);
  CHECK(run("%.4095f", Slots().add(1e308)).size() == 309 + 1 + 4095);
}

TEST_CASE("printf: random formats neither crash nor read beyond the arguments", "[printf]") {
  std::mt19937 random(hip::testing::seeded(99));
  constexpr std::string_view kLetters = "%%%%%diouxXcspfeEgGaAnlhjztL-+ #0'*.123 abc";
  for (int round = 0; round < 20000; ++round) {
    std::string format;
    for (size_t i = 0, n = random() % 24; i < n; ++i) format += kLetters[random() % kLetters.size()];
    // Exactly sized heap memory: the address sanitizer sees any byte beyond it.
    std::vector<std::byte> slots(random() % 40);
    for (std::byte& b : slots) b = static_cast<std::byte>(random() % 3 ? random() : 0);
    (void)format_printf(format, slots);
  }
}

TEST_CASE("printf: hostile size", "[printf]") {
  std::string format;
  for (int i = 0; i < 100000; ++i) format += "%4095d";
  Slots slots;
  for (int i = 0; i < 100000; ++i) slots.add(int64_t{1});
  CHECK(run(format, slots).size() < (size_t{1} << 24) + 8192);
}
