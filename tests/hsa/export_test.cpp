// What the library exports, and that what it cannot do says so.
#include "testing.h"

#include <dlfcn.h>
#include <hsa/hsa_ext_finalize.h>

using namespace hip::test;

namespace {

// Functions of the public headers, by their prototypes.
std::vector<std::string> declared(const char* header) {
  const std::vector<char> bytes = read_file(header);
  const std::string text(bytes.begin(), bytes.end());
  std::vector<std::string> names;
  for (size_t at = 0; (at = text.find("\nHSA_API ", at)) != text.npos; ++at) {
    const size_t open = text.find('(', at), begin = text.rfind(' ', open) + 1;
    names.push_back(text.substr(begin, open - begin));
  }
  return names;
}

} // namespace

TEST_CASE("Every function of the headers is exported with ROCr's version node", "[hsa][export]") {
  void* const library = ::dlopen(OMNIHIP_HSA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  size_t functions = 0;
  for (const char* const header :
       {"hsa.h", "hsa_ext_amd.h", "hsa_ext_image.h", "hsa_ext_finalize.h", "hsa_ven_amd_pc_sampling.h"})
    for (const std::string& name : declared((std::string(OMNIHIP_HSA_HEADERS "/") + header).c_str())) {
      INFO(name);
      CHECK(::dlvsym(library, name.c_str(), "ROCR_1") != nullptr);
      ++functions;
    }
  CHECK(functions == 260); // as ROCr 7.2's library
  ::dlclose(library);
}

TEST_CASE("What is not supported says so and changes nothing", "[hsa][export]") {
  Hsa hsa;
  hsa_ext_image_t image{};
  CHECK(hsa_ext_image_create(hsa.gpu, nullptr, nullptr, HSA_ACCESS_PERMISSION_RW, &image) == kNotSupported);
  hsa_ext_program_t program{};
  CHECK(hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                               nullptr, &program) == kNotSupported);
  hsa_code_object_t code{};
  CHECK(hsa_code_object_deserialize(nullptr, 0, nullptr, &code) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  hsa_ven_amd_pcs_t sampling{};
  CHECK(hsa_ven_amd_pcs_start(sampling) == kNotSupported);
  CHECK(image.handle == 0);
  CHECK(program.handle == 0);
}
