#include "runtime/codeobject/metadata.h"

#include "runtime/codeobject/msgpack.h"

#include <algorithm>
#include <charconv>

namespace hip::codeobject {
namespace {

using Token = MsgPackReader::Token;
using Type = MsgPackReader::Type;

constexpr const char* kArgKindTexts[] = {
#define KERNEL_ARG_KIND(name, text) text,
#include "runtime/codeobject/value_kinds.def"
#undef KERNEL_ARG_KIND
};

std::optional<ArgKind> find_arg_kind(std::string_view text) noexcept {
  for (size_t i = 0; i < std::size(kArgKindTexts); ++i)
    if (text == kArgKindTexts[i]) return static_cast<ArgKind>(i);
  return std::nullopt;
}

std::optional<AddressSpace> find_address_space(std::string_view text) noexcept {
  constexpr std::pair<std::string_view, AddressSpace> kNames[] = {
      {"private", AddressSpace::Private}, {"global", AddressSpace::Global},   {"constant", AddressSpace::Constant},
      {"local", AddressSpace::Local},     {"generic", AddressSpace::Generic}, {"region", AddressSpace::Region}};
  for (const auto& [name, space] : kNames)
    if (text == name) return space;
  return std::nullopt;
}

// One reader over the note; every function consumes exactly one value or gives an error.
class MetadataParser {
public:
  explicit MetadataParser(Bytes note) : reader_(note) {}
  Result<Metadata> parse();

private:
  Status broken(std::string_view what) const {
    return error(ErrorCode::InvalidImage, "The code object's metadata is broken at byte {}: {}{}{}.", reader_.offset(),
                 what, kernel_.empty() ? "" : ", in kernel ", kernel_);
  }
  // Calls `member(key)` for each pair of a map; it must consume the value.
  template<class F> Status for_each_pair(std::string_view what, F member) {
    const auto map = reader_.next();
    if (!map || !map->is(Type::Map)) return broken(fmt::format("{} is not a map", what));
    for (uint32_t i = 0; i < map->count; ++i) {
      const auto key = reader_.next();
      if (!key || !key->is(Type::Text)) return broken(fmt::format("a key of {} is not text", what));
      RT_TRY(member(key->text()));
    }
    return {};
  }
  template<class F> Status for_each_element(std::string_view what, F element) {
    const auto array = reader_.next();
    if (!array || !array->is(Type::Array)) return broken(fmt::format("{} is not an array", what));
    for (uint32_t i = 0; i < array->count; ++i) RT_TRY(element(i));
    return {};
  }
  Status skip() { return reader_.skip_value() ? Status() : broken("a value is cut off or not MessagePack"); }
  Status number(std::string_view key, uint32_t& out);
  Status flag(std::string_view key, bool& out);
  Status text(std::string_view key, std::string& out);
  Status parse_kernel(KernelInfo& kernel);
  Status parse_arg(KernelArg& arg);
  Status check_kernel(KernelInfo& kernel) const;

  MsgPackReader reader_;
  std::string kernel_; // name of the kernel that is being read, for messages
};

Status MetadataParser::number(std::string_view key, uint32_t& out) {
  const auto token = reader_.next();
  if (!token || !token->is(Type::UInt) || token->number > UINT32_MAX)
    return broken(fmt::format("{} is not a number of 32 bits", key));
  out = static_cast<uint32_t>(token->number);
  return {};
}

// Flags come as booleans (.uses_dynamic_stack) and as 0 or 1 (.uniform_work_group_size).
Status MetadataParser::flag(std::string_view key, bool& out) {
  const auto token = reader_.next();
  if (token && token->is(Type::Bool)) {
    out = token->flag;
  } else if (token && token->is(Type::UInt)) {
    out = token->number != 0;
  } else {
    return broken(fmt::format("{} is not a flag", key));
  }
  return {};
}

Status MetadataParser::text(std::string_view key, std::string& out) {
  const auto token = reader_.next();
  if (!token || !token->is(Type::Text)) return broken(fmt::format("{} is not text", key));
  out = token->text();
  return {};
}

Status MetadataParser::parse_arg(KernelArg& arg) {
  bool has_offset = false, has_size = false, has_kind = false;
  RT_TRY(for_each_pair("an argument", [&](std::string_view key) -> Status {
    if (key == ".offset") return has_offset = true, number(key, arg.offset);
    if (key == ".size") return has_size = true, number(key, arg.size);
    if (key == ".pointee_align") return number(key, arg.pointee_align);
    if (key == ".name") return text(key, arg.name);
    if (key == ".type_name") return text(key, arg.type_name);
    if (key == ".value_kind") {
      std::string kind;
      RT_TRY(text(key, kind));
      const auto found = find_arg_kind(kind);
      if (!found) return broken(fmt::format("the argument kind '{}' is not known", kind));
      arg.kind = *found;
      has_kind = true;
      return {};
    }
    if (key == ".address_space") {
      std::string space;
      RT_TRY(text(key, space));
      const auto found = find_address_space(space);
      if (!found) return broken(fmt::format("the address space '{}' is not known", space));
      arg.address_space = *found;
      return {};
    }
    return skip();
  }));
  if (!has_offset || !has_size || !has_kind) return broken("an argument lacks .offset, .size or .value_kind");
  return {};
}

Status MetadataParser::parse_kernel(KernelInfo& kernel) {
  kernel_.clear();
  RT_TRY(for_each_pair("a kernel", [&](std::string_view key) -> Status {
    if (key == ".name") {
      RT_TRY(text(key, kernel.name));
      kernel_ = kernel.name;
      return {};
    }
    if (key == ".symbol") return text(key, kernel.symbol);
    if (key == ".kernarg_segment_size") return number(key, kernel.kernarg_segment_size);
    if (key == ".kernarg_segment_align") return number(key, kernel.kernarg_segment_align);
    if (key == ".group_segment_fixed_size") return number(key, kernel.group_segment_fixed_size);
    if (key == ".private_segment_fixed_size") return number(key, kernel.private_segment_fixed_size);
    if (key == ".wavefront_size") return number(key, kernel.wavefront_size);
    if (key == ".sgpr_count") return number(key, kernel.sgpr_count);
    if (key == ".vgpr_count") return number(key, kernel.vgpr_count);
    if (key == ".agpr_count") return number(key, kernel.agpr_count);
    if (key == ".sgpr_spill_count") return number(key, kernel.sgpr_spill_count);
    if (key == ".vgpr_spill_count") return number(key, kernel.vgpr_spill_count);
    if (key == ".max_flat_workgroup_size") return number(key, kernel.max_flat_workgroup_size);
    if (key == ".uses_dynamic_stack") return flag(key, kernel.uses_dynamic_stack);
    if (key == ".uniform_work_group_size") return flag(key, kernel.uniform_work_group_size);
    if (key == ".reqd_workgroup_size")
      return for_each_element(key, [&](uint32_t i) -> Status {
        if (i >= 3) return broken(".reqd_workgroup_size has more than three numbers");
        return number(".reqd_workgroup_size", kernel.reqd_workgroup_size[i]);
      });
    if (key == ".args")
      return for_each_element(key, [&](uint32_t) -> Status {
        KernelArg arg;
        RT_TRY(parse_arg(arg));
        kernel.args.push_back(std::move(arg));
        return {};
      });
    return skip();
  }));
  return check_kernel(kernel);
}

Status MetadataParser::check_kernel(KernelInfo& kernel) const {
  if (kernel.name.empty() || kernel.symbol.empty()) return broken("a kernel lacks .name or .symbol");
  const uint32_t align = kernel.kernarg_segment_align;
  if (!std::has_single_bit(align) || align > 4096)
    return broken(fmt::format(".kernarg_segment_align is {}, not a power of two up to 4096", align));
  if (kernel.wavefront_size != 32 && kernel.wavefront_size != 64)
    return broken(fmt::format(".wavefront_size is {}, neither 32 nor 64", kernel.wavefront_size));
  for (const KernelArg& arg : kernel.args)
    if (arg.offset > kernel.kernarg_segment_size || arg.size > kernel.kernarg_segment_size - arg.offset)
      return broken(fmt::format("an argument at offset {} with {} bytes leaves the kernarg segment of {} bytes",
                                arg.offset, arg.size, kernel.kernarg_segment_size));
  std::sort(kernel.args.begin(), kernel.args.end(), [](const KernelArg& a, const KernelArg& b) {
    return std::pair(is_hidden(a.kind), a.offset) < std::pair(is_hidden(b.kind), b.offset);
  });
  kernel.explicit_args = static_cast<uint32_t>(
      std::count_if(kernel.args.begin(), kernel.args.end(), [](const KernelArg& a) { return !is_hidden(a.kind); }));
  return {};
}

// Cuts the number up to the next `end` from `text`; nothing when it is not one.
std::optional<uint64_t> take_number(std::string_view& text, char end, int base) noexcept {
  uint64_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (status != std::errc() || stop == text.data() + text.size() || *stop != end) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(stop - text.data()) + 1);
  return value;
}

// The OpenCL lowering writes escapes as backslash sequences.
std::string resolve_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (const char c = text[++i]; c) {
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    default:
      out += c;
      break;
    }
  }
  return out;
}

// "0:0:<hash in hex>,<format>" (HIP, buffered) or "<id>:<n>:<size>:...:<format>" (OpenCL).
std::optional<PrintfFormat> parse_printf_format(std::string_view text) {
  PrintfFormat out;
  const auto id = take_number(text, ':', 10);
  const auto count = id ? take_number(text, ':', 10) : std::nullopt;
  if (!count || *id > UINT32_MAX || *count > text.size()) return std::nullopt;
  out.id = static_cast<uint32_t>(*id);
  if (*id == 0 && *count == 0) {
    if (const auto hash = take_number(text, ',', 16)) {
      out.hash = *hash;
      out.format = text;
      return out;
    }
  }
  for (uint64_t i = 0; i < *count; ++i) {
    const auto size = take_number(text, ':', 10);
    if (!size || *size > UINT32_MAX) return std::nullopt;
    out.arg_sizes.push_back(static_cast<uint32_t>(*size));
  }
  out.format = resolve_escapes(text);
  return out;
}

Result<Metadata> MetadataParser::parse() {
  Metadata out;
  bool has_version = false;
  RT_TRY(for_each_pair("the root", [&](std::string_view key) -> Status {
    kernel_.clear();
    if (key == "amdhsa.target") return text(key, out.target);
    if (key == "amdhsa.version") {
      has_version = true;
      return for_each_element(key, [&](uint32_t i) -> Status {
        if (i >= 2) return broken("amdhsa.version has more than two numbers");
        return number("amdhsa.version", out.version[i]);
      });
    }
    if (key == "amdhsa.kernels")
      return for_each_element(key, [&](uint32_t) -> Status {
        KernelInfo kernel;
        RT_TRY(parse_kernel(kernel));
        out.kernels.push_back(std::move(kernel));
        return {};
      });
    if (key == "amdhsa.printf")
      return for_each_element(key, [&](uint32_t i) -> Status {
        std::string entry;
        RT_TRY(text("amdhsa.printf", entry));
        auto format = parse_printf_format(entry);
        if (!format) return broken(fmt::format("amdhsa.printf entry {} has no proper header", i));
        out.printf_formats.push_back(std::move(*format));
        return {};
      });
    return skip();
  }));
  kernel_.clear();
  if (!has_version || out.version[0] != 1)
    return broken(fmt::format("amdhsa.version is {}.{}, not 1.x", out.version[0], out.version[1]));
  return out;
}

} // namespace

const char* arg_kind_text(ArgKind kind) noexcept {
  const auto index = static_cast<size_t>(kind);
  return index < std::size(kArgKindTexts) ? kArgKindTexts[index] : "unknown";
}

const KernelArg* KernelInfo::find_arg(ArgKind kind) const noexcept {
  for (const KernelArg& arg : args)
    if (arg.kind == kind) return &arg;
  return nullptr;
}

Result<Metadata> parse_metadata(Bytes note) { return MetadataParser(note).parse(); }

} // namespace hip::codeobject
