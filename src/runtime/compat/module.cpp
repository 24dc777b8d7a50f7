// Modules.
#include "runtime/compat/compat.h"

#include <sys/stat.h>

RT_SHIM hipError_t hipModuleLoad(hipModule_t* module, const char* fname) {
  const hipError_t result = RT_CORE(hipModuleLoad)(module, fname);
  if (result != hipErrorInvalidImage) return result;
  struct stat file;
  if (stat(fname, &file) != 0 || file.st_size != 0) return result;
  return __omnihipAnswer("hipModuleLoad", hipErrorInvalidValue, "The module file is empty.");
}
