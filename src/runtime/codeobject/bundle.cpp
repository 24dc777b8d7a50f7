// The formats of clang-offload-bundler (clang documentation, "Clang Offload Bundler"): plain
// `__CLANG_OFFLOAD_BUNDLE__`, u64 count, count x { u64 offset, u64 size, u64 id length, id }; and that as text and
// compressed.
#include "runtime/codeobject/bundle.h"

#include "runtime/codeobject/compressed_bundle.h"
#include "runtime/codeobject/elf_format.h"
#include "runtime/codeobject/ptx.h"
#include "runtime/codeobject/text_bundle.h"

#include <algorithm>
#include <new>

namespace hip::codeobject {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr uint64_t kEntryHeaderBytes = 24;
constexpr uint64_t kMaxIdBytes = 4096; // a target id with every feature is under 100
// Bundles have one entry for each target that they were compiled for, about a hundred at most. The table of a
// compressed bundle may take almost no bytes of the file, so the file's size is no limit for it.
constexpr uint64_t kMaxEntries = 65536, kMaxCompressedTableBytes = 4 << 20;

bool starts_with(Bytes data, std::string_view magic) noexcept {
  const auto head = slice(data, 0, magic.size());
  return head && as_text(*head) == magic;
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

Status check_count(uint64_t count) {
  if (count <= kMaxEntries) return {};
  return error(ErrorCode::InvalidImage, "The offload bundle claims {} entries; {} is the most that is read.", count,
               kMaxEntries);
}

// The whole of an entry's header is in `data`, or what is wrong in it.
bool has_entry(Bytes data, uint64_t at) noexcept {
  const auto id_bytes = read<uint64_t>(data, at + 16);
  return id_bytes && (*id_bytes > kMaxIdBytes || slice(data, at + kEntryHeaderBytes, *id_bytes));
}

// The entry, without its image, whose header is at `at`, which goes behind it.
Result<BundleEntry> read_entry(Bytes data, uint64_t& at, uint64_t number, uint64_t count) {
  const auto offset = read<uint64_t>(data, at);
  const auto size = read<uint64_t>(data, at + 8);
  const auto id_bytes = read<uint64_t>(data, at + 16);
  if (!offset || !size || !id_bytes)
    return error(ErrorCode::InvalidImage, "The offload bundle ends inside the header of entry {} of {}.", number,
                 count);
  at += kEntryHeaderBytes;
  const auto id = *id_bytes <= kMaxIdBytes ? slice(data, at, *id_bytes) : std::nullopt;
  if (!id)
    return error(ErrorCode::InvalidImage, "Entry {} of the offload bundle has an id of {} bytes, which does not fit.",
                 number, *id_bytes);
  at += *id_bytes;
  BundleEntry entry;
  entry.id = as_text(*id);
  entry.image_offset = *offset;
  entry.image_bytes = *size;
  split_id(entry);
  return entry;
}

struct Range {
  uint64_t begin, end;
};

// The entries of a plain bundle, without their images, and where those lie.
struct Table {
  std::vector<BundleEntry> entries;
  std::vector<Range> ranges; // of each entry
};

// Reads the table of a plain bundle of `total` bytes that begins with `data`. Without a value: `data` ends before the
// table does, and is not all of it.
Result<std::optional<Table>> read_table(Bytes data, uint64_t total) {
  const bool is_all = data.size() == total;
  const auto count = read<uint64_t>(data, kPlainMagic.size());
  if (!count) {
    if (!is_all) return std::optional<Table>();
    return error(ErrorCode::InvalidImage, "The offload bundle ends inside its header ({} bytes).", data.size());
  }
  uint64_t at = kPlainMagic.size() + 8;
  if (*count > (total - at) / kEntryHeaderBytes)
    return error(ErrorCode::InvalidImage, "The offload bundle claims {} entries, more than its {} bytes can hold.",
                 *count, total);
  RT_TRY(check_count(*count));
  Table table;
  table.entries.reserve(static_cast<size_t>(std::min<uint64_t>(*count, data.size() / kEntryHeaderBytes)));
  for (uint64_t i = 0; i < *count; ++i) {
    if (!is_all && !has_entry(data, at)) return std::optional<Table>();
    RT_TRY_ASSIGN(BundleEntry entry, read_entry(data, at, i, *count));
    const uint64_t offset = entry.image_offset, size = entry.image_bytes;
    if (offset > total || size > total - offset)
      return error(ErrorCode::InvalidImage,
                   "Entry '{}' of the offload bundle lies at offset {} with {} bytes, outside the bundle's {} bytes.",
                   entry.id, offset, size, total);
    table.entries.push_back(std::move(entry));
    table.ranges.push_back({offset, offset + size});
  }
  return std::optional<Table>(std::move(table));
}

Result<std::vector<BundleEntry>> parse_plain(Bytes data) {
  RT_TRY_ASSIGN(std::optional<Table> table, read_table(data, data.size())); // all of it, so there is a value
  for (size_t i = 0; i < table->entries.size(); ++i)
    table->entries[i].image =
        data.subspan(static_cast<size_t>(table->ranges[i].begin), static_cast<size_t>(table->entries[i].image_bytes));
  return std::move(table->entries);
}

// How well an entry for an AMD GPU suits `device`; nothing for one that must not run there.
std::optional<int> score_of(const BundleEntry& entry, const TargetId& device) {
  const auto code = parse_target_id(entry.target);
  if (!code.ok()) return std::nullopt; // a processor that we do not know is not this device
  return match_score(code.value(), device);
}

// Whether `device` could run each of the entries; choose_entry decides between those that it could.
std::vector<bool> which_may_suit(const std::vector<BundleEntry>& entries, std::string_view device) {
  const bool is_sm = parse_sm_target(device).has_value();
  const auto amd = parse_target_id(device);
  std::vector<bool> may;
  for (const BundleEntry& entry : entries)
    may.push_back(device.empty() || (is_sm ? entry.is_device("nvptx64")
                                           : entry.is_device("amdgcn") && (!amd.ok() || score_of(entry, amd.value()))));
  return may;
}

// What of a plain bundle that comes in pieces is kept: the images of entries that may suit a device.
class KeptImages {
public:
  KeptImages(std::string_view device, uint64_t total) : device_(device), total_(total) {}

  Result<bool> take(Bytes piece) {
    if (table_) {
      place(piece);
    } else {
      beginning_.insert(beginning_.end(), piece.begin(), piece.end());
      if (beginning_.size() >= kPlainMagic.size() && !starts_with(beginning_, kPlainMagic)) return not_a_bundle();
      RT_TRY_ASSIGN(table_, read_table(beginning_, total_));
      if (!table_) {
        if (beginning_.size() < kMaxCompressedTableBytes) return true;
        return error(ErrorCode::InvalidImage,
                     "The table of the compressed offload bundle does not end in its first {} bytes.",
                     beginning_.size());
      }
      RT_TRY(allocate());
      place(beginning_);
      beginning_ = {};
    }
    return position_ < end_;
  }

  // After all pieces. `storage` is what the entries' images lie in.
  Result<std::vector<BundleEntry>> finish(std::unique_ptr<std::byte[]>& storage) {
    if (!table_) return not_a_bundle();
    for (size_t i = 0; i < table_->entries.size(); ++i) {
      BundleEntry& entry = table_->entries[i];
      if (entry.image_bytes == 0 || !wanted_[i]) continue;
      const Range& range = table_->ranges[i];
      const auto in = std::upper_bound(kept_.begin(), kept_.end(), range.begin,
                                       [](uint64_t begin, const Kept& kept) { return begin < kept.range.begin; });
      const Kept& kept = *std::prev(in);
      entry.image =
          Bytes(storage_.get() + kept.at + (range.begin - kept.range.begin), static_cast<size_t>(entry.image_bytes));
    }
    storage = std::move(storage_);
    return std::move(table_->entries);
  }

private:
  // A part of the bundle, and where it is kept.
  struct Kept {
    Range range;
    size_t at;
  };

  Status not_a_bundle() const {
    return error(ErrorCode::InvalidImage,
                 "The compressed offload bundle holds {} bytes that are not an offload bundle.", total_);
  }

  // Images may overlap in a file that somebody wrote in order to fill the memory: what is kept is never more than the
  // bundle has.
  Status allocate() {
    wanted_ = which_may_suit(table_->entries, device_);
    std::vector<Range> ranges;
    for (size_t i = 0; i < table_->entries.size(); ++i)
      if (table_->entries[i].image_bytes != 0 && wanted_[i]) ranges.push_back(table_->ranges[i]);
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    uint64_t bytes = 0;
    for (const Range& range : ranges) {
      if (kept_.empty() || range.begin > kept_.back().range.end) {
        kept_.push_back({range, static_cast<size_t>(bytes)});
        bytes += range.end - range.begin;
      } else if (range.end > kept_.back().range.end) {
        bytes += range.end - kept_.back().range.end;
        kept_.back().range.end = range.end;
      }
    }
    end_ = kept_.empty() ? 0 : kept_.back().range.end;
    storage_.reset(new (std::nothrow) std::byte[static_cast<size_t>(bytes) + 1]); // one: not null where nothing is kept
    if (!storage_)
      return error(ErrorCode::OutOfMemory, "There is no memory for {} bytes of a compressed offload bundle.", bytes);
    return {};
  }

  // Copies what is kept of the next piece.
  void place(Bytes piece) noexcept {
    const uint64_t begin = position_, end = position_ + piece.size();
    position_ = end;
    for (; next_ < kept_.size() && kept_[next_].range.begin < end; ++next_) {
      const Kept& kept = kept_[next_];
      const uint64_t from = std::max(begin, kept.range.begin), to = std::min(end, kept.range.end);
      if (from < to)
        std::memcpy(storage_.get() + kept.at + (from - kept.range.begin), piece.data() + (from - begin),
                    static_cast<size_t>(to - from));
      if (kept.range.end > end) return; // goes on in the next piece
    }
  }

  std::string_view device_;
  uint64_t total_;
  std::vector<std::byte> beginning_; // until the table is whole
  std::optional<Table> table_;
  std::vector<bool> wanted_; // of the table's entries
  std::vector<Kept> kept_;   // in order, apart from each other
  size_t next_ = 0;          // of kept_
  std::unique_ptr<std::byte[]> storage_;
  uint64_t position_ = 0, end_ = 0;
};

BundleEntry bare_entry(std::string id, Bytes data) {
  BundleEntry entry;
  entry.id = std::move(id);
  split_id(entry);
  entry.image = data;
  entry.image_bytes = data.size();
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

Result<Bundle> parse_bundle(Bytes data, std::string_view device) {
  Bundle bundle;
  std::unique_ptr<std::byte[]> decoded;
  const bool is_text = starts_with(data, kTextMagic);
  if (is_text) {
    RT_TRY_ASSIGN(data, decode_text_bundle(data, decoded));
    if (!starts_with(data, kPlainMagic) && !starts_with(data, kCompressedMagic))
      return error(ErrorCode::InvalidImage, "The text holds {} bytes that are not an offload bundle.", data.size());
  }
  if (starts_with(data, kCompressedMagic)) {
    RT_TRY_ASSIGN(const CompressedHeader header, read_compressed_header(data));
    KeptImages images(device, header.plain_bytes);
    RT_TRY(decompress_bundle(data, header, [&](Bytes piece) { return images.take(piece); }));
    RT_TRY_ASSIGN(bundle.entries_, images.finish(bundle.storage_));
    return bundle;
  }
  if (starts_with(data, kPlainMagic)) {
    if (is_text) bundle.storage_ = std::move(decoded);
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

Result<BundleHeader> parse_bundle_header(Bytes data) {
  if (!starts_with(data, kPlainMagic))
    return error(ErrorCode::InvalidImage, "The {} bytes do not begin as a plain offload bundle.", data.size());
  const auto count = read<uint64_t>(data, kPlainMagic.size());
  if (!count)
    return error(ErrorCode::InvalidImage, "The offload bundle ends inside its header ({} bytes).", data.size());
  RT_TRY(check_count(*count));
  BundleHeader header;
  uint64_t at = kPlainMagic.size() + 8;
  for (uint64_t i = 0; i < *count && header.end.ok(); ++i) {
    Result<BundleEntry> entry = read_entry(data, at, i, *count);
    if (!entry.ok()) {
      header.end = entry.status();
      break;
    }
    if (const auto image = slice(data, entry->image_offset, entry->image_bytes)) entry->image = *image;
    header.entries.push_back(std::move(*entry));
  }
  return header;
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
    RT_TRY(check_count(count));
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
    if (entry.kind == "host" || entry.image_bytes == 0) continue;
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
  return choose(bundle, "amdgcn", device.to_string(),
                [&](const BundleEntry& entry) { return score_of(entry, device); });
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
