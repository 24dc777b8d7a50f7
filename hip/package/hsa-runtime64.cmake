# What package hsa-runtime64 sets beside its target.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
set_target_properties(hsa-runtime64::hsa-runtime64 PROPERTIES INTERFACE_LINK_LIBRARIES Threads::Threads)
set(hsa-runtime64_INCLUDE_DIRS "${_sdk_prefix}/include")
set(hsa-runtime64_LIBRARIES hsa-runtime64::hsa-runtime64)
