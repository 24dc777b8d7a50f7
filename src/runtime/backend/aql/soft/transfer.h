// runtime/backend/aql/soft/transfer.h - copies and fills of the software GPU: plain memory operations on the host, in
// pieces that several threads may share when there is much to move.
// Thread safety: a TransferJob may be run by any number of threads at once; the functions keep no state.
#pragma once

#include "runtime/backend/aql/agent.h"

#include <atomic>

namespace hip::aql::soft {

class AddressSpace;

uint64_t transfer_bytes(const Transfer& transfer) noexcept;
// hipErrorIllegalAddress when a side leaves its allocation or is not mapped at all.
Status check_transfer(const Transfer& transfer, const AddressSpace& space);

class TransferJob {
public:
  explicit TransferJob(const Transfer& transfer) noexcept;
  // Takes pieces and moves them until none is left to take.
  void run() noexcept;
  bool exhausted() const noexcept { return next_piece_.load(std::memory_order_relaxed) >= pieces_; }
  uint64_t pieces() const noexcept { return pieces_; }

private:
  void do_piece(uint64_t piece) const noexcept;
  void do_bytes(uint64_t row, uint64_t begin, uint64_t end) const noexcept;

  Transfer transfer_;
  uint64_t rows_ = 1;
  uint64_t rows_per_piece_ = 0;  // 0: a piece is a part of a row
  uint64_t bytes_per_piece_ = 0; // of a piece that is a part of a row
  uint64_t pieces_per_row_ = 1;
  uint64_t pieces_ = 1;
  std::atomic<uint64_t> next_piece_{0};
};

} // namespace hip::aql::soft
