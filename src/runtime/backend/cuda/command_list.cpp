#include "runtime/backend/cuda/command_list.h"

#include "runtime/backend/cuda/device.h"
#include "runtime/backend/cuda/queue.h"
#include "runtime/base/log.h"

namespace hip::cuda {
namespace {

// A stream that captures. Relaxed: neither this thread's other calls nor those of others are forbidden meanwhile.
class Capture {
public:
  Capture(Context& context, CUstream stream) noexcept : context_(context), driver_(context.driver()), stream_(stream) {}
  ~Capture() {
    if (begun_) static_cast<void>(end());
    if (graph_) static_cast<void>(driver_.cuGraphDestroy(graph_));
  }
  Capture(const Capture&) = delete;

  Status begin() {
    RT_TRY(context_.check(driver_.cuStreamBeginCapture(stream_, kCaptureRelaxed), "cuStreamBeginCapture"));
    begun_ = true;
    return {};
  }
  Status end() {
    begun_ = false;
    return context_.check(driver_.cuStreamEndCapture(stream_, &graph_), "cuStreamEndCapture");
  }
  // The nodes that the next command depends on: after a command, its last node.
  Result<std::vector<CUgraphNode>> dependencies() {
    int status = 0;
    const CUgraphNode* nodes = nullptr;
    size_t count = 0;
    RT_TRY(context_.check(driver_.cuStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, &nodes, &count),
                          "cuStreamGetCaptureInfo"));
    return std::vector<CUgraphNode>(nodes, nodes + count);
  }
  Status depend_on(std::vector<CUgraphNode>& nodes) {
    return context_.check(
        driver_.cuStreamUpdateCaptureDependencies(stream_, nodes.data(), nodes.size(), kSetCaptureDependencies),
        "cuStreamUpdateCaptureDependencies");
  }
  Result<CUgraphExec> instantiate() {
    CUgraphExec exec = nullptr;
    RT_TRY(context_.check(driver_.cuGraphInstantiateWithFlags(&exec, graph_, 0), "cuGraphInstantiateWithFlags"));
    return exec;
  }
  CUgraph take_graph() noexcept { return std::exchange(graph_, nullptr); }

private:
  Context& context_;
  const Driver& driver_;
  const CUstream stream_;
  bool begun_ = false;
  CUgraph graph_ = nullptr;
};

// Its arguments are one block, as the driver takes them from a node's parameters.
bool can_be_changed(const backend::Command& command) noexcept {
  return command.kind == backend::Command::Kind::Launch && !command.launch.cooperative;
}

} // namespace

Result<Ref<backend::CommandList>> CommandList::create(Device& device, std::vector<backend::Command> commands) {
  auto list = make_ref<CommandList>(device, std::move(commands));
  if (list->commands().size() > 1) {
    if (const Status status = list->capture(); !status.ok()) {
      RT_TRY(device.context().fault());
      log(LogLevel::Info, "{} commands are submitted one by one, because the driver makes no graph of them: {}",
          list->commands().size(), status.message());
    }
  }
  return Ref<backend::CommandList>(std::move(list));
}

CommandList::CommandList(Device& device, std::vector<backend::Command> commands) noexcept
    : backend::CommandList(std::move(commands)), device_(device), context_(device.context()) {}

CommandList::~CommandList() {
  if (!graph_ || !context_.enter().ok()) return;
  static_cast<void>(context_.driver().cuGraphExecDestroy(graph_));
  if (source_) static_cast<void>(context_.driver().cuGraphDestroy(source_));
}

Status CommandList::capture() {
  RT_TRY_ASSIGN(const std::unique_ptr<backend::Queue> queue, device_.create_queue({}));
  Capture capture(context_, static_cast<Queue&>(*queue).handle());
  RT_TRY(capture.begin());
  std::vector<CUgraphNode> before, ends; // the last nodes of the step before, and of this one
  std::vector<CUgraphNode> launches;
  bool can_change = false;
  for (const backend::Command& command : commands()) {
    if (command.starts_step) before = std::exchange(ends, {});
    RT_TRY(capture.depend_on(before));
    RT_TRY(command.submit(*queue));
    RT_TRY_ASSIGN(const std::vector<CUgraphNode> last, capture.dependencies());
    ends.insert(ends.end(), last.begin(), last.end());
    const bool changes = can_be_changed(command) && last.size() == 1;
    launches.push_back(changes ? last.front() : nullptr);
    can_change |= changes;
  }
  RT_TRY(capture.end());
  RT_TRY_ASSIGN(graph_, capture.instantiate());
  if (can_change && context_.driver().cuGraphExecKernelNodeSetParams) {
    source_ = capture.take_graph();
    nodes_ = std::move(launches);
  }
  return {};
}

bool CommandList::change(size_t place, const backend::Command& command) const {
  if (!source_ || !nodes_[place] || !can_be_changed(command)) return false;
  auto& kernel = static_cast<Kernel&>(*command.launch.kernel);
  const backend::Launch& launch = command.launch;
  if (!context_.enter().ok()) return false;
  if (!kernel.allow_dynamic(context_, launch.dynamic_lds_bytes, device_.properties()).ok()) return false;
  size_t bytes = kernel.block_bytes(command.arguments);
  void* extra[] = {kLaunchBuffer, const_cast<std::byte*>(command.arguments.data()), kLaunchBufferBytes, &bytes,
                   kLaunchEnd};
  const std::array<unsigned, 3>& grid = launch.groups;
  const std::array<unsigned, 3>& block = launch.group_items;
  const CUkernelNodeParams params{.func = kernel.function,
                                  .gridDimX = grid[0],
                                  .gridDimY = grid[1],
                                  .gridDimZ = grid[2],
                                  .blockDimX = block[0],
                                  .blockDimY = block[1],
                                  .blockDimZ = block[2],
                                  .sharedMemBytes = launch.dynamic_lds_bytes,
                                  .kernelParams = nullptr,
                                  .extra = bytes == 0 ? nullptr : extra,
                                  .kern = nullptr,
                                  .ctx = nullptr};
  // Where it is refused, a new graph is made, and reports what is wrong.
  return context_.driver().cuGraphExecKernelNodeSetParams(graph_, nodes_[place], &params) == kSuccess;
}

void CommandList::note_in(LaunchLog& log) const noexcept {
  for (const backend::Command& command : commands())
    if (command.kind == backend::Command::Kind::Launch)
      log.add(static_cast<const Kernel&>(*command.launch.kernel).log_name);
}

} // namespace hip::cuda
