// hipcc: the program.
#include "driver.h"

#include <cstdlib>

int main(int argc, char** argv) {
  // For the compilers that hipcc starts: glibc (2.35 and later) takes their heaps in huge pages where the kernel has
  // them, which saves a fifth of their time on virtual machines, where page faults are dear. A user's own setting
  // stays.
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
  return hip::hipcc::run_hipcc(argc, argv);
}
