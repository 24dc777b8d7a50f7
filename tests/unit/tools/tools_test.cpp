// Run with OMNIHIP_SOFT_DEVICES=2 and OMNIHIP_SOFT_TARGET=gfx942,gfx1100.
#include "../hipcc/command.h"

#include <hip/hip_runtime_api.h>

#include <catch2/catch.hpp>

#include <string>

using hip::hipcc::test::Outcome;
using hip::hipcc::test::shell;

namespace {

Outcome tool(const std::string& line) { return shell(OMNIHIP_SDK_DIR "/bin/" + line); }

hipDeviceProp_t properties_of(int device) {
  hipDeviceProp_t properties;
  REQUIRE(hipGetDeviceProperties(&properties, device) == hipSuccess);
  return properties;
}

} // namespace

TEST_CASE("rocminfo prints the lines that scripts look for") {
  const Outcome all = tool("rocminfo");
  INFO(all.output);
  CHECK(all.code == 0);
  // As scripts do: the processors, the product of the first GPU, its units, its waves.
  CHECK(tool("rocminfo | grep -o -m1 'gfx9[0-9a-f]*'").output == "gfx942\n");
  CHECK(tool("rocminfo | grep -c 'Device Type: *GPU'").output == "2\n");
  CHECK(tool("rocminfo | awk '/Name: +gfx1100/ { print $2 }'").output == "gfx1100\n");
  CHECK(tool("rocminfo | sed -n 's/.*amdgcn-amd-amdhsa--//p' | head -n 1 | tr -d ' '").output ==
        std::string(properties_of(0).gcnArchName) + "\n");
  CHECK(tool("rocminfo | awk '/Marketing Name/ && ++n == 2' | sed 's/.*: *//; s/ *$//'").output ==
        std::string(properties_of(0).name) + "\n");
  CHECK(tool("rocminfo | awk '/Wavefront Size/ { print $3 }'").output == "64(0x40)\n32(0x20)\n");
  CHECK(tool("rocminfo | awk '/Compute Unit/ && ++n == 2 { print $3 }'").output ==
        std::to_string(properties_of(0).multiProcessorCount) + "\n");
  CHECK(tool("rocminfo --help").code == 0);
  CHECK(tool("rocminfo nonsense").code == 1);
}

TEST_CASE("rocm-smi answers as lines and as JSON") {
  const std::string total = std::to_string(properties_of(0).totalGlobalMem);
  const Outcome lines = tool("rocm-smi --showproductname --showmeminfo vram --showuse");
  INFO(lines.output);
  CHECK(lines.code == 0);
  CHECK(lines.mentions("GPU[0]\t\t: Card Series: " + std::string(properties_of(0).name)));
  CHECK(lines.mentions("GPU[1]\t\t: GFX Version: gfx1100\n"));
  CHECK(lines.mentions("GPU[0]\t\t: VRAM Total Memory (B): " + total + "\n"));
  CHECK(lines.mentions("GPU[0]\t\t: GPU use (%): "));

  const Outcome json = tool("rocm-smi --showproductname --showmeminfo vram --showuse --json");
  INFO(json.output);
  CHECK(json.code == 0);
  CHECK(json.output.starts_with("{\"card0\": {\"Card Series\": \"" + std::string(properties_of(0).name) + "\""));
  CHECK(json.mentions("\"VRAM Total Memory (B)\": \"" + total + "\""));
  CHECK(json.mentions("\"card1\": {"));
  CHECK(json.output.ends_with("}}\n"));

  CHECK_FALSE(tool("rocm-smi -d 1 --showid --json").mentions("card0"));
  CHECK(tool("rocm-smi --showtemp -d 0").mentions("Temperature (C): N/A"));
  CHECK(tool("rocm-smi").mentions("Concise Info"));
  CHECK(tool("rocm-smi --help").code == 0);
  CHECK(tool("rocm-smi --nonsense").code == 2);
  CHECK(tool("rocm-smi --showmeminfo").code == 2);
  CHECK(tool("rocm-smi --showmeminfo gtt").code == 2);
  CHECK(tool("rocm-smi -d x --showid").code == 2);
  CHECK(tool("rocm-smi -d 2 --showid").code == 1);
}

TEST_CASE("amd-smi has the commands of every day") {
  const Outcome list = tool("amd-smi list");
  INFO(list.output);
  CHECK(list.code == 0);
  CHECK(list.mentions("GPU: 0\n    BDF: ffff:00:00.0\n"));
  CHECK(list.mentions("GPU: 1\n    BDF: ffff:01:00.0\n"));
  const Outcome lasting = tool("amd-smi static --json");
  CHECK(
      lasting.output.starts_with("[{\"gpu\": 0, \"asic\": {\"market_name\": \"" + std::string(properties_of(0).name)));
  CHECK(lasting.mentions("\"target_graphics_version\": \"gfx1100\""));
  CHECK(tool("amd-smi metric").mentions("GFX_ACTIVITY: "));
  CHECK(tool("amd-smi monitor").mentions("VRAM_TOTAL"));
  CHECK(tool("amd-smi version").code == 0);
  CHECK(tool("amd-smi").code == 2);
  CHECK(tool("amd-smi nonsense").code == 2);
  CHECK(tool("amd-smi list --nonsense").code == 2);
}

TEST_CASE("Without a device the tools say so") {
  const Outcome none = shell("OMNIHIP_SOFT_DEVICES=0 " OMNIHIP_SDK_DIR "/bin/rocm-smi");
  CHECK(none.code == 1);
  CHECK(none.mentions("there is no device"));
  CHECK(shell("OMNIHIP_SOFT_DEVICES=0 " OMNIHIP_SDK_DIR "/bin/amd-smi list").code == 1);
  const Outcome info = shell("OMNIHIP_SOFT_DEVICES=0 " OMNIHIP_SDK_DIR "/bin/rocminfo");
  CHECK(info.code == 0);
  CHECK_FALSE(info.mentions("gfx"));
}
