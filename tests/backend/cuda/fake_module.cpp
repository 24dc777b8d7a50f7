// The fake driver: modules from PTX (which is read but not compiled), functions, launches (which have no effect), and
// how functions of the driver are found.
#include "fake_state.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace hip::cuda;
using namespace hip::test;
using hip::codeobject::PtxKernel;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr CUresult kErrorNoBinary = 209, kErrorInvalidPtx = 218, kErrorInvalidHandle = 400, kErrorTooLarge = 720;
constexpr unsigned kPlainSharedBytes = 49152, kMostSharedBytes = 232448, kSharedOfProcessor = 233472;

void put_log(unsigned options, const CUjit_option* keys, void** values, const char* text) {
  char* buffer = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < options; ++i) {
    if (keys[i] == kJitErrorLog) buffer = static_cast<char*>(values[i]);
    if (keys[i] == kJitErrorLogBytes) bytes = reinterpret_cast<size_t>(values[i]);
  }
  if (buffer && bytes) std::snprintf(buffer, bytes, "%s", text);
}

// The number behind `word` in the text between two entries; 0 without one.
unsigned number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  return at == text.npos ? 0 : static_cast<unsigned>(std::strtoul(text.data() + at + word.size(), nullptr, 10));
}

void read_body(CUfunc_st& function, std::string_view text, const std::string& name) {
  const size_t begin = text.find(".entry " + name + "(");
  if (begin == text.npos) return;
  const std::string_view body = text.substr(begin, text.find(".entry ", begin + 1) - begin);
  if (const unsigned threads = number_behind(body, ".maxntid")) function.max_threads = threads;
  for (size_t at = body.find(".shared "); at != body.npos; at = body.find(".shared ", at + 1)) {
    const std::string_view line = body.substr(at, body.find(';', at) - at);
    if (line.find(".b8") != line.npos) function.static_shared += number_behind(line, "[");
  }
}

// "name = 7;" and "name[16] = {10, 0, 0, 0, 20};": what a variable is before anybody writes it. Words are bytes or,
// alone, as wide as the variable.
void read_initial(std::vector<std::byte>& value, std::string_view text, const std::string& name) {
  size_t at = text.find(" " + name + " = ");
  if (at == text.npos) at = text.find(" " + name + "[");
  if (at == text.npos) return;
  const std::string line(text.substr(at, text.find(';', at) - at));
  const size_t begin = line.find('=');
  if (begin == line.npos) return;
  const size_t list = line.find('{', begin);
  if (list == line.npos) {
    const unsigned long long number = std::strtoull(line.c_str() + begin + 1, nullptr, 10);
    std::memcpy(value.data(), &number, std::min(value.size(), sizeof number));
    return;
  }
  const char* next = line.c_str() + list + 1;
  for (size_t i = 0; i < value.size() && *next && *next != '}'; ++i) {
    char* end = nullptr;
    value[i] = static_cast<std::byte>(std::strtoul(next, &end, 10));
    next = *end == ',' ? end + 1 : end;
  }
}

bool is_live(Fake& fake, CUfunction function) {
  for (CUmodule module : fake.modules)
    for (const auto& [name, known] : module->functions)
      if (known.get() == function) return true;
  return false;
}

constexpr CUresult kErrorLaunchOutOfResources = 701;

// Reads every argument, so that a bad pointer shows.
CUresult read_arguments(const PtxKernel& kernel, void** parameters, void** extra) {
  size_t needed = 0;
  for (const auto& parameter : kernel.parameters) needed = std::max<size_t>(needed, parameter.offset + parameter.bytes);
  std::vector<std::byte> block(needed);
  if (parameters && extra) return kErrorInvalidValue;
  if (parameters) {
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (!parameters[i]) return kErrorInvalidValue;
      std::memcpy(block.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].bytes);
    }
    return kSuccess;
  }
  const void* buffer = nullptr;
  size_t bytes = 0;
  for (; extra && *extra != kLaunchEnd; extra += 2) {
    if (extra[0] == kLaunchBuffer) buffer = extra[1];
    if (extra[0] == kLaunchBufferBytes) bytes = *static_cast<size_t*>(extra[1]);
  }
  if (needed != 0 && !buffer) return kErrorInvalidValue;
  if (bytes != needed) return kErrorLaunchOutOfResources; // as NVIDIA's driver says it
  if (needed == 0) return kSuccess;
  std::memcpy(block.data(), buffer, bytes);
  return kSuccess;
}

// What a launch does, in `run`.
CUresult check_launch(Fake& fake, CUfunction function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
                      unsigned shared, void** parameters, void** extra, std::function<void()>& run) {
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  constexpr std::array<unsigned, 3> most_grid = {2147483647, 65535, 65535}, most_block = {1024, 1024, 64};
  unsigned items = 1;
  for (size_t d = 0; d < 3; ++d) {
    if (grid[d] == 0 || block[d] == 0 || grid[d] > most_grid[d] || block[d] > most_block[d]) return kErrorInvalidValue;
    items *= block[d];
  }
  const unsigned all_shared = function->static_shared + shared;
  if (items > function->max_threads || all_shared > kMostSharedBytes ||
      (all_shared > kPlainSharedBytes && shared > function->max_dynamic_shared))
    return kErrorInvalidValue;
  if (const CUresult result = read_arguments(*function->kernel, parameters, extra); result != kSuccess) return result;
  CUctx_st* const context = function->module->context;
  const auto fault = fake.faults.find(function->kernel->name);
  const CUresult ends = fault == fake.faults.end() ? kSuccess : fault->second;
  run = [&fake, context, ends] {
    if (ends == kSuccess) return;
    std::lock_guard failing(fake.mutex);
    context->lost = ends;
  };
  return kSuccess;
}

CUresult launch(Fake& fake, CUfunction function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
                unsigned shared, CUstream stream, void** parameters, void** extra) {
  std::function<void()> run;
  const CUresult result = check_launch(fake, function, grid, block, shared, parameters, extra, run);
  if (result != kSuccess) return result;
  if (stream && stream != kStreamLegacy && stream->context != function->module->context) return kErrorInvalidHandle;
  return fake.submit(stream, std::move(run));
}

} // namespace

FAKE_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned options, CUjit_option* keys,
                                        void** values) {
  FAKE_ENTER_CONTEXT(cuModuleLoadDataEx);
  const std::string_view text(static_cast<const char*>(image));
  if (const char* refusal = std::getenv("FAKE_CUDA_PTX_LOG"); refusal && *refusal) {
    put_log(options, keys, values, refusal);
    return kErrorInvalidPtx;
  }
  auto made = std::make_unique<CUmod_st>();
  made->context = context;
  if (!text.starts_with("\x7f")) {
    auto ptx = hip::codeobject::parse_ptx({static_cast<const std::byte*>(image), text.size()});
    if (!ptx.ok()) {
      put_log(options, keys, values, ptx.status().message().c_str());
      return kErrorInvalidPtx;
    }
    made->ptx = std::move(ptx).value();
  }
  if (made->ptx.target.number() > 90) return kErrorNoBinary;
  for (const auto& variable : made->ptx.variables) {
    auto& value = made->variables[variable.name];
    value.resize(variable.bytes);
    read_initial(value, text, variable.name);
  }
  for (const PtxKernel& kernel : made->ptx.kernels) {
    auto& function = made->functions[kernel.name];
    function = std::make_unique<CUfunc_st>();
    function->module = made.get();
    function->kernel = &kernel;
    read_body(*function, text, kernel.name);
  }
  fake.modules.insert(made.get());
  *module = made.release();
  return kSuccess;
}

FAKE_EXPORT CUresult cuModuleUnload(CUmodule module) {
  FAKE_ENTER_CONTEXT(cuModuleUnload);
  if (!fake.modules.erase(module)) return kErrorInvalidHandle;
  delete module;
  return kSuccess;
}

FAKE_EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  FAKE_ENTER_CONTEXT(cuModuleGetFunction);
  if (!fake.modules.contains(module)) return kErrorInvalidHandle;
  const auto found = module->functions.find(name);
  if (found == module->functions.end()) return kErrorNotFound;
  *function = found->second.get();
  return kSuccess;
}

FAKE_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  FAKE_ENTER_CONTEXT(cuModuleGetGlobal);
  if (!fake.modules.contains(module)) return kErrorInvalidHandle;
  const auto found = module->variables.find(name);
  if (found == module->variables.end()) return kErrorNotFound;
  *address = to_cuda(found->second.data());
  *bytes = found->second.size();
  return kSuccess;
}

FAKE_EXPORT CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  FAKE_ENTER_CONTEXT(cuModuleGetFunctionCount);
  if (!fake.modules.contains(module)) return kErrorInvalidHandle;
  *count = static_cast<unsigned>(module->functions.size());
  return kSuccess;
}

FAKE_EXPORT CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  FAKE_ENTER_CONTEXT(cuModuleEnumerateFunctions);
  if (!fake.modules.contains(module)) return kErrorInvalidHandle;
  for (const auto& [name, function] : module->functions) {
    if (count-- == 0) break;
    *functions++ = function.get();
  }
  return kSuccess;
}

FAKE_EXPORT CUresult cuFuncGetName(const char** name, CUfunction function) {
  FAKE_ENTER_CONTEXT(cuFuncGetName);
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  *name = function->kernel->name.c_str();
  return kSuccess;
}

FAKE_EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  FAKE_ENTER_CONTEXT(cuFuncGetParamInfo);
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  if (index >= function->kernel->parameters.size()) return kErrorInvalidValue;
  *offset = function->kernel->parameters[index].offset;
  *bytes = function->kernel->parameters[index].bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  FAKE_ENTER_CONTEXT(cuFuncGetAttribute);
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  switch (attribute) {
  case kFunctionMaxThreads:
    *value = static_cast<int>(function->max_threads);
    return kSuccess;
  case kFunctionSharedBytes:
    *value = static_cast<int>(function->static_shared);
    return kSuccess;
  case kFunctionRegisters:
    *value = 32;
    return kSuccess;
  case kFunctionConstBytes:
  case kFunctionLocalBytes:
    *value = 0;
    return kSuccess;
  case kFunctionPtxVersion:
    *value = static_cast<int>(function->module->ptx.target.number());
    return kSuccess;
  case kFunctionBinaryVersion:
    *value = 90;
    return kSuccess;
  case kFunctionMaxDynamicShared:
    *value = static_cast<int>(function->max_dynamic_shared);
    return kSuccess;
  }
  return kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  FAKE_ENTER_CONTEXT(cuFuncSetAttribute);
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  if (attribute != kFunctionMaxDynamicShared || value < 0 ||
      static_cast<unsigned>(value) + function->static_shared > kMostSharedBytes)
    return kErrorInvalidValue;
  function->max_dynamic_shared = static_cast<unsigned>(value);
  lock.unlock();
  std::this_thread::yield(); // so that another thread's call often comes before the caller takes note of its own
  return kSuccess;
}

FAKE_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                    CUstream stream, void** parameters, void** extra) {
  FAKE_ENTER_CONTEXT(cuLaunchKernel);
  return launch(fake, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, parameters,
                extra);
}

FAKE_EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                       const CUkernelNodeParams* params) {
  FAKE_ENTER_CONTEXT(cuGraphExecKernelNodeSetParams);
  if (!fake.graph_execs.contains(exec) || !params) return kErrorInvalidValue;
  // The node is one of the graph that the executable is of, which is there.
  const auto& nodes = exec->graph->nodes;
  const auto is_it = [&](const auto& each) { return each.get() == node; };
  const auto is_graph = [&](const auto& each) { return each.second == exec->graph; };
  if (std::none_of(nodes.begin(), nodes.end(), is_it)) return kErrorInvalidValue;
  if (std::none_of(fake.graphs.begin(), fake.graphs.end(), is_graph)) return kErrorInvalidValue;
  return check_launch(fake, params->func, {params->gridDimX, params->gridDimY, params->gridDimZ},
                      {params->blockDimX, params->blockDimY, params->blockDimZ}, params->sharedMemBytes,
                      params->kernelParams, params->extra, exec->changed[node]);
}

FAKE_EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                               unsigned block_x, unsigned block_y, unsigned block_z,
                                               unsigned shared_bytes, CUstream stream, void** parameters) {
  FAKE_ENTER_CONTEXT(cuLaunchCooperativeKernel);
  if (uint64_t{grid_x} * grid_y * grid_z > 132 * 32) return kErrorTooLarge;
  return launch(fake, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, parameters,
                nullptr);
}

FAKE_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_items,
                                                                 size_t dynamic_shared_bytes) {
  FAKE_ENTER_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  if (!is_live(fake, function)) return kErrorInvalidHandle;
  if (block_items <= 0) return kErrorInvalidValue;
  const size_t shared = function->static_shared + dynamic_shared_bytes;
  *blocks = std::min(32, 2048 / ((block_items + 31) / 32 * 32));
  if (shared != 0) *blocks = std::min(*blocks, static_cast<int>(kSharedOfProcessor / shared));
  if (shared > kPlainSharedBytes && dynamic_shared_bytes > function->max_dynamic_shared) *blocks = 0;
  return kSuccess;
}

// Declared for the table below; each is defined in one of the files of this driver.
#define CUDA_FUNCTION(name, suffix, version, need, params) extern "C" CUresult name##suffix params;
#include "runtime/backend/cuda/driver.def"
#undef CUDA_FUNCTION

FAKE_EXPORT CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, uint64_t flags, int* found) {
  struct Row {
    const char* name;
    int version;
    void* function;
  };
  static const Row rows[] = {
#define CUDA_FUNCTION(name, suffix, version, need, params) {#name, version, reinterpret_cast<void*>(&name##suffix)},
#include "runtime/backend/cuda/driver.def"
#undef CUDA_FUNCTION
  };
  *function = nullptr;
  *found = 1; // not found
  if (flags != kProcAddressLegacyStream) return kErrorInvalidValue;
  if (environment_number("FAKE_CUDA_PROC_ADDRESS", 1) == 0) return kErrorNotFound;
  const int own = environment_number("FAKE_CUDA_VERSION", 13000);
  for (const Row& row : rows) {
    if (std::strcmp(row.name, symbol) != 0) continue;
    *found = row.version <= own && row.version <= version ? 0 : 2; // 2: the version is not sufficient
    if (*found == 0) *function = row.function;
    return kSuccess;
  }
  return kErrorNotFound;
}
