#include "runtime/backend/aql/soft/transfer.h"

#include "runtime/backend/aql/soft/address_space.h"
#include "runtime/backend/aql/transfer_forms.h"

#include <algorithm>
#include <cstring>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kPieceBytes = 512 * 1024;

// Rows that follow each other without a gap on both sides are one longer row; the same for slices.
void flatten(Transfer& t) noexcept {
  backend::Extent3& e = t.extent;
  const bool copy = t.pattern_bytes == 0;
  const auto dense = [&](uint64_t dst_step, uint64_t src_step) {
    return dst_step == e.width_bytes && (!copy || src_step == e.width_bytes);
  };
  if (e.height > 1 && dense(t.dst.pitch_bytes, t.src.pitch_bytes)) {
    e.width_bytes *= e.height;
    e.height = 1;
  }
  if (e.depth > 1 && e.height == 1 && dense(t.dst.slice_bytes, t.src.slice_bytes)) {
    e.width_bytes *= e.depth;
    e.depth = 1;
  }
}

bool overlaps(const Transfer& t) noexcept {
  if (t.pattern_bytes != 0) return false;
  const uint64_t dst = reinterpret_cast<uint64_t>(t.dst.base), src = reinterpret_cast<uint64_t>(t.src.base);
  return dst < src + span_bytes(t.src, t.extent) && src < dst + span_bytes(t.dst, t.extent);
}

} // namespace

uint64_t transfer_bytes(const Transfer& t) noexcept { return t.extent.width_bytes * t.extent.height * t.extent.depth; }

Status check_transfer(const Transfer& t, const AddressSpace& space) {
  const auto check = [&](const backend::Region& region, HostAccess access) -> Status {
    const uint64_t address = reinterpret_cast<uint64_t>(region.base), bytes = span_bytes(region, t.extent);
    if (!space.of_arena(address))
      return host_may_access(region, t.extent, access) ? Status() : no_host_access(t, access);
    if (address + bytes >= address && space.usable_by_host(address, bytes, access)) return Status();
    return error(ErrorCode::IllegalAddress, "The {} of a {} of {} bytes at {:#x} is not all memory: {}.",
                 access == HostAccess::Write ? "destination" : "source", t.pattern_bytes ? "fill" : "copy", bytes,
                 address, space.describe(address + bytes - 1));
  };
  RT_TRY(check(t.dst, HostAccess::Write));
  return t.pattern_bytes ? Status() : check(t.src, HostAccess::Read);
}

TransferJob::TransferJob(const Transfer& transfer) noexcept : transfer_(transfer) {
  const bool one_piece = overlaps(transfer_);
  flatten(transfer_);
  const backend::Extent3& e = transfer_.extent;
  rows_ = e.height * e.depth;
  rows_per_piece_ = rows_;
  if (one_piece) return;
  if (e.width_bytes >= 2 * kPieceBytes) {
    rows_per_piece_ = 0;
    bytes_per_piece_ = kPieceBytes;
    pieces_per_row_ = (e.width_bytes + kPieceBytes - 1) / kPieceBytes;
    pieces_ = pieces_per_row_ * rows_;
  } else {
    rows_per_piece_ = std::max<uint64_t>(1, kPieceBytes / e.width_bytes);
    pieces_ = (rows_ + rows_per_piece_ - 1) / rows_per_piece_;
  }
}

void TransferJob::run() noexcept {
  for (uint64_t piece; (piece = next_piece_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) do_piece(piece);
}

void TransferJob::do_piece(uint64_t piece) const noexcept {
  const uint64_t width = transfer_.extent.width_bytes;
  if (rows_per_piece_ == 0) {
    const uint64_t begin = piece % pieces_per_row_ * bytes_per_piece_;
    do_bytes(piece / pieces_per_row_, begin, std::min(width, begin + bytes_per_piece_));
    return;
  }
  const uint64_t last = std::min(rows_, (piece + 1) * rows_per_piece_);
  for (uint64_t row = piece * rows_per_piece_; row < last; ++row) do_bytes(row, 0, width);
}

void TransferJob::do_bytes(uint64_t row, uint64_t begin, uint64_t end) const noexcept {
  const uint64_t slice = row / transfer_.extent.height, line = row % transfer_.extent.height;
  const auto place = [&](const backend::Region& region) {
    return static_cast<std::byte*>(region.base) + slice * region.slice_bytes + line * region.pitch_bytes + begin;
  };
  if (transfer_.pattern_bytes)
    fill_bytes(place(transfer_.dst), transfer_.pattern, end - begin); // begin is a multiple of 8
  else
    std::memmove(place(transfer_.dst), place(transfer_.src), end - begin);
}

} // namespace hip::aql::soft
