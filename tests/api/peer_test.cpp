#include "testing.h"

TEST_CASE("A device is not its own peer") {
  int can = -1, value = 0;
  OK(hipDeviceCanAccessPeer(&can, 0, 0));
  CHECK(can == 0);
  FAILS(hipDeviceCanAccessPeer(nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipDeviceCanAccessPeer(&can, 0, 1000), hipErrorInvalidDevice);
  FAILS(hipDeviceCanAccessPeer(&can, -1, 0), hipErrorInvalidDevice);
  FAILS(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  FAILS(hipDeviceEnablePeerAccess(0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceDisablePeerAccess(0), hipErrorInvalidDevice);
  FAILS(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0), hipErrorInvalidDevice);
  FAILS(hipDeviceGetP2PAttribute(nullptr, hipDevP2PAttrAccessSupported, 0, 1), hipErrorInvalidValue);
}

TEST_CASE("Copies that name devices") {
  void *a, *b;
  int value = 5, back = 0;
  OK(hipMalloc(&a, 4));
  OK(hipMalloc(&b, 4));
  OK(hipMemcpy(a, &value, 4, hipMemcpyHostToDevice));
  OK(hipMemcpyPeer(b, 0, a, 0, 4));
  OK(hipMemcpy(&back, b, 4, hipMemcpyDeviceToHost));
  CHECK(back == 5);
  OK(hipMemcpyPeerAsync(b, 0, a, 0, 4, nullptr));
  FAILS(hipMemcpyPeer(b, 0, a, 1000, 4), hipErrorInvalidDevice);
  FAILS(hipMemcpyPeer(nullptr, 0, a, 0, 4), hipErrorInvalidValue);
  OK(hipFree(a));
  OK(hipFree(b));
}
