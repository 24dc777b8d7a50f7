// The formats of clang-offload-bundler (clang documentation, "Clang Offload Bundler"): plain
// `__CLANG_OFFLOAD_BUNDLE__`, u64 count, count x { u64 offset, u64 size, u64 id length, id }, and the compressed
// `CCOB` header, versions 1 to 3, around a zstd frame of the plain form.
#include "runtime/codeobject/bundle.h"

#include "runtime/codeobject/elf_format.h"
#include "runtime/codeobject/md5.h"
#include "runtime/codeobject/ptx.h"
#include "runtime/codeobject/text_bundle.h"

#include <algorithm>
#include <new>
#include <zstd.h>

namespace hip::codeobject {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr uint64_t kEntryHeaderBytes = 24;
constexpr uint64_t kMaxIdBytes = 4096; // a target id with every feature is under 100

bool starts_with(Bytes data, std::string_view magic) noexcept {
  const auto head = slice(data, 0, magic.size());
  return head && as_text(*head) == magic;
}

struct CompressedHeader {
  uint16_t version = 0;
  uint16_t method = 0;      // 0 = zlib, 1 = zstd
  uint64_t total_bytes = 0; // header included; 0 in version 1, which does not tell
  uint64_t plain_bytes = 0;
  uint64_t plain_hash = 0; // the low 64 bits of their MD5
  uint64_t header_bytes = 0;
};

Result<CompressedHeader> read_compressed_header(Bytes data) {
  const auto version = read<uint16_t>(data, 4);
  const auto method = read<uint16_t>(data, 6);
  CompressedHeader h;
  if (version && method) {
    h.version = *version;
    h.method = *method;
    if (h.version == 1 || h.version == 2) {
      const uint64_t plain_at = h.version == 1 ? 8 : 12;
      const auto total = h.version == 1 ? std::optional<uint32_t>(0) : read<uint32_t>(data, 8);
      const auto plain = read<uint32_t>(data, plain_at);
      h.header_bytes = plain_at + 4 + 8; // in every version the hash ends the header
      if (total && plain && data.size() >= h.header_bytes) {
        h.total_bytes = *total;
        h.plain_bytes = *plain;
        h.plain_hash = *read<uint64_t>(data, h.header_bytes - 8);
        return h;
      }
    } else if (h.version == 3) {
      const auto total = read<uint64_t>(data, 8);
      const auto plain = read<uint64_t>(data, 16);
      h.header_bytes = 32;
      if (total && plain && data.size() >= h.header_bytes) {
        h.total_bytes = *total;
        h.plain_bytes = *plain;
        h.plain_hash = *read<uint64_t>(data, h.header_bytes - 8);
        return h;
      }
    } else {
      return error(ErrorCode::InvalidImage, "The compressed offload bundle has version {}; versions 1 to 3 are known.",
                   h.version);
    }
  }
  return error(ErrorCode::InvalidImage, "The compressed offload bundle ends inside its header ({} bytes).",
               data.size());
}

// Fills `storage` with the plain bundle.
Result<Bytes> decompress(Bytes data, std::unique_ptr<std::byte[]>& storage) {
  RT_TRY_ASSIGN(const CompressedHeader h, read_compressed_header(data));
  if (h.method != 1)
    return error(h.method == 0 ? ErrorCode::NotSupported : ErrorCode::InvalidImage,
                 "The compressed offload bundle uses method {}; only zstd (1) is supported.", h.method);
  const uint64_t total = h.total_bytes ? h.total_bytes : data.size();
  if (total < h.header_bytes || total > data.size())
    return error(ErrorCode::InvalidImage, "The compressed offload bundle says it has {} bytes, but {} are there.",
                 total, data.size());
  const Bytes frame = data.subspan(h.header_bytes, static_cast<size_t>(total - h.header_bytes));
  // A zstd block takes at least 4 bytes and gives at most 128 KiB: a larger claim cannot be true, and is not allocated.
  if (h.plain_bytes / ZSTD_BLOCKSIZE_MAX > frame.size() / 4 + 1)
    return error(ErrorCode::InvalidImage,
                 "The compressed offload bundle claims {} bytes of contents in {} bytes of zstd data.", h.plain_bytes,
                 frame.size());
  storage.reset(new (std::nothrow) std::byte[h.plain_bytes]);
  if (!storage)
    return error(ErrorCode::OutOfMemory, "There is no memory for the {} bytes of a compressed offload bundle.",
                 h.plain_bytes);
  const size_t got = ZSTD_decompress(storage.get(), h.plain_bytes, frame.data(), frame.size());
  if (ZSTD_isError(got))
    return error(ErrorCode::InvalidImage, "The compressed offload bundle does not decompress: {}.",
                 ZSTD_getErrorName(got));
  if (got != h.plain_bytes)
    return error(ErrorCode::InvalidImage, "The compressed offload bundle holds {} bytes, but its header says {}.", got,
                 h.plain_bytes);
  const Bytes plain(storage.get(), got);
  if (const uint64_t hash = md5_low64(plain); hash != h.plain_hash)
    return error(ErrorCode::InvalidImage,
                 "The compressed offload bundle is damaged: its contents have the hash {:#x}, its header says {:#x}.",
                 hash, h.plain_hash);
  return plain;
}

// "hipv4-amdgcn-amd-amdhsa--gfx942": kind, four components of the triple, target. The target may contain dashes
// (gfx9-4-generic), so the components are cut from the left.
void split_id(BundleEntry& entry) {
  std::string_view rest = entry.id;
  auto component = [&rest] {
    const size_t end = std::min(rest.find('-'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  entry.kind = component();
  entry.arch = component();
  for (int i = 0; i < 3; ++i) component(); // vendor, system, environment
  entry.target = rest;
}

Result<std::vector<BundleEntry>> parse_plain(Bytes data) {
  const auto count = read<uint64_t>(data, kPlainMagic.size());
  if (!count)
    return error(ErrorCode::InvalidImage, "The offload bundle ends inside its header ({} bytes).", data.size());
  uint64_t at = kPlainMagic.size() + 8;
  if (*count > (data.size() - at) / kEntryHeaderBytes)
    return error(ErrorCode::InvalidImage, "The offload bundle claims {} entries, more than its {} bytes can hold.",
                 *count, data.size());
  std::vector<BundleEntry> entries;
  entries.reserve(static_cast<size_t>(*count));
  for (uint64_t i = 0; i < *count; ++i) {
    const auto offset = read<uint64_t>(data, at);
    const auto size = read<uint64_t>(data, at + 8);
    const auto id_bytes = read<uint64_t>(data, at + 16);
    if (!offset || !size || !id_bytes)
      return error(ErrorCode::InvalidImage, "The offload bundle ends inside the header of entry {} of {}.", i, *count);
    at += kEntryHeaderBytes;
    const auto id = *id_bytes <= kMaxIdBytes ? slice(data, at, *id_bytes) : std::nullopt;
    if (!id)
      return error(ErrorCode::InvalidImage, "Entry {} of the offload bundle has an id of {} bytes, which does not fit.",
                   i, *id_bytes);
    at += *id_bytes;
    const auto image = slice(data, *offset, *size);
    BundleEntry entry;
    entry.id = as_text(*id);
    if (!image)
      return error(ErrorCode::InvalidImage,
                   "Entry '{}' of the offload bundle lies at offset {} with {} bytes, outside the bundle's {} bytes.",
                   entry.id, *offset, *size, data.size());
    entry.image = *image;
    split_id(entry);
    entries.push_back(std::move(entry));
  }
  return entries;
}

BundleEntry bare_entry(std::string id, Bytes data) {
  BundleEntry entry;
  entry.id = std::move(id);
  split_id(entry);
  entry.image = data;
  return entry;
}

constexpr std::string_view kNvidiaId = "hip-nvptx64-nvidia-cuda--";

Result<BundleEntry> entry_of_code_object(Bytes data) {
  const auto header = read<elf::FileHeader>(data, 0);
  if (header && header->machine == elf::kMachineCuda)
    return bare_entry(std::string(kNvidiaId) + sm_target_from_elf(header->flags, header->ident[8]).to_string(), data);
  if (!header || header->machine != elf::kMachineAmdgpu)
    return error(ErrorCode::InvalidImage,
                 "The ELF file is for machine {}, neither for AMDGPU (224) nor for CUDA (190).",
                 header ? header->machine : 0);
  RT_TRY_ASSIGN(const TargetId target, target_id_from_elf_flags(header->flags, header->ident[8] + 2u));
  return bare_entry("hipv4-amdgcn-amd-amdhsa--" + target.to_string(), data);
}

// Where an ELF file ends: behind the last of its tables, sections and segments.
uint64_t elf_extent(const std::byte* base) noexcept {
  elf::FileHeader header;
  std::memcpy(&header, base, sizeof(header));
  uint64_t end = sizeof(header);
  auto include = [&end](uint64_t offset, uint64_t size) { end = std::max(end, offset + size); };
  include(header.ph_offset, uint64_t{header.ph_count} * sizeof(elf::ProgramHeader));
  for (unsigned i = 0; i < header.ph_count; ++i) {
    elf::ProgramHeader ph;
    std::memcpy(&ph, base + header.ph_offset + i * sizeof(ph), sizeof(ph));
    include(ph.offset, ph.file_size);
  }
  include(header.sh_offset, uint64_t{header.sh_count} * sizeof(elf::SectionHeader));
  for (unsigned i = 0; i < header.sh_count; ++i) {
    elf::SectionHeader sh;
    std::memcpy(&sh, base + header.sh_offset + i * sizeof(sh), sizeof(sh));
    if (sh.type != elf::kSectionNoBits) include(sh.offset, sh.size);
  }
  return end;
}

// White space and line comments, then ".version": no more is read than what still matches.
bool begins_like_ptx(const std::byte* base) noexcept {
  const char* c = reinterpret_cast<const char*>(base);
  while (true) {
    if (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n') {
      ++c;
    } else if (c[0] == '/' && c[1] == '/') {
      while (*c != '\n' && *c != '\0') ++c;
    } else {
      break;
    }
  }
  for (const char expected : std::string_view(".version"))
    if (*c++ != expected) return false;
  return true;
}

} // namespace

Result<Bundle> parse_bundle(Bytes data) {
  Bundle bundle;
  std::unique_ptr<std::byte[]> decoded;
  const bool is_text = starts_with(data, kTextMagic);
  if (is_text) {
    RT_TRY_ASSIGN(data, decode_text_bundle(data, decoded));
    if (!starts_with(data, kPlainMagic) && !starts_with(data, kCompressedMagic))
      return error(ErrorCode::InvalidImage, "The text holds {} bytes that are not an offload bundle.", data.size());
  }
  if (starts_with(data, kCompressedMagic)) {
    RT_TRY_ASSIGN(data, decompress(data, bundle.storage_));
    if (!starts_with(data, kPlainMagic))
      return error(ErrorCode::InvalidImage,
                   "The compressed offload bundle holds {} bytes that are not an offload bundle.", data.size());
  }
  if (starts_with(data, kPlainMagic)) {
    if (is_text && !bundle.storage_) bundle.storage_ = std::move(decoded);
    RT_TRY_ASSIGN(bundle.entries_, parse_plain(data));
    return bundle;
  }
  if (starts_with(data, elf::kMagic)) {
    RT_TRY_ASSIGN(BundleEntry entry, entry_of_code_object(data));
    bundle.entries_.push_back(std::move(entry));
    return bundle;
  }
  if (is_ptx(data)) {
    RT_TRY_ASSIGN(const PtxModule module, parse_ptx(data));
    bundle.entries_.push_back(bare_entry(std::string(kNvidiaId) + module.target.to_string(), data));
    return bundle;
  }
  return error(ErrorCode::InvalidImage,
               "The {} bytes are neither an offload bundle (__CLANG_OFFLOAD_BUNDLE__, CCOB, or text) nor an ELF code "
               "object nor PTX.",
               data.size());
}

Result<Bytes> bundle_extent(const void* data) {
  if (!data) return error(ErrorCode::InvalidImage, "The fat binary's address is null.");
  const auto* base = static_cast<const std::byte*>(data);
  // Byte by byte against each magic: no more is read than what still matches.
  auto begins_with = [base](std::string_view magic) {
    for (size_t i = 0; i < magic.size(); ++i)
      if (base[i] != static_cast<std::byte>(magic[i])) return false;
    return true;
  };
  if (begins_with(kCompressedMagic)) {
    uint16_t version;
    std::memcpy(&version, base + 4, sizeof(version));
    RT_TRY_ASSIGN(const CompressedHeader h, read_compressed_header(Bytes(base, version == 3 ? 32 : 24)));
    if (!h.total_bytes)
      return error(ErrorCode::NotSupported,
                   "The compressed offload bundle has version {}, which does not tell its size; compile it again.",
                   h.version);
    return Bytes(base, h.total_bytes);
  }
  if (begins_with(kPlainMagic)) {
    uint64_t count;
    std::memcpy(&count, base + kPlainMagic.size(), sizeof(count));
    uint64_t at = kPlainMagic.size() + 8;
    uint64_t end = at;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t fields[3]; // offset, size, id length
      std::memcpy(fields, base + at, sizeof(fields));
      if (fields[2] > kMaxIdBytes)
        return error(ErrorCode::InvalidImage, "Entry {} of the offload bundle has an id of {} bytes.", i, fields[2]);
      at += kEntryHeaderBytes + fields[2];
      end = std::max({end, at, fields[0] + fields[1]});
    }
    return Bytes(base, end);
  }
  if (begins_with(elf::kMagic)) return Bytes(base, elf_extent(base));
  if (begins_with(kTextMagic) || begins_like_ptx(base))
    return Bytes(base, std::strlen(reinterpret_cast<const char*>(base)));
  return error(ErrorCode::InvalidImage,
               "The bytes at {:#x} are neither an offload bundle (__CLANG_OFFLOAD_BUNDLE__, CCOB, or text) nor an ELF "
               "code object nor "
               "PTX.",
               reinterpret_cast<uintptr_t>(data));
}

namespace {

// The entry of `arch` with the highest score; `score` gives nothing for what must not run on the device.
template<class Score>
Result<const BundleEntry*> choose(const Bundle& bundle, std::string_view arch, const std::string& device, Score score) {
  const BundleEntry* best = nullptr;
  int best_score = -1;
  std::string contents;
  for (const BundleEntry& entry : bundle.entries()) {
    if (entry.kind == "host" || entry.image.empty()) continue;
    contents += (contents.empty() ? "" : ", ") + (entry.target.empty() ? entry.id : entry.target);
    if (arch == "nvptx64" && entry.arch == arch)
      contents += starts_with(entry.image, elf::kMagic) ? " (cubin)" : " (PTX)";
    if (!entry.is_device(arch)) continue;
    const std::optional<int> fits = score(entry);
    if (fits && *fits > best_score) {
      best_score = *fits;
      best = &entry;
    }
  }
  if (best) return best;
  return error(ErrorCode::NoBinaryForGpu,
               "No code object suits the device, which is {}. The file holds: {}. Compile with --offload-arch={}.",
               device, contents.empty() ? "nothing" : contents, device.substr(0, device.find(':')));
}

} // namespace

Result<const BundleEntry*> choose_entry(const Bundle& bundle, const TargetId& device) {
  return choose(bundle, "amdgcn", device.to_string(), [&](const BundleEntry& entry) -> std::optional<int> {
    const auto code = parse_target_id(entry.target);
    if (!code.ok()) return std::nullopt; // a processor that we do not know is not this device
    return match_score(code.value(), device);
  });
}

Result<const BundleEntry*> choose_entry(const Bundle& bundle, const SmTarget& device) {
  return choose(bundle, "nvptx64", device.to_string(), [&](const BundleEntry& entry) -> std::optional<int> {
    const auto code = parse_sm_target(entry.target);
    if (!code) return std::nullopt;
    return match_score(*code, starts_with(entry.image, elf::kMagic) ? SmForm::Cubin : SmForm::Ptx, device);
  });
}

Result<const BundleEntry*> choose_entry(const Bundle& bundle, std::string_view device) {
  if (const auto sm = parse_sm_target(device)) return choose_entry(bundle, *sm);
  RT_TRY_ASSIGN(const TargetId target, parse_target_id(device));
  return choose_entry(bundle, target);
}

} // namespace hip::codeobject
