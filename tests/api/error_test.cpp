#include "testing.h"

TEST_CASE("The last error sticks until it is asked for") {
  (void)hipGetLastError();
  CHECK(hipMalloc(static_cast<void**>(nullptr), 4) == hipErrorInvalidValue);
  int device = -1;
  OK(hipGetDevice(&device)); // success does not overwrite it
  CHECK(hipPeekAtLastError() == hipErrorInvalidValue);
  CHECK(hipPeekAtLastError() == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  CHECK(hipPeekAtLastError() == hipSuccess);
  CHECK(hipGetLastError() == hipSuccess);
}

TEST_CASE("hipExtGetLastError gives the result of the last call") {
  CHECK(hipSetDevice(-1) == hipErrorInvalidDevice);
  CHECK(hipExtGetLastError() == hipErrorInvalidDevice);
  CHECK(hipSetDevice(-1) == hipErrorInvalidDevice);
  OK(hipSetDevice(0));
  CHECK(hipExtGetLastError() == hipSuccess);
  (void)hipGetLastError();
}

TEST_CASE("Errors have names and texts") {
  CHECK(std::string(hipGetErrorName(hipSuccess)) == "hipSuccess");
  CHECK(std::string(hipGetErrorName(hipErrorOutOfMemory)) == "hipErrorOutOfMemory");
  CHECK(std::string(hipGetErrorString(hipErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(hipGetErrorString(static_cast<hipError_t>(-1))) == hipGetErrorString(hipErrorUnknown));
  const char* text = nullptr;
  OK(hipDrvGetErrorName(hipErrorNoDevice, &text));
  CHECK(std::string(text) == "hipErrorNoDevice");
  OK(hipDrvGetErrorString(hipErrorNoDevice, &text));
  CHECK(text != nullptr);
  FAILS(hipDrvGetErrorName(static_cast<hipError_t>(-1), &text), hipErrorInvalidValue);
  CHECK(text == nullptr);
  FAILS(hipDrvGetErrorString(hipErrorNoDevice, nullptr), hipErrorInvalidValue);
}

TEST_CASE("What no device has says so") {
  FAILS(hipMemMapArrayAsync(nullptr, 0, nullptr), hipErrorInvalidValue);
  hipArrayMapInfo map{};
  FAILS(hipMemMapArrayAsync(&map, 1, nullptr), hipErrorNotSupported);
}

TEST_CASE("Names and entry points") {
  CHECK(std::string(hipApiName(0)) == "unknown");
  CHECK(std::string(hipApiName(~0u)) == "unknown");
  CHECK(std::string(hipApiName(1)) != "unknown");
  void* address = nullptr;
  hipDriverProcAddressQueryResult result;
  OK(hipGetProcAddress("hipGetDeviceCount", &address, HIP_VERSION, 0, &result));
  CHECK(result == HIP_GET_PROC_ADDRESS_SUCCESS);
  int count = 0;
  CHECK(reinterpret_cast<hipError_t (*)(int*)>(address)(&count) == hipSuccess);
  CHECK(count >= 1);
  FAILS(hipGetProcAddress("hipNoSuchThing", &address, HIP_VERSION, 0, &result), hipErrorNotFound);
  CHECK(result == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  FAILS(hipGetProcAddress("", &address, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGetProcAddress(nullptr, &address, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGetProcAddress("hipMalloc", nullptr, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGetProcAddress("hipMalloc", &address, HIP_VERSION, 99, nullptr), hipErrorInvalidValue);
}

TEST_CASE("Versions and initialisation") {
  int version = 0;
  OK(hipRuntimeGetVersion(&version));
  CHECK(version == HIP_VERSION);
  OK(hipDriverGetVersion(&version));
  CHECK(version == HIP_VERSION);
  FAILS(hipRuntimeGetVersion(nullptr), hipErrorInvalidValue);
  FAILS(hipDriverGetVersion(nullptr), hipErrorInvalidValue);
  OK(hipInit(0));
  FAILS(hipInit(1), hipErrorInvalidValue);
}
