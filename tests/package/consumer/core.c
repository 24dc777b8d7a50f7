/* Asks for ROCm's version and place, as programs do that were written for ROCm. */
#include <rocm-core/rocm_getpath.h>
#include <rocm-core/rocm_version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned int major = 99, minor = 99, patch = 99, length = 0;
  char version[40];
  char* folder = NULL;
  if (getROCmVersion(&major, &minor, &patch) != VerSuccess) return 1;
  snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
  if (strcmp(version, EXPECTED_VERSION) != 0) return 2;
  if (getROCmInstallPath(&folder, &length) != PathSuccess) return 3;
  if (strcmp(folder, EXPECTED_FOLDER) != 0 || length != strlen(folder)) return 4;
  free(folder);
  puts("right");
  return 0;
}
