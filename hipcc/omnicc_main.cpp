// omnicc: the program.
#include "omnicc.h"

int main(int argc, char** argv) { return hip::hipcc::run_omnicc(argc, argv); }
