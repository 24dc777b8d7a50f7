// nvcc_api.hip - takes the address of every function of hip/api/api.def that HIP_PLATFORM=nvidia declares, with the parameters
// that the table has: each is compiled, and each CUDA function behind it is linked. What is not declared: undeclared.h.
#include "undeclared.h"

#include <cstdio>

#include <hip/hip_runtime.h>

namespace {

struct Function {
  const char* name;
  const void* address;
};

// HIP_NV_IF(name)(what): what, unless the name is undeclared.
#define HIP_NV_SECOND(a, b, ...) b
#define HIP_NV_PROBE(...) HIP_NV_SECOND(__VA_ARGS__, 0, )
#define HIP_NV_IS_UNDECLARED(name) HIP_NV_PROBE(HIP_NV_UNDECLARED_##name)
#define HIP_NV_CAT_(a, b) a##b
#define HIP_NV_CAT(a, b) HIP_NV_CAT_(a, b)
#define HIP_NV_KEEP_0(...) __VA_ARGS__
#define HIP_NV_KEEP_1(...)

#define DECLARED(undeclared, type, name, params)                                                                       \
  HIP_NV_CAT(HIP_NV_KEEP_, undeclared)({#name, reinterpret_cast<const void*>(static_cast<type(*) params>(&name))}, )

#define HIP_API(name, node, area, params, args, ...) DECLARED(HIP_NV_IS_UNDECLARED(name), hipError_t, name, params)
#define HIP_API_BARE(name, node, area, params, args) DECLARED(HIP_NV_IS_UNDECLARED(name), hipError_t, name, params)
#define HIP_API_TODO(name, node, area, params, args) DECLARED(HIP_NV_IS_UNDECLARED(name), hipError_t, name, params)
#define HIP_API_RET(type, name, node, area, params, args) DECLARED(HIP_NV_IS_UNDECLARED(name), type, name, params)
#define HIP_API_RET_TODO(type, name, node, area, params, args, value)                                                  \
  DECLARED(HIP_NV_IS_UNDECLARED(name), type, name, params)
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
const Function functions[] = {
#include "../../hip/api/api.def"
};

} // namespace

int main() {
  int count = 0, missing = 0;
  for (const Function& function : functions) {
    ++count;
    if (function.address == nullptr) {
      std::printf("%s has no address\n", function.name);
      ++missing;
    }
  }
  std::printf("%d functions of HIP have their addresses\n", count - missing);
  return missing != 0;
}
