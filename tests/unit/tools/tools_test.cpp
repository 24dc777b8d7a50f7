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
  CHECK(tool("rocm-smi --showmeminfo vram nonsense").code == 2);
  CHECK(tool("rocm-smi -d 0 --showmeminfo gtt").mentions("GPU[0]\t\t: GTT Total Memory (B): N/A\n"));
  const Outcome memory = tool("rocm-smi -d 0 --showmeminfo all");
  CHECK(memory.mentions("VRAM Total Memory (B): " + total + "\nGPU[0]\t\t: VRAM Total Used Memory (B): "));
  CHECK(memory.mentions("\nGPU[0]\t\t: VIS_VRAM Total Memory (B): " + total + "\n"));
  CHECK(memory.mentions("\nGPU[0]\t\t: GTT Total Used Memory (B): N/A\n"));
  CHECK_FALSE(tool("rocm-smi --showmeminfo vis_vram --json").mentions("\"VRAM"));
  CHECK(tool("rocm-smi -d x --showid").code == 2);
  CHECK(tool("rocm-smi -d 2 --showid").code == 1);
}

TEST_CASE("rocm-smi takes a device's number, and shows what is asked for twice once") {
  for (const char* wrong : {"-d", "--device", "-d ''", "-d ' 1'", "-d +1", "-d 0x1", "-d 1 -d", "-d --showid"}) {
    CAPTURE(wrong);
    CHECK(tool(std::string("rocm-smi ") + wrong).code == 2);
  }
  const auto count = [](const Outcome& outcome, const std::string& word) {
    size_t found = 0;
    for (size_t at = 0; (at = outcome.output.find(word, at)) != std::string::npos; at += word.size()) ++found;
    return found;
  };
  // Both options have the field GUID.
  const Outcome json = tool("rocm-smi -d 0 --showid --showproductname --showuse -u --json");
  INFO(json.output);
  CHECK(count(json, "\"GUID\"") == 1);
  CHECK(count(json, "\"GPU use (%)\"") == 1);
  CHECK(count(tool("rocm-smi -d 0 --showuse -u"), "GPU use (%)") == 1);
}

TEST_CASE("rocm-smi answers as CSV") {
  const auto row = [](int device, const std::string& processor) {
    return "card" + std::to_string(device) + "," + properties_of(device).name +
           ",N/A,\"Advanced Micro Devices, Inc. [AMD/ATI]\",N/A,N/A,N/A," + std::to_string(device + 1) + ",N/A," +
           processor + "\n";
  };
  const std::string head = "device,Card Series,Card Model,Card Vendor,Card SKU,Subsystem ID,Device Rev,Node ID,GUID,"
                           "GFX Version\n";
  CHECK(tool("rocm-smi --showproductname --csv").output == head + row(0, "gfx942") + row(1, "gfx1100"));
  CHECK(tool("rocm-smi --csv -d 1").output == head + row(1, "gfx1100")); // as JSON without an option
  CHECK(tool("rocm-smi --showbus --json --csv").output ==
        "device,PCI Bus\ncard0,ffff:00:00.0\ncard1,ffff:01:00.0\n"); // as ROCm's tool
  CHECK(tool("rocm-smi --csv=1").code == 2);
}

TEST_CASE("rocm-smi takes the short and the joined forms of its options") {
  const std::string one = tool("rocm-smi --showbus --json -d 1").output;
  CHECK(one == "{\"card1\": {\"PCI Bus\": \"ffff:01:00.0\"}}\n");
  for (const char* form : {"-d1", "-d=1", "--device=1", "--device 1"}) {
    CAPTURE(form);
    CHECK(tool(std::string("rocm-smi --showbus --json ") + form).output == one);
  }
  for (const char* wrong : {"-d1 0", "-d1,0", "--device=", "-d=x", "-b", "-tb", "--showid=1", "-t=1", "''", "showid"}) {
    CAPTURE(wrong);
    CHECK(tool(std::string("rocm-smi ") + wrong).code == 2);
  }
  CHECK(tool("rocm-smi --showmeminfo=vram -d0").output == tool("rocm-smi --showmeminfo vram -d0").output);
  // Letters mean what they mean to ROCm's tool.
  constexpr const char* kLetters[][2] = {{"-i", "--showid"},    {"-t", "--showtemp"},      {"-P", "--showpower"},
                                         {"-f", "--showfan"},   {"-c", "--showclocks"},    {"-g", "--showgpuclocks"},
                                         {"-v", "--showvbios"}, {"-p", "--showperflevel"}, {"-a", "--showallinfo"}};
  for (const auto& [letter, name] : kLetters) {
    CAPTURE(letter);
    const Outcome shown = tool(std::string("rocm-smi -d0 ") + letter + " | grep -v 'GPU use'");
    CHECK(shown.mentions("GPU[0]"));
    CHECK(shown.output == tool(std::string("rocm-smi -d0 ") + name + " | grep -v 'GPU use'").output);
  }
  CHECK(tool("rocm-smi -d0 -tPc").output == tool("rocm-smi -d0 --showtemp --showpower --showclocks").output);
  CHECK(tool("rocm-smi -d0 -g").mentions("GPU[0]\t\t: sclk: N/A\n"));
  CHECK_FALSE(tool("rocm-smi -d0 -g").mentions("mclk"));
  const Outcome all = tool("rocm-smi -a -d0 --json");
  for (const char* field : {"Card Series", "Unique ID", "PCI Bus", "GPU use (%)", "GPU Memory Allocated (VRAM%)",
                            "Temperature (C)", "sclk", "Fan speed (%)", "VBIOS version"}) {
    CAPTURE(field);
    CHECK(all.mentions("\"" + std::string(field) + "\": "));
  }
  CHECK(tool("rocm-smi -V").mentions("ROCM-SMI version: OmniHIP "));
  CHECK(tool("rocm-smi --version").mentions("\nROCM-SMI-LIB version: 7.8.0\n"));
  CHECK(tool("rocm-smi -V --csv").output.starts_with("name,value\nROCM-SMI version,OmniHIP "));
}

TEST_CASE("What HIP does not show, the tools for watching GPUs show") {
  const std::string every = tool("rocm-smi --showbus --showproductname --csv").output;
  for (const char* hidden : {"HIP_VISIBLE_DEVICES=1 ", "HIP_VISIBLE_DEVICES=-1 ", "ROCR_VISIBLE_DEVICES=1 ",
                             "CUDA_VISIBLE_DEVICES=1 ", "ROCR_VISIBLE_DEVICES=1,0 HIP_VISIBLE_DEVICES=0 "}) {
    CAPTURE(hidden);
    const std::string with = std::string(hidden) + OMNIHIP_SDK_DIR "/bin/";
    CHECK(shell(with + "rocm-smi --showbus --showproductname --csv").output == every);
    CHECK(shell(with + "amd-smi list").mentions("GPU: 1\n    BDF: ffff:01:00.0\n"));
    CHECK_FALSE(shell(with + "hipinfo").mentions("2 devices"));
  }
}

TEST_CASE("What a tool could not write is its error") {
  for (const char* line : {"rocminfo", "rocm-smi", "rocm-smi --showid --json", "amd-smi list", "hipinfo",
                           "rocm_agent_enumerator", "rocm-smi --help"}) {
    CAPTURE(line);
    const Outcome full = tool(std::string(line) + " >/dev/full");
    CHECK(full.code == 1);
    CHECK(full.mentions("standard output cannot be written"));
    CHECK(tool(std::string(line) + " >&-").code == 1);
    CHECK(tool(std::string(line) + " <&- 2>&- >/dev/null").code == 0);
  }
}

#ifdef OMNIHIP_TEST_CARD
TEST_CASE("rocm-smi and amd-smi tell the sensors of a card") {
  const auto with_card = [](const std::string& line) {
    return shell("LD_PRELOAD='" OMNIHIP_TEST_CARD "' " OMNIHIP_SDK_DIR "/bin/" + line);
  };
  const Outcome lines = with_card("rocm-smi --showtemp --showpower --showclocks");
  INFO(lines.output);
  CHECK(lines.mentions("GPU[0]\t\t: Temperature (Sensor edge) (C): 41.5\n"));
  CHECK(lines.mentions("GPU[0]\t\t: Temperature (Sensor junction) (C): 52.0\n"));
  CHECK_FALSE(lines.mentions("Sensor memory"));
  CHECK(lines.mentions("GPU[0]\t\t: Average Graphics Package Power (W): 87.0\n"));
  CHECK(lines.mentions("GPU[0]\t\t: sclk: 2100Mhz\n"));
  CHECK(lines.mentions("GPU[0]\t\t: mclk: N/A\n"));
  CHECK(lines.mentions("GPU[1]\t\t: Temperature (C): N/A\n"));
  CHECK(lines.mentions("GPU[1]\t\t: Average Graphics Package Power (W): N/A\n"));
  const Outcome concise = with_card("rocm-smi");
  CHECK(concise.mentions(" 41.5C "));
  CHECK(concise.mentions(" 87.0W "));
  CHECK(with_card("rocm-smi --showtemp --csv").output ==
        "device,Temperature (Sensor edge) (C),Temperature (Sensor junction) (C),Temperature (C)\n"
        "card0,41.5,52.0,N/A\ncard1,N/A,N/A,N/A\n");
  CHECK(with_card("amd-smi metric -cp -t --csv").output == "gpu,socket_power,gfx_0_clk,mem_0_clk,edge,hotspot,mem\n"
                                                           "0,87,2100,N/A,42,52,N/A\n1,N/A,N/A,N/A,N/A,N/A,N/A\n");
  CHECK(with_card("amd-smi monitor -g0 --csv")
            .output.starts_with("gpu,power_usage,hotspot_temperature,memory_temperature,gfx_clk,gfx,mem,vram_used,vram_"
                                "total\n0,87,52,N/A,2100,"));
  const Outcome metric = with_card("amd-smi metric --json");
  INFO(metric.output);
  CHECK(metric.mentions("\"power\": {\"socket_power\": \"87 W\"}"));
  CHECK(metric.mentions("\"hotspot\": \"52 C\""));
  CHECK(metric.mentions("\"clock\": {\"gfx_0\": {\"clk\": \"2100 MHz\"}, \"mem_0\": {\"clk\": \"N/A\"}}"));
  CHECK(metric.mentions("\"socket_power\": \"N/A\"")); // the second device
  CHECK(with_card("amd-smi monitor").mentions(" 2100 MHz "));
  // The id has all of its digits, as in rocminfo and in the libraries.
  CHECK(with_card("amd-smi list").mentions("UUID: GPU-00000000000000ab\n"));
}
#endif

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

  // Of two GPUs of different processors, the second one.
  const std::string uuid = "GPU-" + std::string(properties_of(1).uuid.bytes, 16);
  for (const std::string& word : {std::string("1"), std::string("ffff:01:00.0"), uuid}) {
    CAPTURE(word);
    const Outcome second = tool("amd-smi static -g " + word + " --json");
    CHECK(second.output.starts_with("[{\"gpu\": 1, "));
    CHECK_FALSE(second.mentions("gfx942"));
  }
  CHECK(tool("amd-smi list --gpu 1 0").output == list.output);
  CHECK(tool("amd-smi list -g all").output == list.output);
  CHECK_FALSE(tool("amd-smi monitor -g 0").mentions("\n  1 "));
  CHECK(tool("amd-smi list -g 2").code == 1);
  CHECK(tool("amd-smi list -g 0 ''").code == 1);
  CHECK(tool("amd-smi list -g").code == 2);
}

TEST_CASE("amd-smi shows parts of what it knows, as CSV and in a file") {
  const std::string bus = "GPU: 0\n    BUS:\n        BDF: ffff:00:00.0\n\n";
  for (const char* form : {"-b -g0", "-b -g=0", "--bus --gpu=0", "-bg0", "-g 0 -b"}) {
    CAPTURE(form);
    CHECK(tool(std::string("amd-smi static ") + form).output == bus);
  }
  const std::string both =
      "[{\"gpu\": 0, \"bus\": {\"bdf\": \"ffff:00:00.0\"}, \"driver\": {\"name\": \"OmniHIP\"}}]\n";
  CHECK(tool("amd-smi static -db -g0 --json").output == both);
  CHECK(tool("amd-smi static --driver --bus -g0 --json").output == both);
  const std::string megabytes = std::to_string(properties_of(0).totalGlobalMem >> 20);
  CHECK(tool("amd-smi static -v -g0 --csv").output == "gpu,type,vendor,size\n0,N/A,N/A," + megabytes + "\n");
  CHECK(tool("amd-smi static -a --csv").mentions(",\"Advanced Micro Devices, Inc. [AMD/ATI]\","));
  CHECK(tool("amd-smi list --csv").output.starts_with("gpu,bdf,uuid,kfd_id,node_id,partition_id\n0,ffff:00:00.0,GPU-"));
  CHECK(tool("amd-smi metric -m -g1 --csv").output.starts_with("gpu,total_vram,used_vram\n1,"));
  CHECK(tool("amd-smi metric --usage --power --csv")
            .output.starts_with("gpu,gfx_activity,umc_activity,socket_power\n0,"));
  CHECK(tool("amd-smi version --csv").output.starts_with("tool,version\nAMDSMI Tool (OmniHIP),"));
  // An option of another command, one of none, a value that is none.
  for (const char* wrong : {"metric -b", "static -m", "list -a", "static --bus=1", "static --json --csv",
                            "list --csv=x", "list --file", "list --file=", "monitor -x"}) {
    CAPTURE(wrong);
    CHECK(tool(std::string("amd-smi ") + wrong).code == 2);
  }

  const hip::hipcc::test::Folder folder;
  for (const char* form : {"--file ", "--file="}) {
    const Outcome silent = tool("amd-smi static -b -g0 " + (form + (folder / "out")));
    CHECK(silent.code == 0);
    CHECK(silent.output.empty());
    CHECK(folder.read("out") == bus);
  }
  CHECK(tool("amd-smi list --file " + folder.path()).code == 1); // a folder
  const Outcome full = tool("amd-smi list --file /dev/full");
  CHECK(full.code == 1);
  CHECK(full.mentions("the file /dev/full cannot be written"));
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
