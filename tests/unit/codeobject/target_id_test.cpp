#include "runtime/codeobject/bundle.h"
#include "test_data.h"

#include <catch2/catch.hpp>
#include <set>

using namespace hip;
using namespace hip::codeobject;

namespace {

TargetId id(std::string_view text) {
  auto result = parse_target_id(text);
  INFO(text);
  REQUIRE(result.ok());
  return result.value();
}

} // namespace

TEST_CASE("target ids: text and back", "[codeobject][target]") {
  CHECK(id("gfx942").to_string() == "gfx942");
  CHECK(id("gfx90a:xnack-:sramecc+").to_string() == "gfx90a:sramecc+:xnack-");
  CHECK(id("gfx9-4-generic:xnack+").to_string() == "gfx9-4-generic:xnack+");
  CHECK(id("gfx90a").xnack == Feature::Any);
  CHECK(id("gfx1100").xnack == Feature::Unsupported);
  CHECK(id("gfx942").processor->facts().wave_lanes == 64);
  CHECK(id("gfx1201").processor->facts().wave_lanes == 32);
}

TEST_CASE("target ids: what is refused", "[codeobject][target]") {
  const char* text = GENERATE("", "gfx", "gfx94", "gfx9420", "GFX942", "gfx942:", "gfx942:xnack",
                              "gfx942:xnack+:", "gfx942:+", "gfx942:xnack+:xnack+", "gfx942:xnack+:xnack-",
                              "gfx942:fast+", "gfx1100:xnack+", "gfx900:sramecc+", "sm_90", ":xnack+");
  INFO(text);
  const auto result = parse_target_id(text);
  REQUIRE_FALSE(result.ok());
  CHECK(result.status().code() == ErrorCode::InvalidValue);
  CHECK(result.status().message().find(text) != std::string::npos);
}

TEST_CASE("target ids: which code runs on which device", "[codeobject][target]") {
  struct Row {
    const char *code, *device;
    bool fits;
  };
  const Row row = GENERATE(
      Row{"gfx942", "gfx942:sramecc+:xnack-", true}, Row{"gfx942:xnack-", "gfx942:sramecc+:xnack-", true},
      Row{"gfx942:xnack+", "gfx942:sramecc+:xnack-", false}, Row{"gfx942:sramecc-", "gfx942:sramecc+:xnack-", false},
      Row{"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-", true},
      Row{"gfx9-4-generic", "gfx942:sramecc+:xnack-", true},
      Row{"gfx9-4-generic:xnack+", "gfx942:sramecc+:xnack-", false}, Row{"gfx9-generic", "gfx942", false},
      Row{"gfx90a", "gfx942", false}, Row{"gfx950", "gfx942", false}, Row{"gfx942", "gfx9-4-generic", false},
      Row{"gfx942:xnack-", "gfx942", false}, Row{"gfx11-generic", "gfx1103", true},
      Row{"gfx11-generic", "gfx1200", false}, Row{"gfx10-3-generic", "gfx1030", true},
      Row{"gfx10-1-generic", "gfx1030", false}, Row{"gfx9-generic", "gfx908", false});
  INFO(row.code << " on " << row.device);
  CHECK(match_score(id(row.code), id(row.device)).has_value() == row.fits);
}

TEST_CASE("target ids: the better match scores higher", "[codeobject][target]") {
  const TargetId device = id("gfx942:sramecc+:xnack-");
  const char* ascending[] = {"gfx9-4-generic", "gfx9-4-generic:xnack-", "gfx942", "gfx942:xnack-",
                             "gfx942:sramecc+:xnack-"};
  for (size_t i = 1; i < std::size(ascending); ++i)
    CHECK(match_score(id(ascending[i - 1]), device).value() < match_score(id(ascending[i]), device).value());
}

TEST_CASE("processor table agrees with clang", "[codeobject][target]") {
  const auto data = test::load_data("every_processor.hipfb");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  std::set<std::string> seen;
  for (const BundleEntry& entry : bundle.value().entries()) {
    if (!entry.is_device("amdgcn")) continue;
    INFO(entry.id);
    const auto from_flags = target_id_from_elf_flags(read<uint32_t>(entry.image, 48).value(), 6);
    REQUIRE(from_flags.ok());
    CHECK(from_flags.value().to_string() == entry.target);
    const TargetId named = id(entry.target);
    CHECK(from_flags.value().xnack == named.xnack);
    CHECK(from_flags.value().sramecc == named.sramecc);
    CHECK((from_flags.value().generic_version != 0) == named.processor->is_generic());
    seen.insert(entry.target);
  }
  CHECK(seen.size() == processors().size());
  std::set<uint32_t> numbers;
  for (const Processor& p : processors()) {
    CHECK(numbers.insert(p.elf_mach).second);
    if (p.generic[0] != 0) {
      REQUIRE(find_processor(p.generic) != nullptr);
      CHECK(find_processor(p.generic)->is_generic());
    }
  }
}

TEST_CASE("unknown processor number in e_flags", "[codeobject][target]") {
  CHECK(target_id_from_elf_flags(0x2a, 4).status().code() == ErrorCode::InvalidImage); // gfx803: not in the table
  CHECK(target_id_from_elf_flags(0, 3).status().code() == ErrorCode::InvalidImage);
}
