// The HIP side of the kit: the cases of all *.hip files here.
#include "kit.h"

int main(int argc, char** argv) { return kit::main(argc, argv); }
