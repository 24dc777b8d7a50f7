// runtime/api/function_rows.h - the rows of hip/api/api.def as functions. Whoever includes it says what a function begins with
// (RT_FUNCTION) and how a body runs: RT_BODY of what returns a Status, RT_BODY_VALUE of what returns the value itself.
// HIP_API_ALIAS is the includer's own. undefine_rows.h takes the rows away. No include guard on purpose.
#define HIP_API(name, node, area, params, args, ...)                                                                   \
  RT_FUNCTION hipError_t name params RT_BODY(name, args, __VA_ARGS__ return hip::api::name args;)
#define HIP_API_BARE(name, node, area, params, args)                                                                   \
  RT_FUNCTION hipError_t name params RT_BODY_VALUE(name, args, return hip::api::name args;)
#define HIP_API_TODO(name, node, area, params, args)                                                                   \
  RT_FUNCTION hipError_t name params RT_BODY(name, args, return not_supported(hip::api::ApiId::name);)
#define HIP_API_RET(type, name, node, area, params, args)                                                              \
  RT_FUNCTION type name params RT_BODY_VALUE(name, args, return hip::api::name args;)
#define HIP_API_RET_TODO(type, name, node, area, params, args, value)                                                  \
  RT_FUNCTION type name params RT_BODY_VALUE(name, args, return static_cast<type>(value);)
#define HIP_COMPILER_API(type, name, node, params, args)                                                               \
  RT_FUNCTION type name params;                                                                                        \
  RT_FUNCTION type name params RT_BODY_VALUE(name, args, return hip::api::name args;)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)                                                    \
  RT_FUNCTION type name params;                                                                                        \
  RT_FUNCTION type name params RT_BODY_VALUE(name, args, return value;)
