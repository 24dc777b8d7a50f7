#include "runtime/hsa/tables.h"

#include "runtime/hsa/implementation_names.h"

#include "runtime/base/log.h"
#include "runtime/hsa_check/check.h"

// The tables are there before the first call, so they are constants of the library's data.
extern "C" {
hsa_status_t omnihip_hsa_intercept_register(hsa_queue_t*, hsa_amd_queue_intercept_handler, void*) noexcept;
hsa_status_t omnihip_hsa_intercept_create(hsa_agent_t, uint32_t, hsa_queue_type32_t,
                                          void (*)(hsa_status_t, hsa_queue_t*, void*), void*, uint32_t, uint32_t,
                                          hsa_queue_t**) noexcept;
hsa_status_t omnihip_hsa_queue_create_register(hsa_amd_runtime_queue_notifier, void*) noexcept;
}

namespace {

#define HSA_VERSION_OF(Table, name)                                                                                    \
  {HSA_##name##_API_TABLE_MAJOR_VERSION, sizeof(Table), HSA_##name##_API_TABLE_STEP_VERSION, 0}
#define HSA_SLOT(name) table.name##_fn = ::name;

constexpr CoreApiTable core_bodies() noexcept {
  CoreApiTable table{};
  table.version = HSA_VERSION_OF(CoreApiTable, CORE);
#define HSA_CORE(name) HSA_SLOT(name)
#include <hsa/hsa_api_tables.def>
  return table;
}
constexpr AmdExtTable amd_bodies() noexcept {
  AmdExtTable table{};
  table.version = HSA_VERSION_OF(AmdExtTable, AMD_EXT);
#define HSA_AMD(name) HSA_SLOT(name)
#include <hsa/hsa_api_tables.def>
  table.hsa_amd_queue_intercept_create_fn = omnihip_hsa_intercept_create;
  table.hsa_amd_queue_intercept_register_fn = omnihip_hsa_intercept_register;
  table.hsa_amd_runtime_queue_create_register_fn = omnihip_hsa_queue_create_register;
  return table;
}
constexpr FinalizerExtTable finalizer_bodies() noexcept {
  FinalizerExtTable table{};
  table.version = HSA_VERSION_OF(FinalizerExtTable, FINALIZER);
#define HSA_FINALIZER(name) HSA_SLOT(name)
#include <hsa/hsa_api_tables.def>
  return table;
}
constexpr ImageExtTable image_bodies() noexcept {
  ImageExtTable table{};
  table.version = HSA_VERSION_OF(ImageExtTable, IMAGE);
#define HSA_IMAGE(name) HSA_SLOT(name)
#include <hsa/hsa_api_tables.def>
  return table;
}
constexpr PcSamplingExtTable pc_sampling_bodies() noexcept {
  PcSamplingExtTable table{};
  table.version = HSA_VERSION_OF(PcSamplingExtTable, PC_SAMPLING);
#define HSA_PC_SAMPLING(name) HSA_SLOT(name)
#include <hsa/hsa_api_tables.def>
  return table;
}
// Tools ask before they fill their functions in that the table is there; no event is ever told.
constexpr ToolsApiTable no_tools() noexcept {
  ToolsApiTable table{};
  table.version = HSA_VERSION_OF(ToolsApiTable, TOOLS);
  return table;
}
#undef HSA_SLOT

} // namespace

extern "C" {
#define HSA_TABLE [[gnu::visibility("hidden"), gnu::used]] constinit
HSA_TABLE CoreApiTable omnihip_hsa_core_table = core_bodies();
HSA_TABLE AmdExtTable omnihip_hsa_amd_table = amd_bodies();
HSA_TABLE FinalizerExtTable omnihip_hsa_finalizer_table = finalizer_bodies();
HSA_TABLE ImageExtTable omnihip_hsa_image_table = image_bodies();
HSA_TABLE PcSamplingExtTable omnihip_hsa_pc_sampling_table = pc_sampling_bodies();
#undef HSA_TABLE
}

namespace hip::hsa {

namespace {
constinit ToolsApiTable tools_table = no_tools();
constinit HsaApiTable root_table = {{HSA_API_TABLE_MAJOR_VERSION, sizeof(HsaApiTable), HSA_API_TABLE_STEP_VERSION, 0},
                                    &omnihip_hsa_core_table,
                                    &omnihip_hsa_amd_table,
                                    &omnihip_hsa_finalizer_table,
                                    &omnihip_hsa_image_table,
                                    &tools_table,
                                    &omnihip_hsa_pc_sampling_table};
} // namespace

HsaApiTable& api_table() noexcept { return root_table; }

void reset_api_table() noexcept {
  omnihip_hsa_core_table = core_bodies();
  omnihip_hsa_amd_table = amd_bodies();
  omnihip_hsa_finalizer_table = finalizer_bodies();
  omnihip_hsa_image_table = image_bodies();
  omnihip_hsa_pc_sampling_table = pc_sampling_bodies();
  tools_table = no_tools();
}

namespace {

// The place of a function in the tables; null: it has none.
void** slot_of(std::string_view name) noexcept {
#define HSA_CORE(function)                                                                                             \
  if (name == #function) return reinterpret_cast<void**>(&omnihip_hsa_core_table.function##_fn);
#define HSA_AMD(function)                                                                                              \
  if (name == #function) return reinterpret_cast<void**>(&omnihip_hsa_amd_table.function##_fn);
#include <hsa/hsa_api_tables.def>
  return nullptr;
}

} // namespace

void check_api_table() {
  Result<hsa_check::Mode> mode = hsa_check::mode();
  if (!mode.ok()) return log(LogLevel::Error, "{}", mode.status().message());
  if (*mode == hsa_check::Mode::Off) return;
  const auto lookup = [](const char* name) {
    void** const slot = slot_of(name);
    return slot ? *slot : nullptr;
  };
  if (Status status = hsa_check::start(*mode, lookup); !status.ok())
    return log(LogLevel::Error, "{}", status.message());
#define HSA_CORE(function)                                                                                             \
  if (void* const checking = hsa_check::checking(#function)) *slot_of(#function) = checking;
#define HSA_AMD(function) HSA_CORE(function)
#include <hsa/hsa_api_tables.def>
}

} // namespace hip::hsa

// ---- the exported functions --------------------------------------------------------------------------------------

// A jump passes all arguments on, whatever they are. The assembler counts the slots: the rows are those that the
// tables' members were made of, in the same order.
#if !defined(__x86_64__)
#error "libhsa-runtime64's exported functions are written for x86-64."
#endif
static_assert(sizeof(ApiTableVersion) == 16);

#define HSA_JUMP(name, table, slot)                                                                                    \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n.p2align 4\n" #name ":\n  endbr64\n  jmp *" table       \
          "+" slot "(%rip)\n.size " #name ", .-" #name "\n");
#define HSA_NEXT_SLOT __asm__(".set omnihip_slot, omnihip_slot + 8\n");
#define HSA_FIRST_SLOT __asm__(".set omnihip_slot, 16\n");
#define HSA_EXPORT(name, table)                                                                                        \
  HSA_JUMP(name, table, "omnihip_slot")                                                                                \
  __asm__(".set omnihip_slot_of_" #name ", omnihip_slot\n");                                                           \
  HSA_NEXT_SLOT

HSA_FIRST_SLOT
#define HSA_CORE(name) HSA_EXPORT(name, "omnihip_hsa_core_table")
#include <hsa/hsa_api_tables.def>
HSA_FIRST_SLOT
#define HSA_AMD(name) HSA_EXPORT(name, "omnihip_hsa_amd_table")
#define HSA_AMD_HIDDEN(name) HSA_NEXT_SLOT
#include <hsa/hsa_api_tables.def>
HSA_FIRST_SLOT
#define HSA_FINALIZER(name) HSA_EXPORT(name, "omnihip_hsa_finalizer_table")
#include <hsa/hsa_api_tables.def>
HSA_FIRST_SLOT
#define HSA_IMAGE(name) HSA_EXPORT(name, "omnihip_hsa_image_table")
#include <hsa/hsa_api_tables.def>
HSA_FIRST_SLOT
#define HSA_PC_SAMPLING(name) HSA_EXPORT(name, "omnihip_hsa_pc_sampling_table")
#include <hsa/hsa_api_tables.def>

#define HSA_OLDER(older, name) HSA_JUMP(older, "omnihip_hsa_core_table", "omnihip_slot_of_" #name)
#define HSA_UNTABLED(name)                                                                                             \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n.p2align 4\n" #name                                     \
          ":\n  endbr64\n  jmp omnihip_" #name "\n.size " #name ", .-" #name "\n");
#include "runtime/hsa/exports.def"
