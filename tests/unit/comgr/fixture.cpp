#include "fixture.h"

namespace comgr_test {

const char* const kScale = R"(
__attribute__((device)) int calls = 7;
extern "C" __attribute__((global)) void scale(float* p, float f) {
  p[__builtin_amdgcn_workitem_id_x()] *= f;
}
)";

Data::Data(amd_comgr_data_kind_t kind, const std::string& name, const std::string& bytes) {
  COMGR_OK(amd_comgr_create_data(kind, &data_));
  COMGR_OK(amd_comgr_set_data(data_, bytes.size(), bytes.data()));
  COMGR_OK(amd_comgr_set_data_name(data_, name.c_str()));
}

std::string Data::bytes() const {
  size_t size = 0;
  COMGR_OK(amd_comgr_get_data(data_, &size, nullptr));
  std::string out(size, '\0');
  COMGR_OK(amd_comgr_get_data(data_, &size, out.data()));
  return out;
}

std::string Data::name() const {
  size_t size = 0;
  COMGR_OK(amd_comgr_get_data_name(data_, &size, nullptr));
  std::string out(size, '\0');
  COMGR_OK(amd_comgr_get_data_name(data_, &size, out.data()));
  out.pop_back();
  return out;
}

size_t Set::count(amd_comgr_data_kind_t kind) const {
  size_t count = 0;
  COMGR_OK(amd_comgr_action_data_count(set_, kind, &count));
  return count;
}

Data Set::get(amd_comgr_data_kind_t kind, size_t index) const {
  amd_comgr_data_t data{};
  COMGR_OK(amd_comgr_action_data_get_data(set_, kind, index, &data));
  return Data(data);
}

Info::Info(amd_comgr_language_t language, const char* isa) {
  COMGR_OK(amd_comgr_create_action_info(&info_));
  COMGR_OK(amd_comgr_action_info_set_language(info_, language));
  COMGR_OK(amd_comgr_action_info_set_isa_name(info_, isa));
  COMGR_OK(amd_comgr_action_info_set_logging(info_, true));
}

void Info::options(std::vector<const char*> list) {
  COMGR_OK(amd_comgr_action_info_set_option_list(info_, list.data(), list.size()));
}

Outcome act(amd_comgr_action_kind_t kind, const Info& info, std::initializer_list<const Data*> inputs, Set& result) {
  Set input;
  for (const Data* data : inputs) COMGR_OK(amd_comgr_data_set_add(input, *data));
  Outcome out{amd_comgr_do_action(kind, info, input, result), ""};
  if (result.count(AMD_COMGR_DATA_KIND_LOG)) out.log = result.get(AMD_COMGR_DATA_KIND_LOG).bytes();
  return out;
}

Data make(amd_comgr_action_kind_t kind, const Info& info, std::initializer_list<const Data*> inputs,
          amd_comgr_data_kind_t to) {
  Set result;
  const Outcome outcome = act(kind, info, inputs, result);
  INFO(outcome.log);
  COMGR_OK(outcome.status);
  REQUIRE(result.count(to) == 1);
  return result.get(to);
}

Data scale_source() { return Data(AMD_COMGR_DATA_KIND_SOURCE, "scale.hip", kScale); }

} // namespace comgr_test
