// GPUs from the kernel driver's files, and the tool that prints them.
#include "command.h"
#include "devices.h"

#include <catch2/catch.hpp>

using namespace hip::hipcc;

TEST_CASE("the kernel's version number names the processor") {
  CHECK(gfx_name(0).empty());
  CHECK(gfx_name(90402) == "gfx942");
  CHECK(gfx_name(90010) == "gfx90a");
  CHECK(gfx_name(90006) == "gfx906");
  CHECK(gfx_name(100300) == "gfx1030");
  CHECK(gfx_name(110001) == "gfx1101");
  CHECK(gfx_name(120001) == "gfx1201");
}

TEST_CASE("GPUs come in the order of the nodes, CPUs are left out") {
  test::Folder folder;
  folder.write("0/properties", "cpu_cores_count 8\nsimd_count 0\ngfx_target_version 0\n");
  folder.write("10/properties", "simd_count 80\ngfx_target_version 110000\n");
  folder.write("2/properties", "simd_count 416\ngfx_target_version 90402\nunique_id 17446744073709551615\n");
  folder.write("3/properties", "");
  CHECK(kernel_driver_gpus(folder.path()) == std::vector<std::string>{"gfx942", "gfx1100"});
  CHECK(kernel_driver_gpus(folder / "absent").empty());
}

TEST_CASE("software GPUs are as many and of the processors that the environment says") {
  using Names = std::vector<std::string>;
  CHECK(software_gpus("", "", false) == Names{"gfx942"});
  CHECK(software_gpus("", "", true).empty());
  CHECK(software_gpus("", "gfx1100", false) == Names{"gfx1100"});
  CHECK(software_gpus("", "gfx1100", true).empty());
  CHECK(software_gpus("3", "gfx90a,gfx1100", true) == Names{"gfx90a", "gfx1100", "gfx1100"});
  CHECK(software_gpus("1", "gfx90a,gfx1100", false) == Names{"gfx90a"});
  CHECK(software_gpus("0", "gfx90a", false).empty());
  CHECK(software_gpus("many", "", false) == Names{"gfx942"});
  CHECK(software_gpus("1000000", "", false).size() == 64);
}

TEST_CASE("the environment's software GPUs are what rocm_agent_enumerator prints and hipcc compiles for") {
  const std::string bin = OMNIHIP_SDK_DIR "/bin/", none = "OMNIHIP_SOFT_DEVICES=0 ", two = "OMNIHIP_SOFT_DEVICES=2 ";
  const std::string targets = "OMNIHIP_SOFT_TARGET=gfx90a,gfx1100 ";
  const std::string cards = test::shell(none + "'" + bin + "rocm_agent_enumerator' -t GPU").output;
  CHECK(test::shell(two + targets + "'" + bin + "rocm_agent_enumerator' -t GPU").output == cards + "gfx90a\ngfx1100\n");
  test::Folder folder;
  folder.write("a.hip", "");
  const std::string commands =
      test::shell(two + targets + "'" + bin + "hipcc' -### -c '" + (folder / "a.hip") + "' 2>&1").output;
  CHECK(commands.find("gfx90a") != std::string::npos);
  CHECK(commands.find("gfx1100") != std::string::npos);
  CHECK((commands.find("gfx942") == std::string::npos || cards.find("gfx942") != std::string::npos));
}

TEST_CASE("rocm_agent_enumerator prints the CPU first, and GPUs alone when asked") {
  std::string program = "'" OMNIHIP_SDK_DIR "/bin/rocm_agent_enumerator'";
  test::Outcome all = test::shell(program), gpus = test::shell(program + " -t GPU");
  CHECK(all.code == 0);
  CHECK(all.output == "gfx000\n" + gpus.output);
  CHECK(gpus.output.starts_with("gfx"));
  CHECK(test::shell(program + " -t TPU").code == 1);
}
