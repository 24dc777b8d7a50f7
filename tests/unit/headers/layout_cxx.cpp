// The layout as a C++ compiler sees it.
#include "layout_asserts.h"
