// steps.cpp - steps between lanes: shuffles, votes, exchanges through LDS, atomic operations whose results do not
// depend on their order. On the host all lanes first offer what others take, then all take it.
#include "kernel.h"

namespace random_kernels {
namespace {
const std::vector<Type> kShuffled = {Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64};
const std::vector<Type> kScalars = {Type::I8,  Type::U8,  Type::I16, Type::U16, Type::I32,
                                    Type::U32, Type::I64, Type::U64, Type::F32, Type::F64};
const std::vector<Type> kUnsigned = {Type::U32, Type::U64};
} // namespace

// From a lane of the same wave that every lane computes.
void Kernel::shuffle() {
  const Member& from = member(kShuffled);
  const Member& to = member(kShuffled);
  const std::string type = name(from.type), lane = "(" + number(Type::U32) + ") % wave_lanes";
  const bool permute = from.type == Type::I32 && random_.chance(50);
  device("{");
  device("  const u32 wave_lanes = minimum<u32>(64, c.lanes - (c.lane & ~63u)), from = " + lane + ";");
  device("  const " + type + " taken = " +
         (permute ? "__builtin_amdgcn_ds_bpermute(int(from * 4), s." + from.name + ")"
                  : "__shfl(s." + from.name + ", int(from))") +
         ";");
  device("  " + assign(to, from.type, "taken"));
  device("}");
  each("const u32 wave_lanes = minimum<u32>(64, c.lanes - (c.lane & ~63u)); l.value = bits<" + type + ">(s." +
       from.name + "); l.from = " + lane + ";");
  each("const " + type + " taken = value_of<" + type + ">(lanes[(c.lane & ~63u) + l.from].value); " +
       assign(to, from.type, "taken"));
}

void Kernel::shuffle_by_distance() {
  const Member& from = member(kShuffled);
  const Member& to = member(kShuffled);
  unsigned width = 64;
  while (lanes_ % width || random_.chance(35)) width /= 2;
  if (width < 2) width = 2;
  const std::string type = name(from.type), w = random_kernels::text(width);
  const std::string distance = random_kernels::text(random_.between(1, width - 1));
  static constexpr const char* kNames[] = {"__shfl_xor", "__shfl_up", "__shfl_down"};
  const unsigned which = random_.below(3);
  const std::string self = "(c.lane & " + random_kernels::text(width - 1) + ")";
  const std::string source = which == 0 ? "c.lane ^ " + distance + "u"
                             : which == 1
                                 ? self + " >= " + distance + "u ? c.lane - " + distance + "u : c.lane"
                                 : self + " + " + distance + "u < " + w + "u ? c.lane + " + distance + "u : c.lane";
  device("{");
  device("  const " + type + " taken = " + kNames[which] + "(s." + from.name + ", " + distance +
         (width == 64 && random_.chance(50) ? "" : ", " + w) + ");");
  device("  " + assign(to, from.type, "taken"));
  device("}");
  each("l.value = bits<" + type + ">(s." + from.name + ");");
  each("const " + type + " taken = value_of<" + type + ">(lanes[" + source + "].value); " +
       assign(to, from.type, "taken"));
}

// Within a branch that only some lanes take, from the first of them.
void Kernel::shuffle_among_active() {
  const Member& from = member({Type::I32, Type::U32, Type::F32, Type::U64});
  const Member& to = member(kShuffled);
  const std::string type = name(from.type), when = condition();
  const bool first = from.type == Type::I32 && random_.chance(50);
  device("if (" + when + ") {");
  device("  const " + type + " taken = " +
         (first ? "__builtin_amdgcn_readfirstlane(s." + from.name + ")"
                : "__shfl(s." + from.name + ", __ffsll(static_cast<unsigned long long>(__ballot(1))) - 1)") +
         ";");
  device("  " + assign(to, from.type, "taken"));
  device("}");
  each("l.active = " + when + "; l.value = bits<" + type + ">(s." + from.name + ");");
  each("if (!l.active) continue; const " + type + " taken = value_of<" + type +
       ">(lanes[first_active(lanes, c.lane)].value); " + assign(to, from.type, "taken"));
}

void Kernel::ballot() {
  const Member& to = member(kScalars);
  const std::string when = random_.chance(60) ? condition() : "true", vote = condition();
  static constexpr const char* kDevice[] = {"__ballot(vote)", "u64(__popcll(__ballot(vote)))", "u64(__any(vote) != 0)",
                                            "u64(__all(vote) != 0)"};
  static constexpr const char* kHost[] = {"votes", "u64(__builtin_popcountll(votes))", "u64(votes != 0)",
                                          "u64(votes == there)"};
  const unsigned which = random_.below(4);
  device("if (" + when + ") {");
  device("  const bool vote = " + vote + ";");
  device(std::string("  const u64 taken = ") + kDevice[which] + ";");
  device("  " + assign(to, Type::U64, "taken"));
  device("}");
  each("l.active = " + when + "; l.vote = true; if (l.active) l.vote = " + vote + "; l.value = l.vote;");
  host("{");
  host("  std::vector<u64> votes_of, there_of;");
  host("  for (auto& l : lanes) votes_of.push_back(ballot_of(lanes, l.c.lane));");
  host("  for (auto& l : lanes) l.vote = true;");
  host("  for (auto& l : lanes) there_of.push_back(ballot_of(lanes, l.c.lane));");
  each("if (!l.active) continue; const u64 votes = votes_of[c.lane], there = there_of[c.lane], taken = " +
       std::string(kHost[which]) + "; (void)votes, (void)there; " + assign(to, Type::U64, "taken"));
  host("}");
}

// Lanes leave a loop one after the other; each counts those that are still there.
void Kernel::loop_votes() {
  const Member& to = member(kUnsigned);
  const std::string trips = chosen(random_.between(3, 9));
  device("{");
  device("  const u32 trips = " + trips + ";");
  device("  u64 taken = 0;");
  device("  for (u32 i = 0; i < trips; ++i) taken = taken * 5 + u64(__popcll(__ballot(1)));");
  device("  " + assign(to, Type::U64, "taken"));
  device("}");
  each("l.from = " + trips + ";");
  host("for (auto& l : lanes) {");
  host("  l.value = 0;");
  host("  for (u32 i = 0; i < l.from; ++i) {");
  host("    u64 there = 0;");
  host("    for (u32 other = l.c.lane & ~63u; other < wave_end(lanes, l.c.lane); ++other) there += lanes[other].from > "
       "i;");
  host("    l.value = l.value * 5 + there;");
  host("  }");
  host("}");
  each(assign(to, Type::U64, "l.value"));
}

void Kernel::block_votes() {
  const Member& to = member(kScalars);
  const std::string vote = condition();
  static constexpr const char* kDevice[] = {"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"};
  static constexpr const char* kHost[] = {"votes", "u32(votes == c.lanes)", "u32(votes != 0)"};
  const unsigned which = random_.below(3);
  device("{");
  device(std::string("  const u32 taken = ") + (which ? "u32(" : "u32(") + kDevice[which] + "(" + vote + ")" +
         (which ? " != 0" : "") + ");");
  device("  " + assign(to, Type::U32, "taken"));
  device("}");
  each("l.vote = " + vote + ";");
  host("{");
  host("  const u32 votes = votes_of_block(lanes);");
  each(std::string("const u32 taken = ") + kHost[which] + "; " + assign(to, Type::U32, "taken"));
  host("}");
}

// A sum over groups of lanes by shuffles in a loop.
void Kernel::wave_sum() {
  const Member& from = member({Type::I32, Type::U32, Type::I64, Type::U64});
  const Member& to = member(kScalars);
  unsigned width = 64;
  while (lanes_ % width) width /= 2;
  const std::string type = name(from.type);
  static constexpr const char* kOps[] = {"add", "bit_xor", "minimum", "maximum"};
  const std::string op = kOps[random_.below(4)] + std::string("<") + type + ">";
  device("{");
  device("  " + type + " taken = s." + from.name + ";");
  device("  for (int step = " + random_kernels::text(width / 2) + "; step; step >>= 1) taken = " + op +
         "(taken, __shfl_xor(taken, step));");
  device("  " + assign(to, from.type, "taken"));
  device("}");
  each("l.value = bits<" + type + ">(s." + from.name + ");");
  each(type + " taken = " + type + "(lanes[c.lane & ~" + random_kernels::text(width - 1) +
       "u].value); for (u32 i = 1; i < " + random_kernels::text(width) + "; ++i) taken = " + op + "(taken, " + type +
       "(lanes[(c.lane & ~" + random_kernels::text(width - 1) + "u) + i].value)); " + assign(to, from.type, "taken"));
}

// Every lane writes an element of LDS and reads that of another.
void Kernel::exchange() {
  static constexpr struct {
    const char* array;
    Type type;
  } kArrays[] = {{"x8", Type::U8},   {"x16", Type::U16},  {"x32", Type::U32},
                 {"x64", Type::U64}, {"xf32", Type::F32}, {"xf64", Type::F64}};
  const auto& array = kArrays[random_.below(6)];
  const Member& from = member(kScalars);
  const Member& to = member(kScalars);
  const std::string lanes = random_kernels::text(lanes_), type = name(array.type);
  const std::string put = std::string("sh.") + array.array + "[(c.lane + " +
                          random_kernels::text(random_.below(lanes_)) + "u) % " + lanes + "u] = value_of<" + type +
                          ">(bits<" + name(from.type) + ">(s." + from.name + "));";
  const std::string taken = "const " + type + " taken = sh." + array.array + "[" + chosen(lanes_) + "];";
  device(put);
  barrier();
  device("{");
  device("  " + taken);
  device("  " + assign(to, array.type, "taken"));
  device("}");
  barrier();
  each(put);
  each(taken + " " + assign(to, array.type, "taken"));
}

// The words that all lanes of a block read in their phases.
void Kernel::board() {
  const Member& from = member(kScalars);
  const std::string put = "if (c.lane < 64) sh.board[(c.lane * 5 + " + random_kernels::text(random_.below(64)) +
                          "u) & 63] = u32(bits<" + name(from.type) + ">(s." + from.name + "));";
  barrier();
  device(put);
  barrier();
  each(put);
}

// Atomic operations on LDS or on global memory, under a condition, at places that lanes compute; then all read.
void Kernel::cells() {
  const bool lds = random_.chance(55);
  const std::string device_base = lds ? "sh.cells." : "a.cells[c.block].", host_base = lds ? "sh.cells." : "cells.";
  static constexpr struct {
    const char *device, *host;
    bool is_signed;
  } kOps[] = {{"atomicAdd", "add", false},    {"atomicSub", "sub", false},      {"atomicAnd", "bit_and", false},
              {"atomicOr", "bit_or", false},  {"atomicXor", "bit_xor", false},  {"atomicMin", "minimum", true},
              {"atomicMax", "maximum", true}, {"add_by_exchange", "add", false}};
  const auto& op = kOps[random_.below(8)];
  const std::string when = random_.chance(70) ? condition() : "true", place = "[" + chosen(16) + "]",
                    read_place = "[" + chosen(16) + "]";
  const unsigned kind = random_.below(10);
  const bool floating = kind < 3, wide = kind == 0 || kind > 6;
  const std::string array = floating ? (wide ? "doubles" : "singles") : wide ? "longs" : "words";
  const bool is_signed = op.is_signed && random_.chance(50);
  const std::string type = floating    ? (wide ? "f64" : "f32")
                           : is_signed ? (wide ? "long long" : "i32")
                           : wide      ? "unsigned long long"
                                       : "u32";
  // 64-bit types have two names: the functions of HIP take long long.
  const Type value_type = floating    ? Type::U8
                          : is_signed ? (wide ? Type::I64 : Type::I32)
                          : wide      ? Type::U64
                                      : Type::U32;
  const std::string value = type == "f32" || type == "f64" ? type + "(" + number(value_type) + ")"
                                                           : "static_cast<" + type + ">(" + number(value_type) + ")";
  const Member& to = member(kScalars);
  const Type read_type = floating ? (wide ? Type::F64 : Type::F32) : wide ? Type::U64 : Type::U32;
  const std::string host_cell = "reinterpret_cast<" + type + "&>(" + host_base + array + place + ")";
  if (lds) {
    const std::string start = floating ? type + "(c.lane)"
                                       : std::string("mixed<") + name(read_type) + ">(c.lane + " +
                                             random_kernels::text(random_.below(1000)) + ")";
    const std::string clear = "if (c.lane < 16) sh.cells." + array + "[c.lane] = " + start + ";";
    barrier();
    device(clear);
    barrier();
    each(clear);
  }
  device("if (" + when + ") " + std::string(floating ? "atomicAdd" : op.device) + "(reinterpret_cast<" + type + "*>(&" +
         device_base + array + place + "), " + value + ");");
  barrier();
  // Global memory is read by an atomic operation, as other caches than the lane's may hold what was added.
  const std::string element = device_base + array + read_place;
  device("{");
  device(std::string("  const ") + name(read_type) + " taken = " + (lds ? element : "atomicAdd(&" + element + ", 0)") +
         ";");
  device("  " + assign(to, read_type, "taken"));
  device("}");
  barrier();
  each("if (" + when + ") " + host_cell + " = " + (floating ? "add" : op.host) + "<" + type + ">(" + host_cell + ", " +
       value + ");");
  each(std::string("const ") + name(read_type) + " taken = " + host_base + array + read_place + "; " +
       assign(to, read_type, "taken"));
}

// Atomic operations of all blocks on the same cells, which only the host reads.
void Kernel::grid_cells() {
  const bool wide = random_.chance(40);
  const std::string array = wide ? "longs" : "words", type = wide ? "unsigned long long" : "u32";
  const std::string when = condition(), place = "[" + chosen(16) + "]";
  const std::string value = "static_cast<" + type + ">(" + number(wide ? Type::U64 : Type::U32) + ")";
  device("if (" + when + ") atomicAdd(&a.cells[" + random_kernels::text(blocks_) + "]." + array + place + ", " + value +
         ");");
  each("if (" + when + ") grid." + array + place + " += " + value + ";");
}

// Some lanes append to a list in the order in which they come; all sum over it.
void Kernel::list() {
  const Member& from = member(kScalars);
  const Member& to = member(kUnsigned);
  const std::string when = condition(),
                    item = std::string("mixed<u32>(u32(bits<") + name(from.type) + ">(s." + from.name + ")))";
  barrier();
  device("if (c.lane == 0) sh.count = 0;");
  barrier();
  device("if (" + when + ") sh.list[atomicAdd(&sh.count, 1u)] = " + item + ";");
  barrier();
  const std::string sum = "u32 taken = sh.count; for (u32 i = 0; i < sh.count; ++i) taken += sh.list[i];";
  device("{");
  device("  " + sum);
  device("  " + assign(to, Type::U32, "taken"));
  device("}");
  barrier();
  host("sh.count = 0;");
  each("if (" + when + ") sh.list[sh.count++] = " + item + ";");
  each(sum + " " + assign(to, Type::U32, "taken"));
}

void Kernel::step() {
  using Step = void (Kernel::*)();
  static constexpr Step kSteps[] = {&Kernel::shuffle,
                                    &Kernel::shuffle_by_distance,
                                    &Kernel::shuffle_among_active,
                                    &Kernel::ballot,
                                    &Kernel::loop_votes,
                                    &Kernel::block_votes,
                                    &Kernel::wave_sum,
                                    &Kernel::exchange,
                                    &Kernel::exchange,
                                    &Kernel::board,
                                    &Kernel::cells,
                                    &Kernel::cells,
                                    &Kernel::grid_cells,
                                    &Kernel::list};
  (this->*kSteps[random_.below(std::size(kSteps))])();
}

} // namespace random_kernels
