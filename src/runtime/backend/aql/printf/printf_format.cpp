#include "runtime/backend/aql/printf/printf_format.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

namespace hip::aql {
namespace {

constexpr size_t kSlotBytes = 8;
constexpr int kMaxField = 4095;              // what C promises per conversion
constexpr size_t kMaxText = size_t{1} << 24; // a hostile format could otherwise ask for any amount

enum class Length { None, Char, Short, Long, LongLong, IntMax, Size, PtrDiff, LongDouble };

struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool width_is_argument = false, precision_is_argument = false;
  Length length = Length::None;
  char kind = 0;   // 0: the format ends inside the conversion
  size_t size = 0; // characters of the format from the percent sign on
};

constexpr std::string_view kFlags = "-+ #0'";

int parse_number(std::string_view format, size_t& at) {
  int value = 0;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
    value = std::min(value * 10 + (format[at] - '0'), kMaxField);
  return value;
}

Length parse_length(std::string_view format, size_t& at) {
  auto next_is = [&](char c) { return at < format.size() && format[at] == c; };
  if (at >= format.size()) return Length::None;
  switch (format[at]) {
  case 'h':
    ++at;
    return next_is('h') ? (++at, Length::Char) : Length::Short;
  case 'l':
    ++at;
    return next_is('l') ? (++at, Length::LongLong) : Length::Long;
  case 'q':
    ++at;
    return Length::LongLong;
  case 'j':
    ++at;
    return Length::IntMax;
  case 'z':
    ++at;
    return Length::Size;
  case 't':
    ++at;
    return Length::PtrDiff;
  case 'L':
    ++at;
    return Length::LongDouble;
  default:
    return Length::None;
  }
}

// `format` begins with the percent sign.
Conversion parse_conversion(std::string_view format) {
  Conversion c;
  size_t at = 1;
  for (; at < format.size() && kFlags.find(format[at]) != std::string_view::npos; ++at)
    if (c.flags.find(format[at]) == std::string::npos) c.flags += format[at];
  if (at < format.size() && format[at] == '*') {
    c.width_is_argument = true;
    ++at;
  } else if (at < format.size() && format[at] >= '1' && format[at] <= '9') {
    c.width = parse_number(format, at);
  }
  if (at < format.size() && format[at] == '.') {
    ++at;
    if (at < format.size() && format[at] == '*') {
      c.precision_is_argument = true;
      ++at;
    } else {
      c.precision = parse_number(format, at);
    }
  }
  c.length = parse_length(format, at);
  if (at < format.size()) c.kind = format[at++];
  c.size = at;
  return c;
}

bool takes_argument(const Conversion& c) {
  return c.kind != 0 && std::string_view("diouxXcspfFeEgGaAn").find(c.kind) != std::string_view::npos;
}
size_t slots_of(const Conversion& c) { return 1u + c.width_is_argument + c.precision_is_argument; }

// How many arguments the conversions of `format` take, and how many of these are texts.
struct Demand {
  size_t slots = 0, texts = 0;
};
Demand count_arguments(std::string_view format) {
  Demand demand;
  for (size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at)) {
    const Conversion c = parse_conversion(format.substr(at));
    at += c.size;
    if (!takes_argument(c)) continue;
    demand.slots += slots_of(c);
    demand.texts += c.kind == 's';
  }
  return demand;
}

class Formatter {
public:
  explicit Formatter(std::span<const std::byte> arguments) : arguments_(arguments) {}

  std::string run(std::string_view format) {
    later_ = count_arguments(format);
    while (!format.empty() && out_.size() < kMaxText) {
      const size_t percent = std::min(format.find('%'), format.size());
      out_ += format.substr(0, percent);
      format.remove_prefix(percent);
      if (format.empty()) break;
      Conversion c = parse_conversion(format);
      if (takes_argument(c)) {
        later_.slots -= slots_of(c);
        later_.texts -= c.kind == 's';
        convert(c);
      } else {
        out_ += c.kind == '%' ? "%" : format.substr(0, c.size); // what is not a conversion stays as it is
      }
      format.remove_prefix(c.size);
    }
    return std::move(out_);
  }

private:
  std::optional<uint64_t> take_slot() {
    if (arguments_.size() < kSlotBytes) return std::nullopt;
    uint64_t value;
    std::memcpy(&value, arguments_.data(), sizeof(value));
    arguments_ = arguments_.subspan(kSlotBytes);
    return value;
  }
  void missing() { out_ += "(missing)"; }

  void convert(Conversion& c) {
    if (c.width_is_argument && !take_field(c.width)) return missing();
    if (c.precision_is_argument && !take_field(c.precision)) return missing();
    if (c.width && *c.width < 0) { // a negative width argument is the flag '-'
      c.width = -*c.width;
      if (c.flags.find('-') == std::string::npos) c.flags += '-';
    }
    if (c.precision && *c.precision < 0) c.precision.reset(); // as if it were not given
    if (c.kind == 's') return convert_text(c);
    const auto slot = take_slot();
    if (!slot) return missing();
    switch (c.kind) {
    case 'd':
    case 'i':
      print(c, "j", static_cast<intmax_t>(signed_value(c.length, *slot)));
      break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      print(c, "j", static_cast<uintmax_t>(unsigned_value(c.length, *slot)));
      break;
    case 'c':
      print(c, "", static_cast<int>(static_cast<unsigned char>(*slot)));
      break;
    case 'p':
      print(c, "", reinterpret_cast<void*>(*slot));
      break;
    case 'n':
      break;
    default: {
      double value;
      std::memcpy(&value, &*slot, sizeof(value));
      print(c, "", value);
    }
    }
  }

  bool take_field(std::optional<int>& field) {
    const auto slot = take_slot();
    if (!slot) return false;
    field = std::clamp(static_cast<int>(static_cast<uint32_t>(*slot)), -kMaxField, kMaxField);
    return true;
  }

  static int64_t signed_value(Length length, uint64_t slot) {
    switch (length) {
    case Length::Char:
      return static_cast<int8_t>(slot);
    case Length::Short:
      return static_cast<int16_t>(slot);
    case Length::None:
      return static_cast<int32_t>(slot);
    default:
      return static_cast<int64_t>(slot);
    }
  }
  static uint64_t unsigned_value(Length length, uint64_t slot) {
    switch (length) {
    case Length::Char:
      return static_cast<uint8_t>(slot);
    case Length::Short:
      return static_cast<uint16_t>(slot);
    case Length::None:
      return static_cast<uint32_t>(slot);
    default:
      return slot;
    }
  }

  void convert_text(const Conversion& c) {
    std::string text = "(null)";
    // A null text takes no slot at all, so the text is certain to be null only when the slots that are left are no more
    // than the later conversions that are not texts need: then this text and all later ones must be null.
    const size_t needed = 1 + later_.slots, texts = 1 + later_.texts, left = arguments_.size() / kSlotBytes;
    if (left + texts > needed) {
      const auto* begin = reinterpret_cast<const char*>(arguments_.data());
      const size_t size = strnlen(begin, arguments_.size());
      text.assign(begin, size);
      const size_t slots_bytes = (size + 1 + kSlotBytes - 1) / kSlotBytes * kSlotBytes; // with its zero
      arguments_ = arguments_.subspan(std::min(slots_bytes, arguments_.size()));
    }
    if (c.precision) text.resize(std::min(text.size(), static_cast<size_t>(*c.precision)));
    const size_t width = c.width ? static_cast<size_t>(*c.width) : 0;
    const std::string padding(width > text.size() ? width - text.size() : 0, ' ');
    out_ += c.flags.find('-') == std::string::npos ? padding + text : text + padding;
  }

  // Prints one argument through the C library. The format is made here, so it has no length modifier but ours and no
  // conversion that writes memory.
  template<class T> void print(const Conversion& c, const char* length, T value) {
    std::string spec = "%" + c.flags;
    if (c.width) spec += std::to_string(*c.width);
    if (c.precision) spec += "." + std::to_string(*c.precision);
    spec += length;
    spec += c.kind;
    char text[kMaxField + 512]; // the longest double has 309 digits before its point
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(text, sizeof(text), spec.c_str(), value);
#pragma clang diagnostic pop
    if (size > 0) out_.append(text, std::min(static_cast<size_t>(size), sizeof(text) - 1));
  }

  std::span<const std::byte> arguments_;
  Demand later_; // of the conversions behind the current one
  std::string out_;
};

} // namespace

std::string format_printf(std::string_view format, std::span<const std::byte> arguments) {
  return Formatter(arguments).run(format);
}

void write_printf_text(PrintfStream stream, std::string_view text) noexcept {
  std::FILE* file = stream == PrintfStream::Stderr ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

} // namespace hip::aql
