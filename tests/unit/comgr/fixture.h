// Objects of comgr that end with their scope, and the programs that the tests compile.
#pragma once

#include <amd_comgr/amd_comgr.h>
#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace comgr_test {

constexpr const char* kIsa = "amdgcn-amd-amdhsa--gfx942";

#define COMGR_OK(...) REQUIRE((__VA_ARGS__) == AMD_COMGR_STATUS_SUCCESS)
#define COMGR_INVALID(...) CHECK((__VA_ARGS__) == AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT)

class Data {
public:
  Data(amd_comgr_data_kind_t kind, const std::string& name, const std::string& bytes);
  explicit Data(amd_comgr_data_t data) : data_(data) {}
  ~Data() { amd_comgr_release_data(data_); }
  Data(Data&& other) noexcept : data_(std::exchange(other.data_, {})) {}
  operator amd_comgr_data_t() const { return data_; }
  std::string bytes() const;
  std::string name() const;

private:
  amd_comgr_data_t data_{};
};

class Set {
public:
  Set() { COMGR_OK(amd_comgr_create_data_set(&set_)); }
  ~Set() { amd_comgr_destroy_data_set(set_); }
  Set(const Set&) = delete;
  operator amd_comgr_data_set_t() const { return set_; }
  size_t count(amd_comgr_data_kind_t kind) const;
  Data get(amd_comgr_data_kind_t kind, size_t index = 0) const;

private:
  amd_comgr_data_set_t set_{};
};

class Info {
public:
  explicit Info(amd_comgr_language_t language = AMD_COMGR_LANGUAGE_NONE, const char* isa = kIsa);
  ~Info() { amd_comgr_destroy_action_info(info_); }
  Info(const Info&) = delete;
  operator amd_comgr_action_info_t() const { return info_; }
  void options(std::vector<const char*> list);

private:
  amd_comgr_action_info_t info_{};
};

struct Outcome {
  amd_comgr_status_t status;
  std::string log;
};
Outcome act(amd_comgr_action_kind_t kind, const Info& info, std::initializer_list<const Data*> inputs, Set& result);
// An action that succeeds, and its one result.
Data make(amd_comgr_action_kind_t kind, const Info& info, std::initializer_list<const Data*> inputs,
          amd_comgr_data_kind_t to);

// A kernel without any header: scale(p, f) multiplies p[i] by f.
extern const char* const kScale;
Data scale_source();

} // namespace comgr_test
