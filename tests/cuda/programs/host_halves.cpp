// Half precision in host code of CUDA programs that another compiler than clang compiles: what CUDA's macros take away,
// and nothing else, is the program's to define. Compiled, never run.
#include <cuda_fp16.h>

#include <type_traits>
#include <utility>

#define HAS(name, expression)                                                                                          \
  template<class T, class = void> constexpr bool name = false;                                                         \
  template<class T> constexpr bool name<T, std::void_t<decltype(expression)>> = true;
HAS(adds, std::declval<T>() + std::declval<T>())
HAS(steps, ++std::declval<T&>())

#if defined(__CUDA_NO_HALF_CONVERSIONS__)
static_assert(!std::is_convertible_v<float, __half> && !std::is_convertible_v<int, __half>);
#else
static_assert(std::is_convertible_v<float, __half> && std::is_convertible_v<int, __half>);
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
static_assert(!steps<__half>);
inline __half operator+(const __half& a, const __half&) { return a; }
#else
static_assert(steps<__half>);
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
static_assert(!adds<__half2> && !steps<__half2>);
inline __half2 operator+(const __half2& a, const __half2&) { return a; }
#else
static_assert(adds<__half2> && steps<__half2>);
#endif
#if defined(CUDA_NO_HALF)
struct half {};
struct half2 {};
struct nv_half {};
#else
static_assert(std::is_same_v<half, __half> && std::is_same_v<half2, __half2> && std::is_same_v<nv_half2, __half2>);
#endif

__half twice(__half v) { return __float2half(v + v); }
__half2 twice(__half2 v) { return v + v; }
