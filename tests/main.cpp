// The one Catch2 main of all unit tests: its implementation is compiled once.
#define CATCH_CONFIG_MAIN
// The software GPU turns faults of kernels into errors with a handler of its own, which Catch2's would displace.
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#include <catch2/catch.hpp>
