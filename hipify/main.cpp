// hipify-perl, hipify: the program.
#include "driver.h"

int main(int argc, char** argv) { return hip::hipify::run_hipify(argc, argv); }
