#include "testing.h"

TEST_CASE("Contexts stand for devices") {
  hipCtx_t ctx = nullptr, current = nullptr, popped = nullptr;
  hipDevice_t device = -1;
  OK(hipCtxCreate(&ctx, 0, 0));
  OK(hipCtxGetCurrent(&current));
  CHECK(current == ctx);
  OK(hipCtxGetDevice(&device));
  CHECK(device == 0);
  OK(hipCtxPushCurrent(ctx));
  OK(hipCtxPopCurrent(&popped));
  CHECK(popped == ctx);
  OK(hipCtxSetCurrent(ctx));
  OK(hipCtxSynchronize());
  unsigned version = 0, flags = 1;
  OK(hipCtxGetApiVersion(ctx, &version));
  OK(hipCtxGetFlags(&flags));
  OK(hipCtxDestroy(ctx));
  FAILS(hipCtxDestroy(nullptr), hipErrorInvalidValue);
  FAILS(hipCtxPushCurrent(garbage_handle<hipCtx_t>()), hipErrorInvalidContext);
  FAILS(hipCtxPushCurrent(nullptr), hipErrorInvalidContext);
  FAILS(hipCtxPopCurrent(&popped), hipErrorInvalidContext);
  FAILS(hipCtxCreate(nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipCtxCreate(&ctx, 0, 1000), hipErrorInvalidDevice);
}

TEST_CASE("The primary context") {
  hipCtx_t ctx = nullptr;
  unsigned flags = 0;
  int active = -1;
  OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(active == 0);
  OK(hipDevicePrimaryCtxRetain(&ctx, 0));
  OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(active == 1);
  FAILS(hipDevicePrimaryCtxSetFlags(0, 0), hipErrorContextAlreadyInUse);
  OK(hipDevicePrimaryCtxRelease(0));
  OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(active == 0);
  OK(hipDevicePrimaryCtxReset(0));
  FAILS(hipDevicePrimaryCtxRetain(nullptr, 0), hipErrorInvalidValue);
  FAILS(hipDevicePrimaryCtxRetain(&ctx, -1), hipErrorInvalidDevice);
}
