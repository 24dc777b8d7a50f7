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

TEST_CASE("rocm_agent_enumerator prints the CPU first, and GPUs alone when asked") {
  std::string program = "'" OMNIHIP_SDK_DIR "/bin/rocm_agent_enumerator'";
  test::Outcome all = test::shell(program), gpus = test::shell(program + " -t GPU");
  CHECK(all.code == 0);
  CHECK(all.output == "gfx000\n" + gpus.output);
  CHECK(gpus.output.starts_with("gfx"));
  CHECK(test::shell(program + " -t TPU").code == 1);
}
