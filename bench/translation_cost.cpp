// bench/translation_cost.cpp - what it costs to translate kernels: processor time and size of the code, kernel by kernel.
//
// usage: translation_cost [--avx2] [--times=N] [--items=N] [--kernel=NAME] [--keep=FOLDER] CODE_OBJECT...
//
// Code objects as the target golden_code_objects makes them of the kit. Each kernel is translated N times (3) for work-groups of
// 256 work-items in one dimension, or what the kernel admits, or --items; the median counts. OMNIHIP_TIER_DUMP=times says where
// the time goes. --keep writes the objects to a folder, for a disassembler.
#include "../tests/golden/guest_kernels.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

namespace {

namespace compile = hip::engine::compile;

double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

} // namespace

int main(int argc, char** argv) {
  hip::engine::HostIsa isa = hip::engine::HostIsa::Avx512;
  int times = 3;
  uint32_t items = 0;
  std::string only, keep;
  compile::Translator* translator = omnihip_translator_create(compile::kTranslatorAbiVersion);
  double all_ms = 0;
  uint64_t all_instructions = 0, all_bytes = 0;
  std::printf("%-32s %8s %8s %8s %10s\n", "kernel", "guest", "ms", "ms/inst", "bytes");
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--avx2")
      isa = hip::engine::HostIsa::Avx2;
    else if (word.starts_with("--times="))
      times = std::max(1, std::atoi(argv[k] + 8));
    else if (word.starts_with("--items="))
      items = uint32_t(std::atoi(argv[k] + 8));
    else if (word.starts_with("--kernel="))
      only = word.substr(9);
    else if (word.starts_with("--keep="))
      keep = word.substr(7);
    if (word.starts_with("--")) continue;
    auto kernels = golden::GuestKernels::read(word);
    if (!kernels.ok()) {
      std::fprintf(stderr, "%s\n", kernels.status().to_string().c_str());
      return 1;
    }
    for (const golden::GuestKernels::Kernel& kernel : kernels->kernels()) {
      if (!only.empty() && kernel.name != only) continue;
      const golden::Shape shape{items ? items : kernel.most[0], 1, 1};
      std::vector<double> ms;
      uint64_t instructions = 0, bytes = 0;
      for (int n = 0; n < times; ++n) {
        const double begin = processor_ms();
        auto translation = translator->translate(kernel.request(shape, compile::HostCpu::detect(isa)));
        ms.push_back(processor_ms() - begin);
        if (!translation.ok()) {
          std::fprintf(stderr, "%s: %s\n", kernel.name.c_str(), translation.status().to_string().c_str());
          return 1;
        }
        if (!keep.empty())
          std::ofstream(keep + "/" + kernel.name + ".o", std::ios::binary)
              .write(reinterpret_cast<const char*>(translation->object.data()), std::streamsize(translation->object.size()));
        instructions = translation->lines.size(), bytes = translation->object.size();
      }
      std::nth_element(ms.begin(), ms.begin() + long(ms.size() / 2), ms.end());
      const double median = ms[ms.size() / 2];
      std::printf("%-32s %8zu %8.1f %8.3f %10zu\n", kernel.name.c_str(), size_t(instructions), median, median / double(instructions),
                  size_t(bytes));
      std::fflush(stdout);
      all_ms += median, all_instructions += instructions, all_bytes += bytes;
    }
  }
  std::printf("%-32s %8zu %8.1f %8.3f %10zu\n", "all", size_t(all_instructions), all_ms, all_ms / double(all_instructions), size_t(all_bytes));
}
