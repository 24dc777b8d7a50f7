// Stream capture.
#include "runtime/core/graph/capture.h"

#include "runtime/api/graph_params.h"

namespace hip::api {
namespace {

Result<core::CaptureMode> capture_mode(hipStreamCaptureMode mode) {
  switch (mode) {
  case hipStreamCaptureModeGlobal:
    return core::CaptureMode::Global;
  case hipStreamCaptureModeThreadLocal:
    return core::CaptureMode::ThreadLocal;
  case hipStreamCaptureModeRelaxed:
    return core::CaptureMode::Relaxed;
  }
  return error(ErrorCode::InvalidValue, "{} is no hipStreamCaptureMode.", static_cast<int>(mode));
}

} // namespace

Status hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  RT_TRY_ASSIGN(const core::CaptureMode checked, capture_mode(mode));
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::begin_capture(*pin, checked);
}

Status hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                    const hipGraphEdgeData* dependencyData, size_t numDependencies,
                                    hipStreamCaptureMode mode) {
  RT_TRY_ASSIGN(const core::CaptureMode checked, capture_mode(mode));
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::begin_capture_to_graph(*pin, graph, as_handles(dependencies), numDependencies, checked);
}

Status hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph) {
  *pGraph = nullptr;
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  RT_TRY_ASSIGN(const core::Handle graph, core::end_capture(*pin));
  *pGraph = as_handle<hipGraph_t>(graph);
  return {};
}

Status hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus) {
  return api::hipStreamGetCaptureInfo_v2(stream, pCaptureStatus, nullptr, nullptr, nullptr, nullptr);
}

Status hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus, unsigned long long* pId) {
  return api::hipStreamGetCaptureInfo_v2(stream, pCaptureStatus, pId, nullptr, nullptr, nullptr);
}

Status hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out,
                                  unsigned long long* id_out, hipGraph_t* graph_out,
                                  const hipGraphNode_t** dependencies_out, size_t* numDependencies_out) {
  RT_TRY_ASSIGN(const auto pin, core::find_stream_even_detached(stream));
  RT_TRY_ASSIGN(const core::CaptureInfo info, core::capture_info(*pin));
  *captureStatus_out = static_cast<hipStreamCaptureStatus>(info.status);
  if (info.status == core::CaptureStatus::None) return {};
  if (id_out) *id_out = info.id;
  if (info.status != core::CaptureStatus::Active) return {};
  if (graph_out) *graph_out = as_handle<hipGraph_t>(info.graph);
  if (dependencies_out)
    *dependencies_out = static_cast<const hipGraphNode_t*>(static_cast<const void*>(info.dependencies.data()));
  if (numDependencies_out) *numDependencies_out = info.dependencies.size();
  return {};
}

Status hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies, size_t numDependencies,
                                          unsigned int flags) {
  if (flags != hipStreamAddCaptureDependencies && flags != hipStreamSetCaptureDependencies)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of an update of dependencies are not known.", flags);
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::update_capture_dependencies(*pin, as_handles(dependencies), numDependencies,
                                           flags == hipStreamSetCaptureDependencies ? core::DependencyUpdate::Set
                                                                                    : core::DependencyUpdate::Add);
}

Status hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  RT_TRY_ASSIGN(const core::CaptureMode wanted, capture_mode(*mode));
  *mode = static_cast<hipStreamCaptureMode>(core::exchange_capture_mode(wanted));
  return {};
}

} // namespace hip::api
