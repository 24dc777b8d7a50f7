/* Calls the code object manager from C: it names the processors that it compiles for. */
#include <amd_comgr/amd_comgr.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  size_t count = 0, major = 0, minor = 0;
  int found = 0;
  amd_comgr_get_version(&major, &minor);
  if (major != AMD_COMGR_INTERFACE_VERSION_MAJOR || minor < AMD_COMGR_INTERFACE_VERSION_MINOR) return 1;
  if (amd_comgr_get_isa_count(&count) != AMD_COMGR_STATUS_SUCCESS) return 2;
  for (size_t i = 0; i < count; ++i) {
    const char* name = NULL;
    if (amd_comgr_get_isa_name(i, &name) != AMD_COMGR_STATUS_SUCCESS) return 3;
    found += strcmp(name, "amdgcn-amd-amdhsa--gfx942") == 0;
  }
  if (found != 1) return 4;
  puts("right");
  return 0;
}
