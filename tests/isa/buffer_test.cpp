// Buffers: the rules of their descriptors, formats, and atomics.
#include "memory.h"
#include "small_floats.h"

#include <bit>
#include <map>

using namespace isa_test;
using namespace isa_test::memory;

namespace {

// Where a lane's element lies, and how many of `bytes` are inside.
struct Place {
  u64 offset;
  u32 inside;
};
// Where the descriptor's stride leads; of a swizzled buffer, whose elements have `element` bytes, else 0.
u64 offset_in_buffer(u32 stride, u32 index_stride, u32 element, u32 index, u64 offset) {
  if (!element) return u64(index) * stride + offset;
  const u32 group = 8u << index_stride;
  return (u64(index / group) * stride + offset / element * element) * group + index % group * element +
         offset % element;
}
// How many bytes from `begin` on lie below `end`, where each dword counts for itself.
u32 dwords_before(u64 end, u64 begin, u32 bytes) {
  u32 inside = 0;
  while (inside < bytes && begin + inside + std::min(4u, bytes) <= end) inside += std::min(4u, bytes);
  return inside;
}
Place place(const Descriptor& d, bool idxen, u32 index, u64 offset, u32 soffset, u32 lane, u32 bytes) {
  if (d.add_lane) index += lane;
  const u32 stride = d.stride | (d.add_lane ? d.data_format << 14 : 0);
  const u32 record = index < d.records && offset + bytes <= stride ? bytes : 0;
  return {offset_in_buffer(stride, d.index_stride, d.swizzle ? 4 : 0, index, offset) + soffset,
          stride && idxen ? record : dwords_before(d.records, offset + soffset, bytes)};
}
std::vector<Case> buffer_cases() {
  std::vector<Case> c;
  struct Form {
    const char* text;
    bool offen, idxen;
    u32 immediate;
  };
  // v0 an offset, v2 an index, v[2:3] both where both are there.
  const Form forms[] = {{"v0, s[4:7], s9 offen offset:4", true, false, 4},
                        {"v2, s[4:7], 0 idxen offset:12", false, true, 12},
                        {"off, s[4:7], s9 offset:16", false, false, 16},
                        {"v[2:3], s[4:7], s9 idxen offen", true, true, 0}};
  const Descriptor descriptors[] = {{.records = 1000},
                                    {.records = 40, .stride = 48},
                                    {.records = 40, .stride = 64, .swizzle = 2, .index_stride = 1},
                                    {.records = 90, .stride = 32, .add_lane = true, .data_format = 0},
                                    {.records = 0}};
  for (const Descriptor& d : descriptors)
    for (const Form& form : forms) {
      const auto prepare = [d](State& s) {
        set_descriptor(s, d);
        s.s[9] = s.s[9] % 32 * 4;
        for (u32 l = 0; l < 64; ++l) s.v[3][l] = s.v[3][l] % 16 * 4;
      };
      const auto at = [d, form](const State& b, u32 l, u32 bytes) {
        const u64 offset = u64(form.offen ? (form.idxen ? b.v[3][l] : b.v[0][l]) : 0) + form.immediate;
        const u32 soffset = std::string_view(form.text).find("s9") != std::string_view::npos ? b.s[9] : 0;
        return place(d, form.idxen, form.idxen ? b.v[2][l] : 0, offset, soffset, l, bytes);
      };
      for (u32 dwords = 1; dwords <= 4; ++dwords) {
        const std::string width = dwords == 1 ? "" : fmt::format("x{}", dwords),
                          data = dwords == 1 ? "v8" : fmt::format("v[8:{}]", 7 + dwords);
        c.push_back(
            {fmt::format("buffer_load_dword{} {}, {}", width, data, form.text), prepare, [=](const State& b, State& a) {
               b.each([&](u32 l) {
                 const Place p = at(b, l, 4 * dwords);
                 for (u32 k = 0; k < dwords; ++k) a.v[8 + k][l] = 4 * k < p.inside ? b.load<u32>(p.offset + 4 * k) : 0;
               });
             }});
        c.push_back({fmt::format("buffer_store_dword{} {}, {}", width, data, form.text), prepare,
                     [=](const State& b, State& a) {
                       b.each([&](u32 l) {
                         const Place p = at(b, l, 4 * dwords);
                         for (u32 k = 0; 4 * k < p.inside; ++k) a.store<u32>(p.offset + 4 * k, b.v[8 + k][l]);
                       });
                     }});
      }
      c.push_back({fmt::format("buffer_load_sshort v8, {}", form.text), prepare, [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 2);
                       a.v[8][l] = p.inside ? u32(int32_t(b.load<int16_t>(p.offset))) : 0;
                     });
                   }});
      c.push_back({fmt::format("buffer_load_ubyte_d16_hi v8, {}", form.text), prepare, [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 1);
                       a.v[8][l] = p.inside ? u32(b.load<uint8_t>(p.offset)) << 16 : 0; // the low half is cleared (ERRATA 59)
                     });
                   }});
      // Atomics: lane after lane.
      c.push_back({fmt::format("buffer_atomic_add v8, {} sc0", form.text), prepare, [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 4);
                       a.v[8][l] = p.inside ? a.load<u32>(p.offset) : 0;
                       if (p.inside) a.store<u32>(p.offset, a.load<u32>(p.offset) + b.v[8][l]);
                     });
                   }});
      const bool has_soffset = std::string_view(form.text).find("s9") != std::string_view::npos;
      const auto apart = [=](State& s) { // lanes' values lie upon each other or apart, and at multiples of their size
        prepare(s);
        s.s[9] = (s.s[9] & ~7u) + form.immediate % 8;
        for (u32 l = 0; l < 64; ++l) s.v[0][l] &= ~7u, s.v[3][l] &= ~7u;
      };
      if (!d.swizzle && (has_soffset || form.immediate % 8 == 0))
        c.push_back({fmt::format("buffer_atomic_umax_x2 v[8:9], {}", form.text), apart, [=](const State& b, State& a) {
                       b.each([&](u32 l) {
                         const Place p = at(b, l, 8);
                         if (p.inside == 8)
                           a.store<u64>(p.offset, std::max(a.load<u64>(p.offset), b.v[8][l] | u64(b.v[9][l]) << 32));
                       });
                     }});
      c.push_back({fmt::format("buffer_atomic_cmpswap v[8:9], {} sc0", form.text),
                   [=](State& s) {
                     prepare(s);
                     for (u32 l = 0; l < 64; l += 2) // every second lane finds what it compares with
                       if (const Place p = at(s, l, 4); p.inside) s.v[9][l] = s.load<u32>(p.offset);
                   },
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 4);
                       const u32 old = p.inside ? a.load<u32>(p.offset) : 0;
                       if (p.inside && old == b.v[9][l]) a.store<u32>(p.offset, b.v[8][l]);
                       a.v[8][l] = old;
                     });
                   }});
    }
  c.push_back({"buffer_atomic_pk_add_f16 v8, v0, s[4:7], 0 offen",
               [](State& s) {
                 set_descriptor(s, {});
                 for (u32 l = 0; l < 64; ++l) s.v[8][l] &= 0x3fff3fff;
                 for (auto& m : s.memory) m &= 0x3f;
               },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   const u32 old = a.load<u32>(b.v[0][l]), add = b.v[8][l];
                   const auto sum = [](u32 x, u32 y) {
                     return std::bit_cast<uint16_t>(
                         _Float16(std::bit_cast<_Float16>(uint16_t(x)) + std::bit_cast<_Float16>(uint16_t(y))));
                   };
                   a.store<u32>(b.v[0][l], sum(old, add) | u32(sum(old >> 16, add >> 16)) << 16);
                 });
               }});
  c.push_back({"buffer_atomic_min_f64 v[8:9], v0, s[4:7], 0 offen sc0",
               [](State& s) {
                 set_descriptor(s, {});
                 for (u32 l = 0; l < 64; ++l) s.v[9][l] &= 0x7fefffff, s.v[0][l] &= ~7u;
                 for (u32 k = 7; k < kMemoryBytes; k += 4) s.memory[k] &= 0x3f;
               },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   const double old = a.load<double>(b.v[0][l]),
                                with = std::bit_cast<double>(b.v[8][l] | u64(b.v[9][l]) << 32);
                   a.store<double>(b.v[0][l], with < old ? with : old);
                   a.v[8][l] = u32(std::bit_cast<u64>(old)), a.v[9][l] = u32(std::bit_cast<u64>(old) >> 32);
                 });
               }});
  return c;
}

// --- formats: by number, the bits of each component from the lowest on
const std::vector<std::vector<u32>> kComponents = {{},
                                                   {8},
                                                   {16},
                                                   {8, 8},
                                                   {32},
                                                   {16, 16},
                                                   {11, 11, 10},
                                                   {10, 11, 11},
                                                   {2, 10, 10, 10},
                                                   {10, 10, 10, 2},
                                                   {8, 8, 8, 8},
                                                   {32, 32},
                                                   {16, 16, 16, 16},
                                                   {32, 32, 32},
                                                   {32, 32, 32, 32}};
constexpr u32 kUnorm = 0, kSnorm = 1, kUscaled = 2, kSscaled = 3, kUint = 4, kSint = 5, kFloat = 7;
u64 bits_at(const State& s, u64 byte, u32 bit, u32 count) {
  u64 out = 0;
  for (u32 k = 0; k < count; ++k) out |= u64(s.memory[byte + (bit + k) / 8] >> ((bit + k) % 8) & 1) << k;
  return out;
}
void set_bits(State& s, u64 byte, u32 bit, u32 count, u64 v) {
  for (u32 k = 0; k < count; ++k) {
    uint8_t& b = s.memory[byte + (bit + k) / 8];
    b = uint8_t((b & ~(1u << ((bit + k) % 8))) | (v >> k & 1) << ((bit + k) % 8));
  }
}
int64_t signed_bits(u64 v, u32 count) { return v >> (count - 1) & 1 ? int64_t(v) - (int64_t(1) << count) : int64_t(v); }
SmallFormat small_of(u32 bits) {
  return {int(bits) - 5, 15, int(bits) + 1, Beyond::NanAndInfinity};
} // 10 and 11 bits: no sign
double number_of(u32 number, u64 v, u32 count) {
  const double most = double((u64(1) << count) - 1), half = double((u64(1) << (count - 1)) - 1);
  switch (number) {
  case kUnorm:
    return double(v) / most;
  case kSnorm:
    return std::max(-1.0, double(signed_bits(v, count)) / half);
  case kUscaled:
    return double(v);
  case kSscaled:
    return double(signed_bits(v, count));
  default:
    return count == 32   ? double(std::bit_cast<float>(u32(v)))
           : count == 16 ? value_of(kHalf, u32(v))
                         : value_of(small_of(count), u32(v));
  }
}

// Whether there is a format of these; of packed floats it is the only one that is tried.
bool is_format(u32 format, u32 number) {
  const bool wide = kComponents[format][0] == 32,
             packed = kComponents[format][0] < 16 && kComponents[format].size() == 3;
  if (wide) return number >= kUint;
  return packed ? number == kFloat : number != kFloat || kComponents[format][0] == 16;
}
constexpr u32 kNumberFormats[] = {kUnorm, kSnorm, kUscaled, kSscaled, kUint, kSint, kFloat};

// From gfx10 on a field of the descriptor says what lies inside, and from gfx11 on how many bytes of swizzled records
// stay together.
Place place_by_rule(const Descriptor& d, bool is_gfx10, u32 index, u64 offset, u32 soffset, u32 bytes) {
  const u32 element = is_gfx10 ? (d.swizzle & 2 ? 4 : 0) : d.swizzle ? 2u << d.swizzle : 0;
  const u64 at = offset_in_buffer(d.stride, d.index_stride, element, index, offset);
  const bool record = index < d.records && (is_gfx10 ? offset < d.stride : offset + bytes <= d.stride);
  const auto inside = [&]() -> u32 {
    if (d.rule == 0) return record ? bytes : 0;
    if (d.rule == 1) return index < d.records ? bytes : 0;
    if (d.rule == 2) return d.records != 0 ? bytes : 0;
    if (element && is_gfx10) return dwords_before(d.records, at + soffset, bytes);
    if (element && d.stride) return record ? bytes : 0;
    return dwords_before(d.records, offset + soffset, bytes);
  };
  return {at + soffset, inside()};
}
std::vector<Case> rule_cases(const char* target) {
  const bool is_gfx10 = std::string_view(target) == "gfx1030", is_gfx12 = std::string_view(target) == "gfx1201";
  const char* const nothing = is_gfx12 ? "null" : "0";
  struct Form {
    std::string text;
    bool offen, idxen, scalar;
    u32 immediate;
  };
  const Form forms[] = {{"v0, s[4:7], s9 offen offset:4", true, false, true, 4},
                        {fmt::format("v2, s[4:7], {} idxen offset:12", nothing), false, true, false, 12},
                        {"off, s[4:7], s9 offset:16", false, false, true, 16},
                        {"v[2:3], s[4:7], s9 idxen offen", true, true, true, 0}};
  std::vector<Descriptor> descriptors;
  for (u32 rule = 0; rule < 4; ++rule) {
    for (const u32 records : {0u, 40u, 150u, 2000u}) {
      descriptors.push_back({.records = records, .stride = 48, .rule = rule});
      descriptors.push_back({.records = records, .rule = rule});
      for (u32 swizzle = 1; swizzle < 4; ++swizzle)
        descriptors.push_back({.records = records, .stride = 32, .swizzle = swizzle, .rule = rule});
    }
  }
  std::vector<Case> c;
  for (const Descriptor& d : descriptors)
    for (const Form& form : forms) {
      const auto prepare = [d](State& s) {
        set_descriptor(s, d);
        s.s[9] = s.s[9] % 8 * 4;
        for (u32 l = 0; l < 64; ++l) s.v[0][l] %= 96, s.v[3][l] = s.v[3][l] % 24 * 4;
      };
      const auto at = [=](const State& b, u32 l, u32 bytes) {
        const u64 offset = u64(form.offen ? (form.idxen ? b.v[3][l] : b.v[0][l]) : 0) + form.immediate;
        return place_by_rule(d, is_gfx10, form.idxen ? b.v[2][l] : 0, offset, form.scalar ? b.s[9] : 0, bytes);
      };
      for (u32 dwords = 1; dwords <= (d.swizzle ? 1u : 4u); ++dwords) { // (no wider than what stays together)
        const std::string data = dwords == 1 ? "v8" : fmt::format("v[8:{}]", 7 + dwords);
        const std::string width = is_gfx10      ? "dword" + (dwords == 1 ? "" : fmt::format("x{}", dwords))
                                  : dwords == 1 ? "b32"
                                                : fmt::format("b{}", 32 * dwords);
        c.push_back(
            {fmt::format("buffer_load_{} {}, {}", width, data, form.text), prepare, [=](const State& b, State& a) {
               b.each([&](u32 l) {
                 const Place p = at(b, l, 4 * dwords);
                 for (u32 k = 0; k < dwords; ++k) a.v[8 + k][l] = 4 * k < p.inside ? b.load<u32>(p.offset + 4 * k) : 0;
               });
             }});
      }
      // (Where lanes' elements overlap only in part, no order is theirs.)
      c.push_back({fmt::format("buffer_store_{} v8, {}", is_gfx10 ? "dword" : "b32", form.text), prepare,
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 4);
                       if (p.inside) a.store<u32>(p.offset, b.v[8][l]);
                     });
                   }});
      c.push_back({fmt::format("buffer_load_{} v8, {}", is_gfx10 ? "ushort" : "u16", form.text), prepare,
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 2);
                       a.v[8][l] = p.inside ? b.load<uint16_t>(p.offset) : 0;
                     });
                   }});
      c.push_back({fmt::format("buffer_atomic_{} v8, {}", is_gfx10 ? "add" : "add_u32", form.text), prepare,
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       const Place p = at(b, l, 4);
                       if (p.inside) a.store<u32>(p.offset, a.load<u32>(p.offset) + b.v[8][l]);
                     });
                   }});
    }
  return c;
}

// How a processor's instructions and descriptors name formats: as a data format and a number format, or by one number,
// which here is the one that LLVM's assembler gives the format's name.
class Formats {
public:
  explicit Formats(const char* processor, const char* no_offset = "0") : no_offset(no_offset), processor_(processor) {
    if (pairs()) return;
    std::vector<Row> rows;
    std::vector<std::pair<u32, u32>> named;
    for (u32 format = 1; format < kComponents.size(); ++format)
      for (const u32 number : kNumberFormats)
        if (is_format(format, number) && has(format, number)) {
          rows.push_back({nullptr, fmt::format("tbuffer_load_format_x v8, v0, s[4:7], {} format:{} offen", no_offset,
                                               spelled(format, number))});
          named.emplace_back(format, number);
        }
    const std::vector<uint8_t> code = assemble(rows, processor_, 64);
    for (size_t k = 0; k < named.size(); ++k) {
      u32 dwords[2];
      std::memcpy(dwords, &code[k * kSlotBytes], sizeof dwords);
      unified_[named[k]] = processor_ == "gfx1201" ? dwords[1] >> 23 & 0x7f : dwords[0] >> 19 & 0x7f;
    }
  }
  bool pairs() const { return processor_ == "gfx942"; }
  // gfx11 dropped these.
  bool has(u32 format, u32 number) const {
    return pairs() || processor_ == "gfx1030" || format != 8 || (number != kUscaled && number != kSscaled);
  }
  std::string spelled(u32 format, u32 number) const {
    static const char* const kNames[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT"};
    if (pairs()) return fmt::format("{}", format | number << 4);
    std::string out = "[BUF_FMT";
    for (size_t k = kComponents[format].size(); k-- > 0;)
      out += fmt::format("_{}", kComponents[format][k]); // the highest first
    return out + "_" + kNames[number] + "]";
  }
  Descriptor descriptor(u32 format, u32 number, u32 records) const {
    const u32 bits = pairs() ? format << 3 | number : unified_.at({format, number});
    return {.records = records, .data_format = bits >> 3, .number_format = bits & 7};
  }
  const std::string no_offset;

private:
  std::string processor_;
  std::map<std::pair<u32, u32>, u32> unified_;
};
std::vector<Case> typed_cases(const Formats& formats) {
  std::vector<Case> c;
  static const char* const kLetters[] = {"x", "xy", "xyz", "xyzw"};
  const auto data = [](u32 count) { return count == 1 ? std::string("v8") : fmt::format("v[8:{}]", 7 + count); };
  const auto size_of = [](u32 format) {
    u32 bits = 0;
    for (u32 n : kComponents[format]) bits += n;
    return bits / 8;
  };
  // Numbers for stores: small ones, so that formats hold them, and special ones.
  const auto numbers = [](State& s) {
    for (u32 r = 8; r < 12; ++r)
      for (u32 l = 0; l < 64; ++l)
        s.v[r][l] = l % 5 == 0   ? 0x7fc00000
                    : l % 5 == 1 ? s.v[r][l]
                                 : std::bit_cast<u32>(float(int32_t(s.v[r][l])) * (l % 5 == 2 ? 0x1p-31f : 0x1p-18f));
  };
  for (u32 format = 1; format < 15; ++format)
    for (const u32 number : kNumberFormats) {
      if (!is_format(format, number) || !formats.has(format, number)) continue;
      const bool integer = number == kUint || number == kSint;
      for (u32 count = 1; count <= 4; ++count) {
        const Descriptor own = formats.descriptor(format, number, 1500);
        const std::string spelled = formats.spelled(format, number);
        const auto load = [=](const State& b, State& a) {
          b.each([&](u32 l) {
            u32 bit = 0;
            const bool inside = b.v[0][l] + size_of(format) <= 1500;
            for (u32 k = 0; k < count; ++k) {
              u32 v = k == 3 && inside ? (integer ? 1 : std::bit_cast<u32>(1.0f)) : 0; // what the format lacks
              if (k < kComponents[format].size() && inside) {
                const u32 n = kComponents[format][k];
                const u64 field = bits_at(b, b.v[0][l], bit, n);
                v = number == kUint   ? u32(field)
                    : number == kSint ? u32(signed_bits(field, n))
                                      : std::bit_cast<u32>(float(number_of(number, field, n)));
                if (number == kFloat && n == 32) v = u32(field);
                bit += n;
              } else if (!inside) {
                v = 0;
              }
              a.v[8 + k][l] = v;
            }
          });
        };
        const auto prepare = [=](State& s) {
          set_descriptor(s, own);
          if (number == kFloat) // no NaNs, whose payload is not specified
            for (u32 k = 0; k < kMemoryBytes; ++k) s.memory[k] &= format == 6 || format == 7 ? 0xbb : 0xbf;
        };
        if (format == 6 || format == 7) { // fields of 10 and 11 bits: exponents below the largest
          c.push_back({fmt::format("tbuffer_load_format_{} {}, v0, s[4:7], {} format:{} offen", kLetters[count - 1],
                                   data(count), formats.no_offset, spelled),
                       [=](State& s) {
                         set_descriptor(s, own);
                         for (u32 at = 0; at + 4 <= kMemoryBytes; at += 4)
                           for (u32 k = 0, bit = 0; k < 3; bit += kComponents[format][k++])
                             set_bits(s, at, bit + kComponents[format][k] - 1, 1, 0);
                       },
                       load});
        } else {
          c.push_back({fmt::format("tbuffer_load_format_{} {}, v0, s[4:7], {} format:{} offen", kLetters[count - 1],
                                   data(count), formats.no_offset, spelled),
                       prepare, load});
          c.push_back({fmt::format("buffer_load_format_{} {}, v0, s[4:7], {} offen", kLetters[count - 1], data(count),
                                   formats.no_offset),
                       prepare, load});
        }
        if (number == kFloat) continue; // stores of floats are tested below
        c.push_back({fmt::format("tbuffer_store_format_{} {}, v0, s[4:7], {} format:{} offen", kLetters[count - 1],
                                 data(count), formats.no_offset, spelled),
                     [=](State& s) {
                       set_descriptor(s, own);
                       if (!integer) numbers(s);
                     },
                     [=](const State& b, State& a) {
                       b.each([&](u32 l) {
                         if (b.v[0][l] + size_of(format) > 1500) return;
                         u32 bit = 0;
                         for (u32 k = 0; k < count && k < kComponents[format].size(); ++k) {
                           const u32 n = kComponents[format][k], raw = b.v[8 + k][l];
                           const int64_t most =
                               (int64_t(1) << (number == kSint || number == kSnorm || number == kSscaled ? n - 1 : n)) -
                               1;
                           const int64_t least = number == kSint || number == kSscaled ? -most - 1
                                                 : number == kSnorm                    ? -most
                                                                                       : 0;
                           int64_t v;
                           if (integer) {
                             v = number == kUint ? int64_t(raw) : int64_t(int32_t(raw));
                           } else {
                             const float f = std::bit_cast<float>(raw);
                             const double scaled = std::isnan(f)                          ? 0
                                                   : number == kUnorm || number == kSnorm ? double(f) * double(most)
                                                                                          : std::trunc(double(f));
                             v = int64_t(std::nearbyint(std::min(std::max(scaled, double(least)), double(most))));
                           }
                           set_bits(a, b.v[0][l], bit, n, u64(std::clamp(v, least, most)));
                           bit += n;
                         }
                       });
                     }});
      }
    }
  if (!formats.pairs()) return c;
  // Halves: two components in a register, converted to f16 or cut off.
  c.push_back({"buffer_load_format_d16_xyz v[8:9], v0, s[4:7], 0 offen",
               [](State& s) { set_descriptor(s, {.data_format = 10, .number_format = kUnorm}); },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   const auto half = [&](u32 k) {
                     return u32(std::bit_cast<uint16_t>(_Float16(float(b.memory[b.v[0][l] + k] / 255.0))));
                   };
                   a.v[8][l] = half(0) | half(1) << 16, a.v[9][l] = half(2);
                 });
               }});
  c.push_back({"buffer_load_format_d16_hi_x v8, v0, s[4:7], 0 offen",
               [](State& s) { set_descriptor(s, {.data_format = 1, .number_format = kSint}); },
               [](const State& b, State& a) {
                 b.each(
                     [&](u32 l) { a.v[8][l] = u32(int32_t(b.load<int8_t>(b.v[0][l]))) << 16; });
               }});
  c.push_back({"tbuffer_store_format_d16_xy v8, v0, s[4:7], 0 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_UINT] offen",
               [](State& s) { set_descriptor(s, {}); },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   if (b.v[0][l] + 8 > kMemoryBytes) return;
                   a.store<u32>(b.v[0][l], b.v[8][l] & 0xffff), a.store<u32>(b.v[0][l] + 4, b.v[8][l] >> 16);
                 });
               }});
  // The resource's selection.
  c.push_back({"buffer_load_format_xyzw v[8:11], v0, s[4:7], 0 offen",
               [](State& s) {
                 set_descriptor(s, {.data_format = 10, .number_format = kUint, .select = 6 | 0 << 3 | 1 << 6 | 4 << 9});
               },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   const uint8_t* m = &b.memory[b.v[0][l]];
                   a.v[8][l] = m[2], a.v[9][l] = 0, a.v[10][l] = 1, a.v[11][l] = m[0];
                 });
               }});
  return c;
}
std::vector<Case> spelled_for_gfx90a(std::vector<Case> all) {
  for (Case& c : all)
    if (const size_t at = c.text.find(" sc0"); at != c.text.npos) c.text.replace(at, 4, " glc");
  return all;
}

} // namespace

TEST_CASE("Buffers end where their descriptors say") {
  check(buffer_cases(), "gfx942");
  check(spelled_for_gfx90a(buffer_cases()), "gfx90a");
}
TEST_CASE("From gfx10 on descriptors of buffers say by which rule they end") {
  for (const char* target : {"gfx1030", "gfx1100", "gfx1201"}) check(rule_cases(target), target);
}
TEST_CASE("From gfx10 on the format is no part of the stride of a buffer that adds lane numbers") {
  for (const u32 format : {0u, 5u, 15u}) {
    const Descriptor descriptor{.records = 90, .stride = 32, .add_lane = true, .rule = 0, .data_format = format};
    check({{"buffer_load_dword v8, v2, s[4:7], 0 idxen offset:12", [=](State& s) { set_descriptor(s, descriptor); },
            [](const State& b, State& a) {
              b.each([&](u32 l) {
                const Place at = place({.records = 90, .stride = 32, .add_lane = true, .data_format = 0}, true,
                                       b.v[2][l], 12, 0, l, 4);
                a.v[8][l] = at.inside ? b.load<u32>(at.offset) : 0;
              });
            }}},
          "gfx1030");
  }
}
TEST_CASE("Buffers with a format convert what they hold") {
  check(typed_cases(Formats("gfx942")), "gfx942");
  check(typed_cases(Formats("gfx1030")), "gfx1030");
  check(typed_cases(Formats("gfx1100")), "gfx1100");
  check(typed_cases(Formats("gfx1201", "null")), "gfx1201");
}
