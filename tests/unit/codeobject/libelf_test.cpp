// Code objects read by another reader, elfutils' libelf, and by this SDK's: segments, notes, symbols and relocations
// are the same, in whole files and in damaged ones that this SDK accepts; what libelf cannot read is refused.
#include "runtime/codeobject/elf_file.h"
#include "test_data.h"
#include "test_seed.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <gelf.h>
#include <map>
#include <random>
#include <stdexcept>
#include <tuple>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;

namespace {

// What a reader finds in a file; places in the file are offsets.
struct View {
  using SegmentView = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, unsigned>;
  using SymbolView = std::tuple<std::string, uint64_t, uint64_t, int, bool, bool, bool>;
  using RelocationView = std::tuple<uint64_t, int64_t, uint32_t, uint32_t>;
  std::vector<SegmentView> segments;       // address, bytes in memory, alignment, offset, bytes in the file, PF_*
  std::vector<SymbolView> symbols;         // name, address, bytes, kind, defined, absolute, weak
  std::vector<RelocationView> relocations; // address, addend, type, symbol
  std::vector<std::pair<uint64_t, uint64_t>> notes; // descriptors of AMDGPU metadata: offset, bytes
  uint32_t flags = 0;
  bool operator==(const View&) const = default;
};

// ---- by libelf ---------------------------------------------------------------------------------------------------

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The file can be read, but how many symbols it has stands where this reader does not look.
struct Uncounted {};

template<class T> T* must(T* found, const char* what) {
  if (!found) throw Unreadable(std::string(what) + ": " + elf_errmsg(-1));
  return found;
}

class ByLibelf {
public:
  // libelf takes a pointer to bytes that it does not change.
  explicit ByLibelf(Bytes file)
      : bytes_(file), elf_(must(elf_memory(reinterpret_cast<char*>(const_cast<std::byte*>(file.data())), file.size()),
                                "elf_memory")) {}
  ~ByLibelf() { elf_end(elf_); }
  ByLibelf(const ByLibelf&) = delete;

  View read() {
    GElf_Ehdr header;
    must(gelf_getehdr(elf_, &header), "gelf_getehdr");
    size_t count = 0;
    if (gelf_getclass(elf_) != ELFCLASS64 || elf_getphdrnum(elf_, &count) != 0)
      throw Unreadable("no ELF64 with segments");
    view_.flags = header.e_flags;
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr ph;
      must(gelf_getphdr(elf_, int(i), &ph), "gelf_getphdr");
      if (ph.p_type == PT_LOAD) loads_.push_back(ph);
      if (ph.p_type == PT_DYNAMIC) dynamic_ = ph;
      if (ph.p_type == PT_NOTE) read_notes(ph);
    }
    for (const GElf_Phdr& ph : loads_)
      if (ph.p_memsz != 0)
        view_.segments.emplace_back(ph.p_vaddr, ph.p_memsz, std::max<uint64_t>(ph.p_align, 1), ph.p_offset, ph.p_filesz,
                                    ph.p_flags & (PF_R | PF_W | PF_X));
    std::ranges::sort(view_.segments);
    if (dynamic_.p_type == PT_DYNAMIC) read_dynamic();
    return view_;
  }

  // The numbers of symbols and of relocations by the sections of a whole file.
  std::pair<size_t, size_t> counts_of_sections() {
    size_t symbols = 0, relocations = 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
      GElf_Shdr header;
      must(gelf_getshdr(section, &header), "gelf_getshdr");
      if (header.sh_type == SHT_DYNSYM) symbols += header.sh_size / header.sh_entsize;
      if (header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC) relocations += header.sh_size / header.sh_entsize;
    }
    return {symbols, relocations};
  }

private:
  Elf_Data* chunk(uint64_t offset, uint64_t bytes, Elf_Type type) {
    return must(elf_getdata_rawchunk(elf_, int64_t(offset), bytes, type), "elf_getdata_rawchunk");
  }
  // The bytes at an address, which one segment holds.
  Elf_Data* at(uint64_t address, uint64_t bytes, Elf_Type type) {
    for (const GElf_Phdr& ph : loads_)
      if (address >= ph.p_vaddr && address - ph.p_vaddr <= ph.p_filesz && bytes <= ph.p_filesz - (address - ph.p_vaddr))
        return chunk(ph.p_offset + (address - ph.p_vaddr), bytes, type);
    throw Unreadable("an address outside the file");
  }
  uint32_t word(uint64_t address) { return *static_cast<uint32_t*>(at(address, 4, ELF_T_WORD)->d_buf); }

  void read_notes(const GElf_Phdr& ph) {
    constexpr uint32_t kMetadata = 32; // NT_AMDGPU_METADATA
    if (ph.p_filesz == 0) return;
    Elf_Data* const data = chunk(ph.p_offset, ph.p_filesz, ELF_T_NHDR);
    GElf_Nhdr note;
    size_t name = 0, descriptor = 0;
    for (size_t next = 0; next < data->d_size;) {
      next = gelf_getnote(data, next, &note, &name, &descriptor);
      if (next == 0) throw Unreadable("a note that is cut off");
      const std::string_view text(static_cast<const char*>(data->d_buf) + name, note.n_namesz);
      if (note.n_type == kMetadata && text == std::string_view("AMDGPU\0", 7))
        view_.notes.emplace_back(ph.p_offset + descriptor, note.n_descsz);
    }
  }

  void read_dynamic() {
    if (dynamic_.p_filesz == 0) return;
    Elf_Data* const table = chunk(dynamic_.p_offset, dynamic_.p_filesz, ELF_T_DYN);
    std::map<int64_t, uint64_t> tags;
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(table, i, &entry) && entry.d_tag != DT_NULL; ++i) tags[entry.d_tag] = entry.d_un.d_val;
    if (const auto symbols = tags.find(DT_SYMTAB); symbols != tags.end()) {
      if (!tags.contains(DT_HASH)) throw Uncounted();
      const uint64_t count = word(tags[DT_HASH] + 4);
      if (count > bytes_.size() || !tags.contains(DT_STRTAB)) throw Unreadable("symbols without names");
      if (count != 0) read_symbols(symbols->second, count, tags[DT_STRTAB], tags[DT_STRSZ]);
    }
    if (tags.contains(DT_RELA)) read_relocations(tags[DT_RELA], tags[DT_RELASZ]);
    if (tags.contains(DT_JMPREL)) read_relocations(tags[DT_JMPREL], tags[DT_PLTRELSZ]);
  }

  void read_symbols(uint64_t address, uint64_t count, uint64_t strings_address, uint64_t strings_bytes) {
    Elf_Data* const table = at(address, count * sizeof(Elf64_Sym), ELF_T_SYM);
    Elf_Data* const strings = at(strings_address, strings_bytes, ELF_T_BYTE);
    const std::string_view names(static_cast<const char*>(strings->d_buf), strings->d_size);
    for (uint64_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      must(gelf_getsym(table, int(i), &symbol), "gelf_getsym");
      const size_t end = symbol.st_name < names.size() ? names.find('\0', symbol.st_name) : std::string_view::npos;
      if (end == std::string_view::npos) throw Unreadable("a symbol without a name");
      const int type = GELF_ST_TYPE(symbol.st_info);
      view_.symbols.emplace_back(
          std::string(names.substr(symbol.st_name, end - symbol.st_name)), symbol.st_value, symbol.st_size,
          type == STT_FUNC     ? 2
          : type == STT_OBJECT ? 1
                               : 0,
          symbol.st_shndx != SHN_UNDEF, symbol.st_shndx == SHN_ABS, GELF_ST_BIND(symbol.st_info) == STB_WEAK);
    }
  }

  void read_relocations(uint64_t address, uint64_t bytes) {
    if (bytes < sizeof(Elf64_Rela)) return;
    Elf_Data* const table = at(address, bytes / sizeof(Elf64_Rela) * sizeof(Elf64_Rela), ELF_T_RELA);
    GElf_Rela entry;
    for (int i = 0; gelf_getrela(table, i, &entry); ++i)
      if (GELF_R_TYPE(entry.r_info) != 0)
        view_.relocations.emplace_back(entry.r_offset, entry.r_addend, uint32_t(GELF_R_TYPE(entry.r_info)),
                                       uint32_t(GELF_R_SYM(entry.r_info)));
  }

  Bytes bytes_;
  Elf* const elf_;
  std::vector<GElf_Phdr> loads_;
  GElf_Phdr dynamic_{};
  View view_;
};

// ---- by this SDK -------------------------------------------------------------------------------------------------

View view_of(const ElfFile& elf, Bytes file) {
  const auto offset = [&](Bytes part) { return uint64_t(part.data() - file.data()); };
  View view;
  view.flags = elf.flags;
  for (const Segment& s : elf.segments)
    view.segments.emplace_back(s.address, s.memory_size, s.align, offset(s.contents), s.contents.size(),
                               (s.readable ? PF_R : 0u) | (s.writable ? PF_W : 0u) | (s.executable ? PF_X : 0u));
  for (const Symbol& s : elf.symbols)
    view.symbols.emplace_back(std::string(s.name), s.address, s.size, int(s.kind), s.defined, s.absolute, s.weak);
  for (const Relocation& r : elf.relocations) view.relocations.emplace_back(r.address, r.addend, r.type, r.symbol);
  for (const Bytes note : elf.metadata_notes) view.notes.emplace_back(offset(note), note.size());
  return view;
}

// Fields of the file's header that this SDK does not look at: nothing that is loaded needs sections.
bool tells_of_sections(size_t at) {
  return (at >= offsetof(Elf64_Ehdr, e_shoff) && at < offsetof(Elf64_Ehdr, e_flags)) ||
         (at >= offsetof(Elf64_Ehdr, e_shentsize) && at < sizeof(Elf64_Ehdr));
}

struct Libelf {
  Libelf() { REQUIRE(elf_version(EV_CURRENT) != EV_NONE); }
};

} // namespace

TEST_CASE("libelf reads code objects as this SDK does", "[codeobject][libelf]") {
  const Libelf libelf;
  const auto name = GENERATE(as<std::string>{}, "gfx942_v4.co", "gfx942_v5.co", "gfx942_v6.co", "gfx942_printf.co",
                             "gfx906.co", "gfx908.co", "gfx90a.co", "gfx1010.co", "gfx1030.co", "gfx1100.co",
                             "gfx1201.co", "gfx1250.co", "gfx1030_wave64.co", "gfx1100_wave64_cu.co",
                             "gfx1201_wave64.co", "opencl.co", "lines_dwarf4.co", "lines_dwarf5.co", "small.gfx942.co");
  INFO(name);
  const ByteVector file = test::load_data(name);
  Result<ElfFile> ours = parse_elf(file);
  REQUIRE(ours.ok());
  ByLibelf reader(file);
  const View theirs = reader.read();
  CHECK(view_of(*ours, file) == theirs);
  REQUIRE(theirs.segments.size() >= 3);
  REQUIRE(theirs.notes.size() == 1);
  const auto [symbols, relocations] = reader.counts_of_sections();
  CHECK(theirs.symbols.size() == symbols);
  CHECK(theirs.relocations.size() == relocations);
}

TEST_CASE("what libelf cannot read is refused", "[codeobject][libelf]") {
  const Libelf libelf;
  const ByteVector data = test::load_data(GENERATE("gfx942_v5.co", "gfx90a.co", "gfx1100.co", "opencl.co"));
  std::mt19937 random(hip::testing::seeded(4711));
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  constexpr int kRounds = 6000;
  constexpr size_t kHeaders = 64 + 12 * 56; // the file's, and its segments'
  int accepted = 0, unreadable = 0;
  for (int round = 0; round < kRounds; ++round) {
    ByteVector damaged = data;
    if (below(8) == 0) damaged.resize(below(damaged.size()) + 1);
    for (size_t i = 0, n = 1 + below(4); i < n; ++i) {
      const size_t at =
          below(below(3) == 0 ? damaged.size() : std::min<size_t>(damaged.size(), below(2) ? kHeaders : 0xe00));
      constexpr unsigned char kNasty[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
      if (tells_of_sections(at)) continue;
      damaged[at] = below(2) ? static_cast<std::byte>(below(256)) : static_cast<std::byte>(kNasty[below(5)]);
    }
    Result<ElfFile> ours = parse_elf(damaged);
    INFO("round " << round << (ours.ok() ? "" : ": " + ours.status().message()));
    try {
      const View theirs = ByLibelf(damaged).read();
      if (!ours.ok()) continue;
      ++accepted;
      REQUIRE(view_of(*ours, damaged) == theirs);
    } catch (const Uncounted&) {
    } catch (const Unreadable& why) {
      ++unreadable;
      INFO(why.what());
      REQUIRE_FALSE(ours.ok());
    }
  }
  CHECK(accepted > kRounds / 10);
  CHECK(unreadable > kRounds / 10);
}
