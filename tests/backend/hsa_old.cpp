// tests/backend/hsa_old.cpp - a runtime of a version before the one that the back end needs: some functions are
// missing.
#include <hsa/hsa.h>

extern "C" {
[[gnu::visibility("default")]] hsa_status_t hsa_init() { return HSA_STATUS_SUCCESS; }
[[gnu::visibility("default")]] hsa_status_t hsa_shut_down() { return HSA_STATUS_SUCCESS; }
}
