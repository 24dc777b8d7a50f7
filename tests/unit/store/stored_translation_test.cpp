// Translations as they lie on disk: what decides their key, and that no bytes but pack()'s own give one.
#include "runtime/base/build_id.h"
#include "runtime/engine/store/stored_translation.h"
#include "temporary_folder.h"
#include "test_seed.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <functional>
#include <random>
#include <set>

using namespace hip;
using namespace hip::engine;
using namespace hip::engine::compile;

namespace {

constexpr uint64_t kCodeBytes = 64;

Translation sample() {
  Translation t;
  t.native = 11, t.foreign = 2;
  t.elements = {{0, 0}, {12, Translation::kNoRegion}, {16, 1}};
  t.exits = {{12}, {12, kCodeBytes, uint64_t(-8)}};
  t.calls = {{}, {4, 8}};
  t.batches = {Translation::kStartingBatch, Translation::kAlone};
  t.entries = {{0, 0xf0}, {16, 0xc1}};
  t.usual_mode = false;
  t.quick = true;
  t.lines = {0, 4, 12, 16};
  t.objects.resize(2);
  for (int k = 0; k < 100; ++k) t.objects[k % 3 == 0].push_back(std::byte(k));
  return t;
}

struct Sample {
  std::vector<uint8_t> code = std::vector<uint8_t>(kCodeBytes, 3);
  std::vector<std::byte> build = std::vector<std::byte>(20, std::byte{5});
  CodeKind kind = CodeKind::Best;
  Request request;
  Sample() {
    request.target = "gfx942";
    request.is_kernel = true;
    request.host = {"cpu", "+a,-b", HostIsa::Avx2};
    request.start.items = {256, 1, 1};
    request.start.kernarg_sgpr = 8;
    request.start.arguments = {{60, 256}};
  }
  CodeCache::Key key() {
    request.begin = reinterpret_cast<uint64_t>(code.data());
    request.end = request.begin + code.size();
    return key_of(request, build, kind);
  }
};

} // namespace

TEST_CASE("A translation comes back as it was") {
  const Translation t = sample();
  const auto back = unpack(pack(t), kCodeBytes);
  REQUIRE(back.has_value());
  CHECK(back->native == t.native);
  CHECK(back->foreign == t.foreign);
  REQUIRE(back->elements.size() == t.elements.size());
  for (size_t k = 0; k < t.elements.size(); ++k) {
    CHECK(back->elements[k].offset == t.elements[k].offset);
    CHECK(back->elements[k].region == t.elements[k].region);
  }
  CHECK(back->exits == t.exits);
  CHECK(back->calls == t.calls);
  CHECK(back->batches == t.batches);
  REQUIRE(back->entries.size() == t.entries.size());
  for (size_t k = 0; k < t.entries.size(); ++k) {
    CHECK(back->entries[k].offset == t.entries[k].offset);
    CHECK(back->entries[k].float_mode == t.entries[k].float_mode);
  }
  CHECK(back->usual_mode == t.usual_mode);
  CHECK(back->quick == t.quick);
  CHECK(back->lines == t.lines);
  CHECK(back->objects == t.objects);
}

TEST_CASE("A part of a translation, or one with something behind it, is none") {
  std::vector<std::byte> bytes = pack(sample());
  for (size_t n = 0; n < bytes.size(); ++n) CHECK_FALSE(unpack(std::span(bytes).first(n), kCodeBytes).has_value());
  bytes.push_back({});
  CHECK_FALSE(unpack(bytes, kCodeBytes).has_value());
}

TEST_CASE("A translation that names places outside its function is none") {
  const auto refused = [](const std::function<void(Translation&)>& change) {
    Translation t = sample();
    change(t);
    return !unpack(pack(t), kCodeBytes).has_value();
  };
  CHECK(refused([](Translation& t) { t.elements.clear(); }));
  CHECK(refused([](Translation& t) { t.elements[0].offset = 4; }));
  CHECK(refused([](Translation& t) { t.elements[2].offset = kCodeBytes; }));
  CHECK(refused([](Translation& t) { t.elements[2].offset = 12; }));
  CHECK(refused([](Translation& t) { t.elements[2].region = 2; }));
  CHECK(refused([](Translation& t) { t.lines[1] = kCodeBytes; }));
  CHECK(refused([](Translation& t) { t.calls[1][0] = kCodeBytes; }));
  CHECK(refused([](Translation& t) { t.entries[1].offset = 12; })); // tier 0's
  CHECK(refused([](Translation& t) { t.entries[1].offset = 8; }));
  CHECK(refused([](Translation& t) { t.entries.push_back({kCodeBytes, 0xf0}); }));
  CHECK(refused([](Translation& t) { t.batches.pop_back(); }));
  CHECK(refused([](Translation& t) { t.batches[1] = Translation::kStartingBatch + 1; }));
  CHECK_FALSE(refused([](Translation& t) { t.lines.clear(); }));
}

TEST_CASE("Damaged translations are refused or harmless") {
  const std::vector<std::byte> whole = pack(sample());
  std::mt19937 random(hip::testing::seeded(7));
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = whole;
    for (unsigned n = 1 + random() % 4; n > 0; --n) bytes[random() % bytes.size()] = std::byte(random());
    const auto t = unpack(bytes, kCodeBytes);
    if (!t) continue;
    REQUIRE(!t->elements.empty());
    for (const auto& element : t->elements) {
      REQUIRE(element.offset < kCodeBytes);
      REQUIRE((element.region == Translation::kNoRegion || element.region < t->exits.size()));
    }
    REQUIRE(t->calls.size() == t->exits.size());
  }
}

TEST_CASE("The key depends on all that decides the code, and not on where the code lies") {
  std::set<CodeCache::Key> keys;
  const auto differs = [&](const std::function<void(Sample&)>& change) {
    Sample s;
    change(s);
    return keys.insert(s.key()).second;
  };
  CHECK(differs([](Sample&) {}));
  CHECK_FALSE(differs([](Sample&) {})); // its code lies in a vector of its own
  CHECK(differs([](Sample& s) { s.code[kCodeBytes - 1] = 4; }));
  CHECK(differs([](Sample& s) { s.code.push_back(3); }));
  CHECK(differs([](Sample& s) { s.build[0] = {}; }));
  CHECK(differs([](Sample& s) { s.request.host.name = "cpu2"; }));
  CHECK(differs([](Sample& s) { s.request.host.features = "+a,+b"; }));
  CHECK(differs([](Sample& s) { s.request.host.isa = HostIsa::Avx512; }));
  CHECK(differs([](Sample& s) { s.request.target = "gfx950"; }));
  CHECK(differs([](Sample& s) { s.request.is_kernel = false; }));
  CHECK(differs([](Sample& s) { s.request.float_mode ^= 0x30; }));
  CHECK(differs([](Sample& s) { s.request.optimise = Optimise::Nothing; }));
  CHECK(differs([](Sample& s) { s.request.optimise = Optimise::Careful; }));
  CHECK(differs([](Sample& s) { s.request.start.version = Version::Partial; }));
  CHECK(differs([](Sample& s) { s.request.start.item_ids = 0x3ff; }));
  CHECK(differs([](Sample& s) { s.request.start.items = {128, 2, 1}; }));
  CHECK(differs([](Sample& s) { s.request.start.kernarg_sgpr = -1; }));
  CHECK(differs([](Sample& s) { s.request.start.arguments[0].offset = 64; }));
  CHECK(differs([](Sample& s) { s.request.start.arguments[0].value = 128; }));
  CHECK(differs([](Sample& s) { s.request.start.arguments.push_back({64, 1}); }));
  CHECK(differs([](Sample& s) { s.request.start.arguments.clear(); }));
  // Fields that would read the same one after the other.
  CHECK(differs([](Sample& s) { s.request.host = {"cpu+", "a,-b", HostIsa::Avx2}; }));
  CHECK(differs([](Sample& s) { s.kind = CodeKind::Quick; }));
}

TEST_CASE("A request comes to another process as it was") {
  Sample sample;
  for (size_t k = 0; k < sample.code.size(); ++k) sample.code[k] = uint8_t(7 * k);
  sample.request.start.version = Version::Partial;
  sample.request.start.item_ids = 0x3ff;
  sample.request.optimise = Optimise::Nothing;
  const CodeCache::Key key = sample.key();
  const std::vector<std::byte> bytes = pack(sample.request);
  const auto there = unpack_request(bytes);
  REQUIRE(there);
  CHECK(there->request.begin != sample.request.begin);
  CHECK(key_of(there->request, sample.build, CodeKind::Best) == key); // all that decides the translation
  CHECK(there->request.host.isa == HostIsa::Avx2);
  for (size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(unpack_request(std::span(bytes).first(size)));
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  CHECK_FALSE(unpack_request(longer));
}

TEST_CASE("The build id of a shared object is read from its file") {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/object";
  struct {
    Elf64_Ehdr header{};
    Elf64_Phdr segment{};
    Elf64_Nhdr other{5, 3, NT_GNU_ABI_TAG};
    char other_contents[12] = {};
    Elf64_Nhdr note{4, 20, NT_GNU_BUILD_ID};
    char owner[4] = {'G', 'N', 'U', 0};
    char id[20] = {1, 2, 3};
  } file;
  std::memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_phoff = offsetof(decltype(file), segment);
  file.header.e_phentsize = sizeof(Elf64_Phdr);
  file.header.e_phnum = 1;
  file.segment.p_type = PT_NOTE;
  file.segment.p_offset = offsetof(decltype(file), other);
  file.segment.p_filesz = sizeof file - offsetof(decltype(file), other);
  const auto id_with = [&](size_t bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(&file), std::streamsize(bytes));
    return build_id_of(path);
  };
  const auto id = id_with(sizeof file);
  REQUIRE(id.size() == 20);
  CHECK(id[2] == std::byte{3});
  for (size_t bytes = 0; bytes < offsetof(decltype(file), id); ++bytes) CHECK(id_with(bytes).empty());
  file.note.n_descsz = ~0u;
  CHECK(id_with(sizeof file).empty());
  file.note.n_descsz = 20, file.note.n_type = NT_GNU_ABI_TAG;
  CHECK(id_with(sizeof file).empty());
  file.note.n_type = NT_GNU_BUILD_ID, file.segment.p_offset = ~0ull;
  CHECK(id_with(sizeof file).empty());
  CHECK(build_id_of(folder.path() + "/none").empty());
}
