// runtime/api/undefine_rows.h - takes the macros of hip/api/api.def away after an expansion. No include guard on purpose.
#undef HIP_API
#undef HIP_API_BARE
#undef HIP_API_TODO
#undef HIP_API_RET
#undef HIP_API_RET_TODO
#undef HIP_COMPILER_API
#undef HIP_PRIVATE_API_TODO
#undef HIP_API_ALIAS
