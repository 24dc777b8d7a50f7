// The one Catch2 main of all unit tests: its implementation is compiled once.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
