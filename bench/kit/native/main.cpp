// The native side of the kit: the cases of all *.cpp files here, for g++ with OpenMP.
#include "kit.h"

int main(int argc, char** argv) { return kit::main(argc, argv); }
