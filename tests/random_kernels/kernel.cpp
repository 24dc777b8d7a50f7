// kernel.cpp - a kernel's state, its phases and its uniform control flow.
#include "kernel.h"

namespace random_kernels {

Kernel::Kernel(Random& random, const Program& program, unsigned number)
    : random_(random), program_(program), name_("k" + random_kernels::text(number)) {
  static constexpr unsigned kLanes[] = {64, 128, 256, 192, 96, 32, 160, 100, 52};
  lanes_ = kLanes[random_.below(random_.chance(60) ? 3 : 9)];
  blocks_ = random_.between(2, 3);
  structure_ = static_cast<int>(random_.below(program_.structures.size()));
}

Writer Kernel::expressions(unsigned cost_limit, unsigned indent) const {
  Writer writer(random_, program_, indent, cost_limit);
  for (const Member& member : members_) writer.add_place("s." + member.name, member.type, Access::TakesAddress);
  writer.add_array("s.table", Type::U32, 6, true);
  writer.add_object("s.object", static_cast<unsigned>(structure_), Access::TakesAddress);
  for (const char* place : {"c.lane", "c.block", "c.turn"}) writer.add_place(place, Type::U32, Access::Reads);
  writer.add_array("c.in", Type::U32, 256, false);
  writer.add_array("c.mine", Type::U32, 8, true);
  writer.add_array("c.slots", Type::U32, 4, true);
  writer.add_array("c.board", Type::U32, 64, false);
  return writer;
}

void Kernel::state() {
  for (const Type type : {Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64})
    members_.push_back({"", type});
  for (unsigned i = random_.between(2, 6); i; --i) members_.push_back({"", static_cast<Type>(random_.below(12))});
  text_ += "struct " + name_ + "_State {\n";
  for (size_t i = 0; i < members_.size(); ++i) {
    members_[i].name = std::string(name(members_[i].type)) + "_" + random_kernels::text(i);
    text_ += std::string("  ") + name(members_[i].type) + " " + members_[i].name + ";\n";
  }
  text_ += "  u32 table[6];\n  " + program_.structures[static_cast<size_t>(structure_)].name + " object;\n};\n";
  text_ += "RK_INLINE void " + name_ + "_begin(" + name_ + "_State& s, const Context& c) {\n";
  unsigned at = random_.word() & 63;
  const auto input = [&](unsigned factor) {
    return "c.in[(c.lane * " + random_kernels::text(factor) + "u + c.block * 31u + " + random_kernels::text(at += 11) +
           "u) & 255]";
  };
  for (const Member& member : members_)
    if (bytes(member.type) >= 8 && !is_float(member.type))
      text_ += "  s." + member.name + " = wide<" + name(member.type) + ">(0, u64(" + input(3) + ") << 32 | " +
               input(7) + ");\n";
    else if (is_float(member.type) && random_.chance(60))
      text_ += "  s." + member.name + " = convert<" + name(member.type) + ", i32>(i32(" + input(5) + ") >> 12) / 64;\n";
    else
      text_ += "  s." + member.name + " = value_of<" + name(member.type) + ">(" + input(5) + ");\n";
  text_ += "  for (u32 i = 0; i < 6; ++i) s.table[i] = " + input(1) + " + i;\n}\n";
}

// What is compared in the end: every field of the state.
void Kernel::store() {
  std::string body;
  const auto put = [&](const std::string& what, Type type) {
    body += "  *out++ = bits<" + std::string(name(type)) + ">(s." + what + ");\n";
    stored_.push_back(what);
    if (!is_wide(type)) return;
    body += "  *out++ = u64(u128(s." + what + ") >> 64);\n";
    stored_.push_back(what + " (high)");
  };
  for (const Member& member : members_) put(member.name, member.type);
  for (unsigned i = 0; i < 6; ++i) put("table[" + random_kernels::text(i) + "]", Type::U32);
  for (const Field& field : program_.structures[static_cast<size_t>(structure_)].fields) {
    if (!field.count) put("object." + field.name, field.type);
    for (unsigned i = 0; i < field.count; ++i)
      put("object." + field.name + "[" + random_kernels::text(i) + "]", field.type);
  }
  text_ += "RK_INLINE void " + name_ + "_store(const " + name_ + "_State& s, u64* out) {\n" + body +
           "}\nconst char* const " + name_ + "_fields[] = {";
  for (const std::string& field : stored_) text_ += "\"" + field + "\", ";
  text_ += "};\n";
}

void Kernel::each(const std::string& body) {
  host("for (auto& l : lanes) {");
  host("  auto& s = l.s;");
  host("  Context& c = l.c;");
  host("  (void)s, (void)c;");
  host("  " + body);
  host("}");
}

const Kernel::Member& Kernel::member(const std::vector<Type>& types) {
  std::vector<const Member*> fitting;
  for (const Member& member : members_)
    for (const Type type : types)
      if (member.type == type) fitting.push_back(&member);
  return *random_.pick(fitting);
}

// A statement that mixes `value`, of type `from`, into a member of the state.
std::string Kernel::assign(const Member& to, Type from, const std::string& value) const {
  const std::string place = "s." + to.name, type = name(to.type);
  const std::string converted =
      to.type == from ? value : "value_of<" + type + ">(bits<" + std::string(name(from)) + ">(" + value + "))";
  if (is_float(to.type)) return place + " = " + converted + ";";
  return place + " = add<" + type + ">(mul<" + type + ">(" + place + ", 3), " + converted + ");";
}

// What a lane does by itself, as a function of its own that the optimiser may or may not inline.
void Kernel::phase() {
  const std::string function = name_ + "_phase" + random_kernels::text(phases_++);
  Writer writer = expressions(1000 / times_, 1);
  writer.set_return(Writer::Returns::Nothing);
  writer.statements(random_.between(2, 4), 2);
  text_ += std::string(random_.chance(75) ? "RK_INLINE" : "RK_CALLED") + " void " + function + "(" + name_ +
           "_State& s, const Context& c) {\n" + writer.out() + "}\n";
  device(function + "(s, c);");
  each(function + "(s, c);");
}

// sh.control[depth] = number, as one lane computes it.
void Kernel::set_control(unsigned depth, const std::string& number) {
  const std::string lane = random_kernels::text(random_.below(lanes_)),
                    control = "sh.control[" + random_kernels::text(depth) + "]";
  barrier();
  device("if (c.lane == " + lane + ") " + control + " = " + number + ";");
  barrier();
  host("{");
  host("  auto& s = lanes[" + lane + "].s;");
  host("  Context& c = lanes[" + lane + "].c;");
  host("  (void)s, (void)c;");
  host("  " + control + " = " + number + ";");
  host("}");
}

void Kernel::uniform_branch(unsigned depth) {
  set_control(depth, number(Type::U32));
  const std::string head =
      "if (sh.control[" + random_kernels::text(depth) + "] & " + random_kernels::text(1u << random_.below(4)) + ") {";
  device(head), host(head), ++indent_;
  steps(random_.between(1, 2), depth + 1);
  if (random_.chance(60)) {
    --indent_, device("} else {"), host("} else {"), ++indent_;
    steps(random_.between(1, 2), depth + 1);
  }
  --indent_, device("}"), host("}");
}

// A loop whose trip count all lanes read from LDS; within it a lane may make the count smaller.
void Kernel::uniform_for(unsigned depth) {
  const unsigned most = random_.between(2, 5), times = times_;
  const std::string control = "sh.control[" + random_kernels::text(depth) + "]",
                    turn = "turn" + random_kernels::text(depth);
  set_control(depth, chosen(most + 1));
  const std::string head = "for (u32 " + turn + " = 0; " + turn + " < " + control + "; ++" + turn + ") {";
  device(head), host(head), ++indent_;
  device("c.turn = " + turn + ";");
  each("c.turn = " + turn + ";");
  times_ *= most;
  steps(random_.between(1, 3), depth + 1);
  times_ = times;
  if (random_.chance(40)) set_control(depth, control + " - ((" + condition() + ") ? " + control + " / 2 : 0)");
  --indent_, device("}"), host("}");
}

// A loop that goes on while a word of LDS is below a limit, with a way back to its head in the middle.
void Kernel::uniform_while(unsigned depth) {
  const unsigned limit = random_.between(2, 4), times = times_;
  const std::string control = "sh.control[" + random_kernels::text(depth) + "]";
  set_control(depth, chosen(3));
  const std::string head = "while (" + control + " < " + random_kernels::text(limit) + ") {";
  device(head), host(head), ++indent_;
  times_ *= limit;
  steps(1, depth + 1);
  if (random_.chance(60)) {
    const std::string when = "if (" + control + " & 1) {";
    device(when), host(when), ++indent_;
    set_control(depth, control + " + 1 + ((" + condition() + ") ? 1 : 0)");
    device("continue;"), host("continue;");
    --indent_, device("}"), host("}");
  }
  steps(random_.between(1, 2), depth + 1);
  times_ = times;
  set_control(depth, control + " + 1");
  --indent_, device("}"), host("}");
}

void Kernel::steps(unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count; ++i) {
    if (phases_ < 3 && random_.chance(depth ? 50 : 80)) phase();
    const unsigned n = random_.below(100);
    if (n < 70 || depth >= 2)
      step();
    else if (n < 78)
      uniform_branch(depth);
    else if (n < 90)
      uniform_for(depth);
    else
      uniform_while(depth);
  }
}

void Kernel::write() {
  state();
  steps(random_.between(2, 4), 0);
  phase();
  store();
  const std::string lanes = random_kernels::text(lanes_), fields = random_kernels::text(stored_.size());
  const bool dynamic = random_.chance(30);
  const std::string shared_type = "Shared<" + lanes + ">";
  text_ += "__global__ __launch_bounds__(" + lanes + ") void " + name_ + "(Arguments a) {\n";
  text_ += dynamic ? "  extern __shared__ u64 dynamic[];\n  " + shared_type + "& sh = *reinterpret_cast<" +
                         shared_type + "*>(dynamic);\n"
                   : "  __shared__ " + shared_type + " sh;\n";
  text_ += "  Context c = context_of<" + lanes + ">(a, sh, blockIdx.x, threadIdx.x);\n  clear_own<" + lanes +
           ">(sh, c.lane);\n  " + name_ + "_State s = {};\n  " + name_ + "_begin(s, c);\n  __syncthreads();\n" +
           device_ + "  " + name_ + "_store(s, a.out + (c.block * " + lanes + "u + c.lane) * " + fields + "u);\n}\n";
  text_ += "void " + name_ + "_launch(const Arguments& a) { " + name_ + "<<<" + random_kernels::text(blocks_) + ", " +
           lanes + ", " + (dynamic ? "sizeof(" + shared_type + ")" : "0") + ">>>(a); }\n";
  text_ += "void " + name_ + "_expect(const Arguments& a, u32 block) {\n  const auto shared = std::make_unique<" +
           shared_type + ">();\n  " + shared_type + "& sh = *shared;\n  Cells& grid = a.cells[" +
           random_kernels::text(blocks_) +
           "];\n  Cells& cells = a.cells[block];\n  (void)grid, (void)cells;\n  std::vector<Lane<" + name_ +
           "_State>> lanes(" + lanes + ");\n  for (u32 i = 0; i < " + lanes +
           "; ++i) {\n    lanes[i] = {};\n    lanes[i].c = context_of<" + lanes +
           ">(a, sh, block, i);\n    clear_own<" + lanes + ">(sh, i);\n  }\n";
  text_ += "  for (auto& l : lanes) " + name_ + "_begin(l.s, l.c);\n" + host_ + "  for (auto& l : lanes) " + name_ +
           "_store(l.s, a.out + (block * " + lanes + "u + l.c.lane) * " + fields + "u);\n}\n";
}

std::string Kernel::row() const {
  return "{\"" + name_ + "\", " + random_kernels::text(lanes_) + ", " + random_kernels::text(blocks_) + ", " +
         random_kernels::text(stored_.size()) + ", " + name_ + "_fields, " + name_ + "_launch, " + name_ + "_expect}";
}

} // namespace random_kernels
