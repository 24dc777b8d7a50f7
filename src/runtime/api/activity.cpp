#include "runtime/api/activity.h"

#include "runtime/api/trace.h"

#include <algorithm>

namespace hip::api {
namespace {

constinit std::atomic<ActivityCallback> activity_callback{nullptr};

struct Row {
  ApiId id;
  uint32_t number;
};
constexpr Row kRows[] = {
#define HIP_ACTIVITY_ID(name, number) {ApiId::name, number},
#define HIP_ACTIVITY_ALIAS(name, function)
#include "api/activity_ids.def"
#undef HIP_ACTIVITY_ID
#undef HIP_ACTIVITY_ALIAS
};

enum class Number : uint32_t {
#define HIP_ACTIVITY_ID(name, number) name = number,
#define HIP_ACTIVITY_ALIAS(name, function)
#include "api/activity_ids.def"
#undef HIP_ACTIVITY_ID
#undef HIP_ACTIVITY_ALIAS
};

using Numbers = std::array<uint16_t, static_cast<size_t>(ApiId::Count)>;
constexpr Numbers kNumbers = [] {
  Numbers numbers{};
  for (const Row& row : kRows) numbers[static_cast<size_t>(row.id)] = static_cast<uint16_t>(row.number);
#define HIP_ACTIVITY_ID(name, number)
#define HIP_ACTIVITY_ALIAS(name, function)                                                                             \
  numbers[static_cast<size_t>(ApiId::name)] = static_cast<uint16_t>(Number::function);
#include "api/activity_ids.def"
#undef HIP_ACTIVITY_ID
#undef HIP_ACTIVITY_ALIAS
  return numbers;
}();

// Kinds of commands of ROCm's runtime, by OpenCL's numbers (cl.h, CL_COMMAND_*) and ROCm's own, as its tools print
// them.
struct CommandName {
  unsigned kind;
  const char* name;
};
constexpr CommandName kCommandNames[] = {
    {0, "InternalMarker"},
    {0x11f0, "KernelExecution"},
    {0x11f1, "Task"},
    {0x11f2, "NativeKernel"},
    {0x11f3, "CopyDeviceToHost"},
    {0x11f4, "CopyHostToDevice"},
    {0x11f5, "CopyDeviceToDevice"},
    {0x11f6, "ReadImage"},
    {0x11f7, "WriteImage"},
    {0x11f8, "CopyImage"},
    {0x11f9, "CopyImageToBuffer"},
    {0x11fa, "CopyBufferToImage"},
    {0x11fb, "MapBuffer"},
    {0x11fc, "MapImage"},
    {0x11fd, "UnmapMemObject"},
    {0x11fe, "Marker"},
    {0x11ff, "AcquireGLObjects"},
    {0x1200, "ReleaseGLObjects"},
    {0x1201, "CopyDeviceToHost2D"},
    {0x1202, "CopyHostToDevice2D"},
    {0x1203, "CopyDeviceToDevice2D"},
    {0x1204, "User"},
    {0x1205, "Barrier"},
    {0x1206, "MigrateMemObjects"},
    {0x1207, "FillBuffer"},
    {0x1208, "FillImage"},
    {0x1209, "SvmFree"},
    {0x120a, "SvmMemcpy"},
    {0x120b, "SvmMemFill"},
    {0x120c, "SvmMap"},
    {0x120d, "SvmUnmap"},
    {0x4501, "StreamWait"},
    {0x4502, "StreamWrite"},
};

} // namespace

uint32_t activity_id(ApiId id) noexcept { return kNumbers[static_cast<size_t>(id)]; }

const char* activity_name(uint32_t number) noexcept {
  const auto* const row =
      std::find_if(std::begin(kRows), std::end(kRows), [number](const Row& each) { return each.number == number; });
  return row == std::end(kRows) ? nullptr : api_name(static_cast<uint32_t>(row->id));
}

// Functions that a tool has registered: it declares their argument by a structure of its own with these members, so
// UndefinedBehaviorSanitizer cannot look at their types.
#define OMNIHIP_CALLS_TOOL [[clang::no_sanitize("function")]]

OMNIHIP_CALLS_TOOL ActivityScope::ActivityScope(ApiId id) noexcept : operation_(activity_id(id)) {
  const ActivityCallback callback = activity_callback.load(std::memory_order_acquire);
  if (callback && operation_ != 0) wanted_ = callback(kActivityDomainHipApi, operation_, &data_) == 0;
}

OMNIHIP_CALLS_TOOL void ActivityScope::enter() noexcept {
  if (!wanted_ || !data_.phase_enter) return;
  data_.phase = kActivityPhaseEnter;
  data_.phase_enter(operation_, &data_);
}

OMNIHIP_CALLS_TOOL ActivityScope::~ActivityScope() {
  if (!wanted_ || !data_.phase_exit) return;
  data_.phase = kActivityPhaseExit;
  data_.phase_exit(operation_, &data_);
}

// Null ends the reports.
void hipRegisterTracerCallback(int (*function)(int domain, uint32_t operation_id, void* data)) {
  activity_callback.store(function, std::memory_order_release);
  report_activity(function != nullptr);
}

const char* hipGetCmdName(unsigned int op) {
  const auto* const found = std::find_if(std::begin(kCommandNames), std::end(kCommandNames),
                                         [op](const CommandName& each) { return each.kind == op; });
  return found == std::end(kCommandNames) ? "Unknown command kind" : found->name;
}

// There is no one precompiled header: hiprtc finds those of the SDK by target and options (lib/omnihip/pch), and only
// the compiler that wrote them reads them.
void __hipGetPCH(const char** pch, unsigned int* size) {
  if (pch) *pch = nullptr;
  if (size) *size = 0;
}

} // namespace hip::api
