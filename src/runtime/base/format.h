// runtime/base/format.h - text formatting with fmt. Only fmt's light core header is seen by most files; the formatting
// engine itself is compiled once, in format.cpp, so that neither build time nor load time pays for a shared libfmt.
#pragma once

#include <fmt/core.h>
