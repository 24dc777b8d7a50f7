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

private:
  Context& context_;
  const Driver& driver_;
  const CUstream stream_;
  bool begun_ = false;
  CUgraph graph_ = nullptr;
};

} // namespace

Result<Ref<backend::CommandList>> CommandList::create(Device& device, std::vector<backend::Command> commands) {
  auto list = make_ref<CommandList>(device.context(), std::move(commands));
  if (list->commands().size() > 1) {
    if (const Status status = list->capture(device); !status.ok()) {
      RT_TRY(device.context().fault());
      log(LogLevel::Info, "{} commands are submitted one by one, because the driver makes no graph of them: {}",
          list->commands().size(), status.message());
    }
  }
  return Ref<backend::CommandList>(std::move(list));
}

CommandList::~CommandList() {
  if (graph_ && context_.enter().ok()) static_cast<void>(context_.driver().cuGraphExecDestroy(graph_));
}

Status CommandList::capture(Device& device) {
  RT_TRY_ASSIGN(const std::unique_ptr<backend::Queue> queue, device.create_queue({}));
  Capture capture(context_, static_cast<Queue&>(*queue).handle());
  RT_TRY(capture.begin());
  std::vector<CUgraphNode> before, ends; // the last nodes of the step before, and of this one
  for (const backend::Command& command : commands()) {
    if (command.starts_step) before = std::exchange(ends, {});
    RT_TRY(capture.depend_on(before));
    RT_TRY(command.submit(*queue));
    RT_TRY_ASSIGN(const std::vector<CUgraphNode> last, capture.dependencies());
    ends.insert(ends.end(), last.begin(), last.end());
  }
  RT_TRY(capture.end());
  RT_TRY_ASSIGN(graph_, capture.instantiate());
  return {};
}

void CommandList::note_in(LaunchLog& log) const noexcept {
  for (const backend::Command& command : commands())
    if (command.kind == backend::Command::Kind::Launch)
      log.add(static_cast<const Kernel&>(*command.launch.kernel).log_name);
}

} // namespace hip::cuda
