// The C++ names that surface objects had until 5.2.
#include "runtime/compat/compat.h"

RT_SHIM_NAMED("_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc", create_surface_object,
              (hipSurfaceObject_t * surface, const hipResourceDesc* resource)) {
  return RT_CORE(hipCreateSurfaceObject)(surface, resource);
}

RT_SHIM_NAMED("_Z23hipDestroySurfaceObjectP13__hip_surface", destroy_surface_object, (hipSurfaceObject_t surface)) {
  return RT_CORE(hipDestroySurfaceObject)(surface);
}
