/* rocm-core/rocm_getpath.h - where ROCm, or an SDK in its place, is installed. Link with -lrocm-core. */
#ifndef ROCM_CORE_ROCM_GETPATH_H
#define ROCM_CORE_ROCM_GETPATH_H

#ifdef __cplusplus
extern "C" {
#endif

/* The second is spelt as in ROCm. */
typedef enum PathErrors_t {
  PathSuccess = 0,
  PathIncorrecPararmeters = -994, /* a null pointer */
  PathValuesNotDefined = -995,
  PathValuesTooLong = -996,      /* ROCM_PATH is longer than a path may be */
  PathFailedToGetBase = -997,    /* the library lies in no folder of a folder */
  PathLinuxRuntimeErrors = -998, /* no memory, or the library's own file is not to be found */
  PathErrorMAX = -999
} PathErrors_t;

/* The installation's folder with a slash at its end, and the number of its characters: what the variable ROCM_PATH
 * names, or, where that is not set or empty, the folder above the one that librocm-core lies in, links resolved. *path
 * is the caller's to free(). With an error *path is null and *length 0. */
PathErrors_t getROCmInstallPath(char** path, unsigned int* length);

#ifdef __cplusplus
}
#endif

#endif
