#include "runtime/codeobject/ptx.h"

#include "runtime/codeobject/bundle.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;

namespace {

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

constexpr std::string_view kModule = R"(//
// A comment with ".entry fake(" in it
.version 7.8
.target sm_90a, debug
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.visible .global .align 4 .u32 counter = 7;
.visible .const .align 16 .b8 table[24] = {10, 0, 0, 0, 20};
.global .align 1 .b8 text[4] = {104, 105, 10};
.visible .global .align 8 .u64 pointers[2] = {generic(counter), 0};
.extern .shared .align 4 .b8 dynamic[];
.visible .entry vector_add(
	.param .u64 .ptr .global .align 1 a,
	.param .u8 flag,
	.param .align 8 .b8 block[12],
	.param .f64 last
)
.maxntid 128, 1, 1
.reqntid 64, 2
{
	.reg .b32 %r<2>; /* { */
	// }
	{
	call.uni (r), vprintf, (a, "}");
	}
	ret;
}
.func helper() { ret; }
.weak .entry empty() { ret; }
)";

} // namespace

TEST_CASE("PTX tells its target, kernels and variables", "[codeobject][ptx]") {
  REQUIRE(is_ptx(bytes_of(kModule)));
  const auto module = parse_ptx(bytes_of(kModule));
  REQUIRE(module.ok());
  CHECK(module.value().version == "7.8");
  CHECK(module.value().target.to_string() == "sm_90a");
  REQUIRE(module.value().kernels.size() == 2);
  const PtxKernel& kernel = module.value().kernels[0];
  CHECK(kernel.name == "vector_add");
  CHECK(kernel.required_group == std::array<uint32_t, 3>{64, 2, 1});
  REQUIRE(kernel.parameters.size() == 4);
  const PtxParameter wanted[] = {{0, 8}, {8, 1}, {16, 12}, {32, 8}};
  for (size_t i = 0; i < 4; ++i) {
    CHECK(kernel.parameters[i].offset == wanted[i].offset);
    CHECK(kernel.parameters[i].bytes == wanted[i].bytes);
  }
  CHECK(module.value().kernels[1].name == "empty");
  CHECK(module.value().kernels[1].parameters.empty());
  std::vector<std::pair<std::string, uint64_t>> variables;
  for (const PtxVariable& v : module.value().variables) variables.emplace_back(v.name, v.bytes);
  CHECK(variables ==
        std::vector<std::pair<std::string, uint64_t>>{{"counter", 4}, {"table", 24}, {"text", 4}, {"pointers", 16}});
}

TEST_CASE("Broken PTX is refused with its line", "[codeobject][ptx]") {
  CHECK_FALSE(is_ptx(bytes_of("")));
  CHECK_FALSE(is_ptx(bytes_of("// nothing")));
  CHECK_FALSE(is_ptx(bytes_of("\x7f"
                              "ELF")));
  for (std::string_view text :
       {".version 7.8", ".version 7.8\n.target compute", ".version 7.8\n.target sm_90\n.entry f(.param .u64",
        ".version 7.8\n.target sm_90\n.entry f(.param .align 0 .b8 x[4])",
        ".version 7.8\n.target sm_90\n.entry f(.param .b8 x[99999999999999999999])",
        ".version 7.8\n.target sm_90\n.global .b8 x[4] = {1"}) {
    const auto module = parse_ptx(bytes_of(text));
    CAPTURE(text);
    REQUIRE_FALSE(module.ok());
    CHECK(module.status().code() == ErrorCode::InvalidImage);
    CHECK(module.status().message().find("line") != std::string::npos);
  }
  // Every cut of a module is either refused or read, never past its end.
  for (size_t size = 0; size < kModule.size(); ++size) {
    const test::GuardedBytes cut(bytes_of(kModule.substr(0, size)));
    static_cast<void>(parse_ptx(cut.bytes()).ok());
    static_cast<void>(is_ptx(cut.bytes()));
  }
}

TEST_CASE("NVIDIA targets", "[codeobject][sm]") {
  for (const char* text : {"sm_70", "sm_90a", "sm_103f", "sm_121"}) CHECK(parse_sm_target(text)->to_string() == text);
  for (const char* text : {"", "sm_", "sm_9", "sm_90b", "gfx942", "sm_90aa", "compute_90"})
    CHECK_FALSE(parse_sm_target(text).has_value());
  CHECK(sm_target_from_elf(0x5a055a, 7).to_string() == "sm_90");
  CHECK(sm_target_from_elf(0x5a0d5a, 7).to_string() == "sm_90a");
  CHECK(sm_target_from_elf(0x6406402, 8).to_string() == "sm_100");
  CHECK(sm_target_from_elf(0x640640a, 8).to_string() == "sm_100a");
}

TEST_CASE("What runs on which NVIDIA GPU", "[codeobject][sm]") {
  struct Row {
    const char* code;
    SmForm form;
    const char* device;
    bool fits;
  };
  constexpr auto kPtx = SmForm::Ptx, kCubin = SmForm::Cubin;
  for (const Row& row :
       {Row{"sm_90", kPtx, "sm_90", true}, Row{"sm_70", kPtx, "sm_120", true}, Row{"sm_90", kPtx, "sm_89", false},
        Row{"sm_90a", kPtx, "sm_90", true}, Row{"sm_90a", kPtx, "sm_100", false}, Row{"sm_100f", kPtx, "sm_103", true},
        Row{"sm_100f", kPtx, "sm_120", false}, Row{"sm_103f", kPtx, "sm_100", false},
        Row{"sm_80", kCubin, "sm_86", true}, Row{"sm_86", kCubin, "sm_80", false}, Row{"sm_80", kCubin, "sm_90", false},
        Row{"sm_90a", kCubin, "sm_90", true}}) {
    CAPTURE(row.code, row.device, static_cast<int>(row.form));
    CHECK(match_score(*parse_sm_target(row.code), row.form, *parse_sm_target(row.device)).has_value() == row.fits);
  }
  const std::pair<const char*, SmForm> ascending[] = {{"sm_70", kPtx},   {"sm_80", kPtx},   {"sm_86", kPtx},
                                                      {"sm_80", kCubin}, {"sm_86", kCubin}, {"sm_86a", kCubin}};
  for (size_t i = 1; i < std::size(ascending); ++i)
    CHECK(*match_score(*parse_sm_target(ascending[i - 1].first), ascending[i - 1].second, *parse_sm_target("sm_86")) <
          *match_score(*parse_sm_target(ascending[i].first), ascending[i].second, *parse_sm_target("sm_86")));
}

TEST_CASE("A bundle for two vendors", "[codeobject][bundle]") {
  const auto data = test::load_data("vendors.hipfb");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  const auto target = [&](std::string_view device) {
    const auto entry = choose_entry(bundle.value(), device);
    return entry.ok() ? entry.value()->target : std::string(entry.status().message());
  };
  CHECK(target("gfx942:sramecc+:xnack-") == "gfx942");
  CHECK(target("sm_70") == "sm_70");
  CHECK(target("sm_75") == "sm_70");
  CHECK(target("sm_90") == "sm_90");
  CHECK(target("sm_120") == "sm_90");
  const std::string none = target("sm_60");
  CHECK(none.find("sm_70 (PTX), sm_90 (PTX)") != std::string::npos);
  CHECK(none.find("gfx942") != std::string::npos);
  CHECK(none.find("--offload-arch=sm_60") != std::string::npos);
}

TEST_CASE("PTX without a bundle", "[codeobject][bundle]") {
  const std::string text(kModule);
  const auto extent = bundle_extent(text.c_str());
  REQUIRE(extent.ok());
  CHECK(extent.value().size() == text.size());
  const auto bundle = parse_bundle(extent.value());
  REQUIRE(bundle.ok());
  REQUIRE(bundle.value().entries().size() == 1);
  CHECK(bundle.value().entries()[0].target == "sm_90a");
  CHECK(choose_entry(bundle.value(), "sm_90").ok());
  CHECK(choose_entry(bundle.value(), "sm_100").status().code() == ErrorCode::NoBinaryForGpu);
  CHECK(choose_entry(bundle.value(), "gfx942").status().code() == ErrorCode::NoBinaryForGpu);
}
