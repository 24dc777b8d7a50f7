// The tables of hip/api against the public headers: every row of api.def is declared with its types, every error and
// every attribute has the number that its table says. The layout of types is checked while layout_c.c and
// layout_cxx.cpp compile.
#include <iterator>
#include <set>
#include <type_traits>

#include <catch2/catch.hpp>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <hip/amd_detail/hip_profiler_ext.h>
#include <hip/hip_gl_interop.h>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hip/library_types.h>

// ---- api.def: a row whose types differ from the declaration does not compile ----
#define DECLARED(type, name, params)                                                                                   \
  static_assert(std::is_same_v<decltype(static_cast<type(*) params>(&name)), type(*) params>, #name);
#define HIP_API(name, node, area, params, args, ...) DECLARED(hipError_t, name, params)
#define HIP_API_BARE(name, node, area, params, args) DECLARED(hipError_t, name, params)
#define HIP_API_TODO(name, node, area, params, args) DECLARED(hipError_t, name, params)
#define HIP_API_RET(type, name, node, area, params, args) DECLARED(type, name, params)
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) DECLARED(type, name, params)
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#undef HIP_API
#undef HIP_API_BARE
#undef HIP_API_TODO
#undef HIP_API_RET
#undef HIP_API_RET_TODO
#undef HIP_COMPILER_API
#undef HIP_PRIVATE_API_TODO
#undef HIP_API_ALIAS

// ---- errors.def, attributes.def: numbers ----
#define HIP_ERROR(name, value, text) static_assert(hipError##name == value, #name);
#define HIP_ERROR_ALIAS(name, value, same_as) static_assert(hipError##name == hipError##same_as, #name);
#include "api/errors.def"
#undef HIP_ERROR
#undef HIP_ERROR_ALIAS

#define HIP_ATTRIBUTE_FIELD(name, value, field)                                                                        \
  static_assert(hipDeviceAttribute##name == value, #name);                                                             \
  static_assert(std::is_integral_v<std::remove_reference_t<decltype((std::declval<hipDeviceProp_t&>().field))>>,       \
                #field);
#define HIP_ATTRIBUTE_POINTER(name, value, field)                                                                      \
  static_assert(hipDeviceAttribute##name == value, #name);                                                             \
  static_assert(std::is_pointer_v<decltype(hipDeviceProp_t::field)>, #field);
#define HIP_ATTRIBUTE_SOURCE(name, value, source) static_assert(hipDeviceAttribute##name == value, #name);
#define HIP_ATTRIBUTE_NONE(name, value) static_assert(hipDeviceAttribute##name == value, #name);
#include "api/attributes.def"
#undef HIP_ATTRIBUTE_FIELD
#undef HIP_ATTRIBUTE_POINTER
#undef HIP_ATTRIBUTE_SOURCE
#undef HIP_ATTRIBUTE_NONE

namespace {

// A row of values.def. `type` tells hipError_t and hipDeviceAttribute_t from the rest.
enum class Type { Error, Attribute, Other };
struct Value {
  const char* name;
  long long value;
  Type type;
};
template<class T> constexpr Type type_of = std::is_same_v<T, hipError_t>             ? Type::Error
                                           : std::is_same_v<T, hipDeviceAttribute_t> ? Type::Attribute
                                                                                     : Type::Other;
constexpr Value kValues[] = {
#define VALUE(name, value) {#name, value, type_of<decltype(name)>},
#define POINTER_VALUE(name, value)
#include "values.def"
#undef VALUE
#undef POINTER_VALUE
};

constexpr long long kErrors[] = {
#define HIP_ERROR(name, value, text) value,
#define HIP_ERROR_ALIAS(name, value, same_as)
#include "api/errors.def"
#undef HIP_ERROR
#undef HIP_ERROR_ALIAS
};

constexpr long long kAttributes[] = {
#define HIP_ATTRIBUTE_FIELD(name, value, field) value,
#define HIP_ATTRIBUTE_POINTER(name, value, field) value,
#define HIP_ATTRIBUTE_SOURCE(name, value, source) value,
#define HIP_ATTRIBUTE_NONE(name, value) value,
#include "api/attributes.def"
#undef HIP_ATTRIBUTE_FIELD
#undef HIP_ATTRIBUTE_POINTER
#undef HIP_ATTRIBUTE_SOURCE
#undef HIP_ATTRIBUTE_NONE
};

struct Pointer {
  const char* name;
  const void* pointer;
  uintptr_t value;
};
const Pointer kPointers[] = {
#define VALUE(name, value)
#define POINTER_VALUE(name, value) {#name, name, value},
#include "values.def"
#undef VALUE
#undef POINTER_VALUE
};

} // namespace

TEST_CASE("every error value of the interface has one row", "[headers]") {
  const std::set<long long> table(std::begin(kErrors), std::end(kErrors));
  CHECK(table.size() == std::size(kErrors));
  for (const Value& v : kValues)
    if (v.type == Type::Error && v.value != hipSuccess) {
      INFO(v.name);
      CHECK(table.count(v.value) == 1);
    }
}

TEST_CASE("every attribute of the interface has one row", "[headers]") {
  const std::set<long long> table(std::begin(kAttributes), std::end(kAttributes));
  CHECK(table.size() == std::size(kAttributes));
  const std::set<long long> ends{hipDeviceAttributeCudaCompatibleEnd, hipDeviceAttributeAmdSpecificEnd,
                                 hipDeviceAttributeVendorSpecificBegin};
  for (const Value& v : kValues)
    if (v.type == Type::Attribute) {
      INFO(v.name);
      CHECK(table.count(v.value) + ends.count(v.value) == 1);
    }
}

TEST_CASE("macros of pointer type have their values", "[headers]") {
  for (const Pointer& p : kPointers) {
    INFO(p.name);
    CHECK(reinterpret_cast<uintptr_t>(p.pointer) == p.value);
  }
}

TEST_CASE("the version macro is made of its parts", "[headers]") {
  CHECK(HIP_VERSION == HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH);
  CHECK(HIP_VERSION_MAJOR == 7);
  CHECK(HIP_VERSION_MINOR == 2);
}

TEST_CASE("dim3 fills missing extents with one", "[headers]") {
  constexpr dim3 none, one(7), two(7, 8);
  CHECK((none.x == 1 && none.y == 1 && none.z == 1));
  CHECK((one.x == 7 && one.y == 1 && one.z == 1));
  CHECK((two.x == 7 && two.y == 8 && two.z == 1));
}

TEST_CASE("channel formats of types", "[headers]") {
  const auto same = [](const hipChannelFormatDesc& d, int x, int y, int z, int w, hipChannelFormatKind f) {
    return d.x == x && d.y == y && d.z == z && d.w == w && d.f == f;
  };
  CHECK(same(hipCreateChannelDesc<float>(), 32, 0, 0, 0, hipChannelFormatKindFloat));
  CHECK(same(hipCreateChannelDesc<float4>(), 32, 32, 32, 32, hipChannelFormatKindFloat));
  CHECK(same(hipCreateChannelDesc<uchar2>(), 8, 8, 0, 0, hipChannelFormatKindUnsigned));
  CHECK(same(hipCreateChannelDesc<short1>(), 16, 0, 0, 0, hipChannelFormatKindSigned));
  CHECK(same(hipCreateChannelDesc<double>(), 0, 0, 0, 0, hipChannelFormatKindNone));
  CHECK(same(hipCreateChannelDescHalf2(), 16, 16, 0, 0, hipChannelFormatKindFloat));
}
