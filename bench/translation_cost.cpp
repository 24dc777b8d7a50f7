// bench/translation_cost.cpp - what it costs to translate kernels: processor time, time by the clock and size of the
// code, kernel by kernel.
//
// usage: translation_cost [--avx2] [--quick] [--times=N] [--threads=N] [--items=N] [--kernel=NAME] [--keep=FOLDER]
// CODE_OBJECT...
//
// Code objects as the target golden_code_objects makes them of the kit. Each kernel is translated N times (3) for
// work-groups of 256 work-items in one dimension, or what the kernel admits, or --items, by up to --threads threads
// (1); the medians count.
// --quick: quick code. OMNIHIP_TIER_DUMP=times says where the time goes. --keep writes the objects to a folder, for a
// disassembler.
#include "../tests/golden/guest_kernels.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

namespace {

namespace compile = hip::engine::compile;

double ms_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void print(const char* kernel, uint64_t instructions, double processor_ms, double clock_ms, uint64_t bytes) {
  std::printf("%-32s %8zu %12.1f %8.3f %8.3f %10zu\n", kernel, size_t(instructions), processor_ms, processor_ms / double(instructions),
              clock_ms / double(instructions), size_t(bytes));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  hip::engine::HostIsa isa = hip::engine::HostIsa::Avx512;
  int times = 3;
  bool quick = false;
  uint32_t items = 0, threads = 1;
  std::string only, keep;
  compile::Translator* translator = omnihip_translator_create(compile::kTranslatorAbiVersion);
  double all_ms = 0, all_clock_ms = 0;
  uint64_t all_instructions = 0, all_bytes = 0;
  std::printf("%-32s %8s %12s %8s %8s %10s\n", "kernel", "guest", "processor ms", "ms/inst", "by clock", "bytes");
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--avx2")
      isa = hip::engine::HostIsa::Avx2;
    else if (word == "--quick")
      quick = true;
    else if (word.starts_with("--times="))
      times = std::max(1, std::atoi(argv[k] + 8));
    else if (word.starts_with("--threads="))
      threads = uint32_t(std::max(1, std::atoi(argv[k] + 10)));
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
      std::vector<double> ms, clock_ms;
      uint64_t instructions = 0, bytes = 0;
      for (int n = 0; n < times; ++n) {
        compile::Request request = kernel.request(shape, compile::HostCpu::detect(isa));
        request.threads = threads;
        request.quick = quick;
        const double begin = ms_of(CLOCK_PROCESS_CPUTIME_ID), clock_begin = ms_of(CLOCK_MONOTONIC);
        auto translation = translator->translate(request);
        ms.push_back(ms_of(CLOCK_PROCESS_CPUTIME_ID) - begin), clock_ms.push_back(ms_of(CLOCK_MONOTONIC) - clock_begin);
        if (!translation.ok()) {
          std::fprintf(stderr, "%s: %s\n", kernel.name.c_str(), translation.status().to_string().c_str());
          return 1;
        }
        instructions = translation->lines.size(), bytes = 0;
        for (size_t part = 0; part < translation->objects.size(); ++part) {
          const auto& object = translation->objects[part];
          bytes += object.size();
          if (!keep.empty())
            std::ofstream(keep + "/" + kernel.name + "." + std::to_string(part) + ".o", std::ios::binary)
                .write(reinterpret_cast<const char*>(object.data()), std::streamsize(object.size()));
        }
      }
      print(kernel.name.c_str(), instructions, median_of(ms), median_of(clock_ms), bytes);
      all_ms += median_of(ms), all_clock_ms += median_of(clock_ms), all_instructions += instructions, all_bytes += bytes;
    }
  }
  print("all", all_instructions, all_ms, all_clock_ms, all_bytes);
}
