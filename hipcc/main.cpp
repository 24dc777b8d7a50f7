// hipcc: the program.
#include "driver.h"

int main(int argc, char** argv) { return hip::hipcc::run_hipcc(argc, argv); }
