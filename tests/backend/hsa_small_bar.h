// tests/backend/hsa_small_bar.h - memory of a card that the host cannot reach, for the stand-in (hsa_standin.cpp). The
// software GPU's memory is the process's own, so it is closed (PROT_NONE) whenever a thread leaves the runtime, and
// opened by a fault handler for whoever is inside: calls of the runtime, and the software GPU's workers. Anybody else
// who touches it ends the process with a message. What the host touches while a worker has opened it is not seen.
// Thread safety: any thread.
#pragma once

#include <cstddef>

namespace small_bar {

// Memory of the card; nothing when it is none.
void add(void* base, size_t bytes);
void remove(void* base);
bool holds(const void* address);

// The calling thread is inside of the runtime for the life of this.
class Inside {
public:
  Inside() noexcept;
  ~Inside();
  Inside(const Inside&) = delete;
};

} // namespace small_bar
