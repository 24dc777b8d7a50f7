// runtime/backend/aql/queue.h - the in-order Queue of backend.h on one ring of AQL packets. Every packet has the
// barrier bit (unless the launch asks otherwise) and a completion signal, so that recording an event behind it costs
// nothing. Waits are gathered and become barrier-AND packets of up to five signals when the next operation is
// submitted. Thread safety: one thread at a time, as backend.h says. Memory ordering: see packets.h; what a slot refers
// to (signal, arguments, dependencies) is released by the submitting thread once the slot's signal shows completion.
#pragma once

#include "runtime/backend/aql/device.h"
#include "runtime/backend/aql/executable.h"
#include "runtime/backend/aql/host_functions.h"
#include "runtime/backend/aql/hostcall_service.h"
#include "runtime/backend/aql/kernarg_ring.h"
#include "runtime/backend/aql/kernel_printf.h"
#include "runtime/backend/aql/point_pool.h"

namespace hip::aql {

class Queue final : public backend::Queue {
public:
  static Result<std::unique_ptr<Queue>> create(Device& device, const backend::QueueOptions& options, RingKind kind);
  ~Queue() override;

  Status launch(const backend::Launch& launch) override;
  Status copy(void* dst, const void* src, size_t bytes) override;
  Status copy_3d(const backend::Region& dst, const backend::Region& src, const backend::Extent3& extent) override;
  Status fill_3d(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                 const backend::Extent3& extent) override;
  Result<Ref<backend::Completion>> record(const backend::PointOptions& options = {}) override;
  Status run(const Ref<backend::CommandList>& list) override;
  Status wait(const Ref<backend::Completion>& completion) override;
  Status wait_value(const backend::ValueWait& wait) override;
  Status prefetch(const void* base, size_t bytes, backend::Device* where) override;
  Status discard(void* base, size_t bytes) override;
  Status host_function(backend::HostFunction fn, void* user_data) override;
  Status external(backend::ExternalAction action, std::span<const backend::ExternalStep> steps) override;
  bool idle() noexcept override;
  Status synchronize() noexcept override;

private:
  struct Slot { // what the packet in the same place of the ring keeps alive
    Ref<Point> point;
    uint64_t kernarg_end = 0;
    void* block = nullptr;                                     // arguments too large for the ring
    std::array<Ref<Point>, kBarrierDependencies> dependencies; // in place: a barrier packet allocates nothing
    Ref<backend::CommandList> list;                            // of a batch
    uint32_t packets = 1; // that were submitted together; the first one's slot stands for all
    uint32_t dependency_count = 0;
  };
  struct Arguments {
    std::byte* memory = nullptr;
    void* block = nullptr; // to be freed with the packet
  };

  Queue(Device& device, RingKind kind) noexcept
      : device_(device), agent_(device.agent()), kind_(kind), points_(device.points()) {}
  Status initialize(const backend::QueueOptions& options);

  Packet& packet(uint64_t index) noexcept { return ring_[index & mask_]; }
  Slot& slot(uint64_t index) noexcept { return slots_[index & mask_]; }
  // Makes room for this many packets, waiting for the oldest while the ring is full.
  Status make_room(uint64_t packets);
  // Makes room for one packet and gives it its completion signal.
  Status reserve();
  // Publishes the reserved packet.
  void submit(PacketHead head, BarrierBit barrier);
  // Publishes packets that share a completion signal; the list keeps what they refer to.
  Status submit_batch(const std::vector<Packet>& packets, const Ref<backend::CommandList>& list);
  // The same as one packet.
  Status submit_list(PacketList& packets, const Ref<backend::CommandList>& list);
  void retire_finished(unsigned at_most) noexcept;
  void retire_oldest() noexcept; // waits for it
  Result<Arguments> allocate_arguments(size_t bytes);
  Status flush_waits();
  Status submit_barrier(std::span<const Ref<Point>> dependencies);
  Status transfer(const Transfer& transfer);
  Status transfer_outside(const Transfer& transfer);
  // Something begins that the ring does not hold, between these points; the result is told its end.
  using Ended = std::function<void(const Status&)>;
  Ended work_outside(const Ref<Point>& after, const Ref<Point>& gate);
  // The point of the last packet submitted; null when that packet is retired and therefore done.
  Point* last() noexcept { return retired_ == write_ ? nullptr : slot(last_).point.get(); }
  Result<Ref<Point>> last_point();
  Status start_host_functions(); // what call_on_host() needs, and fails without
  Status call_on_host(HostFunctions::Function function);
  Status drain_printf_after(const AqlKernel& kernel);
  // In the device's cooperative queue, between what is in this one and what comes.
  Status launch_elsewhere(const backend::Launch& launch);

  Device& device_;
  Agent& agent_;
  const RingKind kind_;
  QueueBlock* block_ = nullptr;
  Packet* ring_ = nullptr;
  uint64_t mask_ = 0;
  std::unique_ptr<PacketRing> packets_;
  HardwareQueue* hardware_ = nullptr; // of packets_
  bool frees_by_read_index_ = false;  // what it says
  Ref<FaultLog> faults_;
  std::vector<Slot> slots_;
  uint64_t write_ = 0;   // next packet
  uint64_t last_ = 0;    // first packet of what was submitted last
  uint64_t retired_ = 0; // slots before it are free
  uint64_t read_ = 0;    // the agent's read index, as it was last looked at
  PointCache points_;
  Ref<Point> next_point_; // of the reserved packet
  std::vector<Ref<Point>> waits_;
  void* kernarg_memory_ = nullptr;
  std::unique_ptr<KernargRing> kernargs_;
  std::unique_ptr<HostFunctions> host_functions_;
  std::shared_ptr<std::atomic<unsigned>> transfers_ = std::make_shared<std::atomic<unsigned>>(0); // begun, not ended
  std::unique_ptr<KernelPrintf> printf_;
  std::unique_ptr<HostcallService::Watch> hostcalls_;
  uint64_t heap_ = 0; // the device's, once a kernel wanted it
};

} // namespace hip::aql
