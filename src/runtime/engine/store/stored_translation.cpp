// runtime/engine/store/stored_translation.cpp - see stored_translation.h. Numbers are 64-bit and little-endian, as
// the host's are; lists begin with their length.
#include "runtime/engine/store/stored_translation.h"

#include <algorithm>
#include <cstring>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

namespace hip::engine::compile {
namespace {

constexpr uint64_t kFormatVersion = 9;

class Writer {
public:
  void number(uint64_t v) { bytes(std::as_bytes(std::span(&v, 1))); }
  void block(std::span<const std::byte> b) {
    number(b.size());
    bytes(b);
  }
  void text(std::string_view s) { block(std::as_bytes(std::span(s.data(), s.size()))); }
  void numbers(const std::vector<uint64_t>& list) { block(std::as_bytes(std::span(list))); }

  std::vector<std::byte> out;

private:
  void bytes(std::span<const std::byte> b) { out.insert(out.end(), b.begin(), b.end()); }
};

// After a read beyond the end every further read gives 0, and `ok` is false.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  uint64_t number() {
    uint64_t v = 0;
    if (!has(sizeof v)) return 0;
    std::memcpy(&v, rest_.data(), sizeof v);
    rest_ = rest_.subspan(sizeof v);
    return v;
  }
  // The length of a list whose entries take at least `bytes` each; 0 when it cannot be so long.
  uint64_t count(uint64_t bytes) {
    const uint64_t n = number();
    return has(n, bytes) ? n : 0;
  }
  std::span<const std::byte> block() {
    const auto out = rest_.first(count(1));
    rest_ = rest_.subspan(out.size());
    return out;
  }
  void numbers(std::vector<uint64_t>& list) {
    const auto b = block();
    ok &= b.size() % sizeof(uint64_t) == 0;
    list.resize(b.size() / sizeof(uint64_t));
    if (!list.empty()) std::memcpy(list.data(), b.data(), list.size() * sizeof(uint64_t));
  }
  std::string text() {
    const auto b = block();
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  bool at_end() const { return ok && rest_.empty(); }

  bool ok = true;

private:
  bool has(uint64_t n, uint64_t bytes = 1) {
    ok &= n <= rest_.size() / bytes;
    return ok;
  }
  std::span<const std::byte> rest_;
};

} // namespace

namespace {

// Writes everything of a request but the instructions.
void write_request(Writer& w, const Request& request) {
  w.text(request.host.name);
  w.text(request.host.features);
  w.number(uint64_t(request.host.isa));
  w.text(request.target);
  w.number(request.wave_lanes);
  w.number(request.is_kernel);
  w.number(uint64_t(request.optimise));
  w.number(uint64_t(request.form));
  w.number(request.float_mode);
  w.number(uint64_t(request.start.version));
  w.number(request.start.item_ids);
  w.number(request.start.item_id_vgprs);
  for (const uint32_t n : request.start.items) w.number(n);
  w.number(uint64_t(int64_t(request.start.kernarg_sgpr)));
  w.number(request.start.arguments.size());
  for (const KnownArgument& argument : request.start.arguments) {
    w.number(argument.offset);
    w.number(argument.value);
  }
}
std::span<const std::byte> code_of(const Request& request) {
  return {reinterpret_cast<const std::byte*>(request.begin), size_t(request.end - request.begin)};
}

} // namespace

CodeCache::Key key_of(const Request& request, std::span<const std::byte> translator_build, CodeKind kind) {
  Writer w;
  w.number(kFormatVersion);
  w.number(uint64_t(kind));
  w.number(kTranslatorAbiVersion);
  w.block(translator_build);
  write_request(w, request);
  const auto code = code_of(request);
  w.number(code.size());
  llvm::SHA256 hash;
  hash.update(llvm::ArrayRef<uint8_t>{reinterpret_cast<const uint8_t*>(w.out.data()), w.out.size()});
  hash.update(llvm::ArrayRef<uint8_t>{reinterpret_cast<const uint8_t*>(code.data()), code.size()});
  const auto digest = hash.final();
  CodeCache::Key key;
  static_assert(sizeof digest == sizeof key);
  std::memcpy(key.data(), digest.data(), sizeof key);
  return key;
}

std::vector<std::byte> pack(const Request& request) {
  Writer w;
  w.number(kFormatVersion);
  write_request(w, request);
  w.block(code_of(request));
  return std::move(w.out);
}

std::optional<PackedRequest> unpack_request(std::span<const std::byte> bytes) {
  Reader r(bytes);
  if (r.number() != kFormatVersion) return std::nullopt;
  PackedRequest out;
  Request& request = out.request;
  request.host.name = r.text();
  request.host.features = r.text();
  const uint64_t isa = r.number();
  request.target = r.text();
  request.wave_lanes = uint32_t(r.number());
  request.is_kernel = r.number() != 0;
  const uint64_t optimise = r.number();
  const uint64_t form = r.number();
  request.float_mode = uint32_t(r.number());
  const uint64_t version = r.number();
  request.start.item_ids = uint32_t(r.number());
  request.start.item_id_vgprs = uint32_t(r.number());
  for (uint32_t& n : request.start.items) n = uint32_t(r.number());
  request.start.kernarg_sgpr = int(int64_t(r.number()));
  request.start.arguments.resize(r.count(2 * sizeof(uint64_t)));
  for (KnownArgument& argument : request.start.arguments) {
    argument.offset = uint32_t(r.number());
    argument.value = uint32_t(r.number());
  }
  const auto code = r.block();
  out.code.assign(code.begin(), code.end());
  if (!r.at_end() || isa > uint64_t(HostIsa::Avx512) || version >= kVersions || optimise > uint64_t(Optimise::Careful) || form > uint64_t(CodeForm::Instrumented) ||
      (request.wave_lanes != 32 && request.wave_lanes != 64) || request.start.item_id_vgprs < 1 || request.start.item_id_vgprs > 3)
    return std::nullopt;
  request.host.isa = HostIsa(isa);
  request.optimise = Optimise(optimise);
  request.form = CodeForm(form);
  request.start.version = Version(version);
  request.begin = reinterpret_cast<uint64_t>(out.code.data());
  request.end = request.begin + out.code.size();
  return out;
}

std::vector<std::byte> pack(const Translation& translation) {
  Writer w;
  w.number(kFormatVersion);
  w.number(translation.native);
  w.number(translation.foreign);
  w.number(translation.elements.size());
  for (const Translation::Element& element : translation.elements) {
    w.number(element.offset);
    w.number(element.region);
  }
  w.number(translation.exits.size());
  for (const auto& exits : translation.exits) w.numbers(exits);
  for (const auto& calls : translation.calls) w.numbers(calls);
  w.numbers(translation.batches);
  w.number(translation.entries.size());
  for (const Translation::Entry& entry : translation.entries) {
    w.number(entry.offset);
    w.number(entry.float_mode);
  }
  w.number(translation.usual_mode);
  w.number(translation.quick);
  w.numbers(translation.lines);
  w.number(translation.objects.size());
  for (const auto& object : translation.objects) w.block(object);
  return std::move(w.out);
}

std::optional<Translation> unpack(std::span<const std::byte> bytes, uint64_t code_bytes) {
  Reader r(bytes);
  if (r.number() != kFormatVersion) return std::nullopt;
  Translation out;
  out.native = uint32_t(r.number());
  out.foreign = uint32_t(r.number());
  out.elements.resize(r.count(2 * sizeof(uint64_t)));
  for (Translation::Element& element : out.elements) {
    element.offset = r.number();
    element.region = uint32_t(r.number());
  }
  out.exits.resize(r.count(sizeof(uint64_t)));
  for (auto& exits : out.exits) r.numbers(exits);
  out.calls.resize(out.exits.size());
  for (auto& calls : out.calls) r.numbers(calls);
  r.numbers(out.batches);
  out.entries.resize(r.count(2 * sizeof(uint64_t)));
  for (Translation::Entry& entry : out.entries) {
    entry.offset = r.number();
    entry.float_mode = uint32_t(r.number());
  }
  out.usual_mode = r.number() != 0;
  out.quick = r.number() != 0;
  r.numbers(out.lines);
  out.objects.resize(r.count(sizeof(uint64_t)));
  for (auto& object : out.objects) {
    const auto bytes_of_it = r.block();
    object.assign(bytes_of_it.begin(), bytes_of_it.end());
  }
  if (!r.at_end() || out.elements.empty() || out.elements.front().offset != 0) return std::nullopt;
  if (out.batches.size() != out.exits.size()) return std::nullopt;
  for (const uint64_t batch : out.batches)
    if (batch > Translation::kStartingBatch) return std::nullopt;
  for (size_t k = 0; k < out.elements.size(); ++k) {
    const Translation::Element& element = out.elements[k];
    if (element.offset >= code_bytes || (k > 0 && element.offset <= out.elements[k - 1].offset)) return std::nullopt;
    if (element.region != Translation::kNoRegion && element.region >= out.exits.size()) return std::nullopt;
  }
  for (const Translation::Entry& entry : out.entries) {
    const auto at = std::ranges::lower_bound(out.elements, entry.offset, {}, &Translation::Element::offset);
    if (at == out.elements.end() || at->offset != entry.offset || at->region == Translation::kNoRegion) return std::nullopt;
  }
  for (const auto& calls : out.calls)
    for (const uint64_t offset : calls)
      if (offset >= code_bytes) return std::nullopt;
  for (const uint64_t line : out.lines)
    if (line >= code_bytes) return std::nullopt;
  return out;
}

} // namespace hip::engine::compile
