// runtime/base/no_destroy.h - RT_NO_DESTROY marks a static object that lives until the process is gone: programs call HIP
// from destructors of their own static objects, which run after ours would.
#pragma once

#if defined(__clang__)
#define RT_NO_DESTROY [[clang::no_destroy]]
#else
#define RT_NO_DESTROY
#endif
