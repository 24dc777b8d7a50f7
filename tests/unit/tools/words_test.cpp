// The words of a command line, and tables as CSV.
#include "option_words.h"
#include "report.h"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace hip::tools;

namespace {

// Of the words "a b", those that option_words makes, with values in brackets.
std::string split(const std::vector<std::string_view>& arguments) {
  std::string out;
  for (const OptionWord& word : option_words(arguments, "dg"))
    out += (out.empty() ? "" : " ") + word.text + (word.value ? "[" + *word.value + "]" : "");
  return out;
}

} // namespace

TEST_CASE("Options have values in their own word, and letters stand together", "[tools]") {
  CHECK(split({"-d", "0", "--device", "1"}) == "-d 0 --device 1");
  CHECK(split({"-d0", "-d=0", "-d12", "--device=0"}) == "-d[0] -d[0] -d[12] --device[0]");
  CHECK(split({"-tu", "-tPc", "-tud=1", "-ud1"}) == "-t -u -t -P -c -t -u -d[1] -u -d[1]");
  CHECK(split({"-t=1", "--json=", "-d="}) == "-t[1] --json[] -d[]");
  CHECK(split({"--showmeminfo=vram", "--a=b=c", "word=1", "-", "--"}) == "--showmeminfo[vram] --a[b=c] word=1 - --");
  CHECK(split({"-dffff:00:00.0"}) == "-d[ffff:00:00.0]");
  CHECK(split({}).empty());
}

TEST_CASE("An option takes the value of its word, else the words behind it", "[tools]") {
  using Values = std::vector<std::string>;
  const std::vector<std::string_view> arguments = {"-d0", "1", "--gpu", "2", "", "-t", "-d"};
  const std::vector<OptionWord> words = option_words(arguments, "dg");
  size_t at = 0;
  CHECK(take_values(words, at) == Values{"0"});
  CHECK(at == 0);
  at = 2;
  CHECK(take_values(words, at) == Values{"2", ""});
  CHECK(at == 4);
  CHECK(words[at + 1].text == "-t");
  at = 6;
  CHECK(take_values(words, at).empty());
  CHECK(at == 6);
}

TEST_CASE("Rows as CSV, with what one of them lacks and with what needs quotes", "[tools]") {
  const std::vector<Fields> rows = {
      {text("device", "card0"), text("Vendor", "Devices, Inc."), quantity("power", "87", "W")},
      {text("device", "card1"), text("a \"b\"", "say \"x\"\nand y"), number("n", 7)},
  };
  CHECK(csv(rows) == "device,Vendor,power,\"a \"\"b\"\"\",n\n"
                     "card0,\"Devices, Inc.\",87,N/A,N/A\n"
                     "card1,N/A,N/A,\"say \"\"x\"\"\nand y\",7\n");
}

TEST_CASE("Groups become columns, and units are of text and JSON alone", "[tools]") {
  const Fields fields = {
      number("gpu", 0),
      group("power", {quantity("socket_power", "87", "W"), quantity("cap", kNone, "W")}),
      group("clock", {group("gfx_0", {quantity("clk", "2100", "MHz")}), text("locked", "no")}),
  };
  CHECK(csv(std::vector<Fields>{flattened(fields)}) == "gpu,socket_power,cap,gfx_0_clk,locked\n0,87,N/A,2100,no\n");
  CHECK(json(fields) == "{\"gpu\": 0, \"power\": {\"socket_power\": \"87 W\", \"cap\": \"N/A\"}, "
                        "\"clock\": {\"gfx_0\": {\"clk\": \"2100 MHz\"}, \"locked\": \"no\"}}");
}
