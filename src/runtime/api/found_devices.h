// runtime/api/found_devices.h - what librocm_smi64 and libamd_smi (src/smi) ask this library for beside the public
// interface: the devices that were found, those among them, too, that HIP_VISIBLE_DEVICES and its kin hide from HIP.
// The libraries for watching GPUs show all of them. Thread safety: any thread; the first call looks for devices.
#pragma once

#include <cstdint>

extern "C" {

struct OmnihipFoundDevice {
  const char* name;   // lives as long as the process, as the target does
  const char* target; // "gfx942:sramecc+:xnack-", "sm_90"
  uint8_t uuid[16];   // of AMD's devices 16 hexadecimal digits
  uint32_t pci_domain, pci_bus, pci_device;
  uint32_t compute_units, memory_bus_bits;
  uint64_t memory_bytes;
};

// How many there are, in the order in which HIP numbers them without the variables: real GPUs, then software ones. 0 in
// a child that fork() made, which cannot use any.
uint32_t __omnihipFoundDevices(void);
// False for an index that is none, and for a null pointer.
bool __omnihipDescribeFound(uint32_t index, OmnihipFoundDevice* device);
// False for an index that is none, for a null pointer, and where the driver does not say.
bool __omnihipFoundMemory(uint32_t index, uint64_t* free_bytes, uint64_t* total_bytes);
// Kernels of `from` can be given access to memory of `to`, another device.
bool __omnihipFoundPeerAccess(uint32_t from, uint32_t to);

} // extern "C"
