// Source text -> tokens: where each ends, and that nothing is lost.
#include "lexer.h"

#include <catch2/catch.hpp>

using namespace hip::hipify;
using Kind = Token::Kind;

namespace {

std::vector<std::string> texts(const Tokens& tokens, Kind kind) {
  std::vector<std::string> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == kind) found.emplace_back(tokens.text(i));
  }
  return found;
}
using Words = std::vector<std::string>;

std::string joined(const Tokens& tokens) {
  std::string all;
  uint32_t at = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    CHECK(tokens[i].begin == at);
    CHECK(tokens[i].end > tokens[i].begin);
    at = tokens[i].end;
    all += tokens.text(i);
  }
  return all;
}

} // namespace

TEST_CASE("every byte is in one token") {
  const char* sources[] = {
      "",
      "int a;",
      "\xef\xbb\xbf#include <cuda.h>\r\n\tx = 'a' + \"\\\"\" // end\r\n/* two\r\nlines */\r\n",
      "R\"x(a)\" )x\" b\\\n c \\ \n d",
      "'unterminated\n\"also\n/* to the end",
      "a<<<b>>>c<<<<d \xc3\xa9 $ @ ` \\ \x01",
      "#define A \\\n  B \\\r\n  C\n#error don't \"stop\n",
      "R\"(never closed",
      "R\"tooooooooooooooolong(x)\"",
  };
  for (const char* source : sources) {
    INFO(source);
    const Tokens tokens(source);
    CHECK(joined(tokens) == source);
  }
}

TEST_CASE("comments end where C++ ends them") {
  const Tokens tokens("a // b \\\n c\nd /* e // */ f // g\r\nh /**/ i");
  CHECK(texts(tokens, Kind::Comment) == Words{"// b \\\n c", "/* e // */", "// g", "/**/"});
  CHECK(texts(tokens, Kind::Identifier) == Words{"a", "d", "f", "h", "i"});
}

TEST_CASE("strings, prefixes and raw strings") {
  const Tokens tokens("f(\"a\\\"b\", L\"c\", u8\"d\", R\"(e\\\")\", LR\"x(f)\")x\", 'g', L'\\'', \"h\\\ni\") Rx\"j\"");
  CHECK(texts(tokens, Kind::String) ==
        Words{"\"a\\\"b\"", "L\"c\"", "u8\"d\"", "R\"(e\\\")\"", "LR\"x(f)\")x\"", "\"h\\\ni\"", "\"j\""});
  CHECK(texts(tokens, Kind::Character) == Words{"'g'", "L'\\''"});
  CHECK(texts(tokens, Kind::Identifier) == Words{"f", "Rx"});
}

TEST_CASE("a literal without end stops at the end of its line") {
  const Tokens tokens("#if 0\ndon't say \"this\n#endif\ncudaFree");
  CHECK(texts(tokens, Kind::Character) == Words{"'t say \"this"});
  CHECK(texts(tokens, Kind::Identifier).back() == "cudaFree");
}

TEST_CASE("numbers with separators, exponents and suffixes") {
  const Tokens tokens("1'000'000 0xff'ffu 1e+5f .5 0x1p-3 1.f 3.x 'a' 0b1'0 12_km");
  CHECK(texts(tokens, Kind::Number) ==
        Words{"1'000'000", "0xff'ffu", "1e+5f", ".5", "0x1p-3", "1.f", "3.x", "0b1'0", "12_km"});
  CHECK(texts(tokens, Kind::Character) == Words{"'a'"});
}

TEST_CASE("line continuations are inside of names") {
  const Tokens tokens("cuda\\\nMal\\\r\nloc(x) \\\n y");
  const Words names = texts(tokens, Kind::Identifier);
  REQUIRE(names.size() == 3);
  CHECK(names[0] == "cuda\\\nMal\\\r\nloc");
  CHECK(tokens.spelling(0) == "cudaMalloc");
  CHECK(tokens[0].spliced);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.text(i) == "y") CHECK(tokens[i].line == 4);
  }
}

TEST_CASE("directives") {
  const Tokens tokens("  # include <a b.h> // c\n#include \"d.h\"\n#include MACRO\nx = a < b > c;\n"
                      "#if __has_include(<e.h>) && 1 < 2\n#error it's <no> \\\n good\ny # <z>\n");
  CHECK(texts(tokens, Kind::HeaderName) == Words{"<a b.h>", "\"d.h\"", "<e.h>"});
  CHECK(texts(tokens, Kind::Text) == Words{"it's <no> \\\n good"});
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.text(i) == "include" || tokens.text(i) == "MACRO") CHECK(tokens[i].in_directive);
    if (tokens.text(i) == "x" || tokens.text(i) == "y" || tokens.text(i) == "z") CHECK(!tokens[i].in_directive);
  }
}

TEST_CASE("launches, shifts and marks of a merge conflict") {
  const Tokens tokens("k<<<1, 2>>>(a << 3); ::b->c\n<<<<<<< HEAD\n");
  const Words punctuators = texts(tokens, Kind::Punctuator);
  CHECK(punctuators == Words{"<<<", ",", ">", ">", ">", "(", "<<", ")", ";", "::", "->"});
  CHECK(texts(tokens, Kind::Other) == Words{"<<<<<<<"});
}

TEST_CASE("lines and columns") {
  const Tokens tokens("a\r\n  b /* \n */ c\n\n\td\re");
  auto check = [&](const char* name, uint32_t line, uint32_t column) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens.text(i) != name) continue;
      INFO(name);
      CHECK(tokens[i].line == line);
      CHECK(tokens.column(i) == column);
    }
  };
  check("a", 1, 1);
  check("b", 2, 3);
  check("c", 3, 5);
  check("d", 5, 2);
  check("e", 6, 1);
  CHECK(tokens.line_count() == 6);
  CHECK(Tokens("").line_count() == 0);
  CHECK(Tokens("a\n").line_count() == 1);
  CHECK(Tokens("a\nb").line_count() == 2);
}

TEST_CASE("neighbours skip blanks, and directives where the place is in none") {
  const Tokens tokens("f(a,\n#pragma unroll\n b /* c */ )");
  size_t comma = 0, hash = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.text(i) == ",") comma = i;
    if (tokens.text(i) == "unroll") hash = i;
  }
  CHECK(tokens.text(tokens.next(comma)) == "b");
  CHECK(tokens.text(tokens.previous(tokens.next(comma))) == ",");
  CHECK(tokens.next(hash) == Tokens::kNone);
  CHECK(tokens.text(tokens.previous(hash)) == "pragma");
}
