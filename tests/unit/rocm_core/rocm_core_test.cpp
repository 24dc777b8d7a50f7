// ROCm's version and place, as librocm-core tells them.
#include "environment_variable.h"

#include <catch2/catch.hpp>
#include <rocm-core/rocm_getpath.h>
#include <rocm-core/rocm_version.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>

namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  REQUIRE(std::getline(in, line));
  return line;
}

std::string install_path() {
  char* path = nullptr;
  unsigned int length = 0;
  REQUIRE(getROCmInstallPath(&path, &length) == PathSuccess);
  REQUIRE(path);
  const std::string text = path;
  std::free(path);
  CHECK(length == text.size());
  return text;
}

} // namespace

TEST_CASE("Library, header and the file that scripts read tell one version") {
  unsigned int major = 99, minor = 99, patch = 99;
  CHECK(getROCmVersion(&major, &minor, &patch) == VerSuccess);
  const std::string version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  CHECK(version == first_line(OMNIHIP_SDK_DIR "/.info/version"));
  CHECK(major == ROCM_VERSION_MAJOR);
  CHECK(minor == ROCM_VERSION_MINOR);
  CHECK(patch == ROCM_VERSION_PATCH);
  CHECK(std::string(ROCM_BUILD_INFO).rfind(version + ".", 0) == 0);

  CHECK(getROCmVersion(nullptr, &minor, &patch) == VerIncorrecPararmeters);
  CHECK(getROCmVersion(&major, nullptr, &patch) == VerIncorrecPararmeters);
  CHECK(getROCmVersion(&major, &minor, nullptr) == VerIncorrecPararmeters);
}

TEST_CASE("The build's description is a line on standard output") {
  FILE* const file = std::tmpfile();
  REQUIRE(file);
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  REQUIRE(dup2(fileno(file), STDOUT_FILENO) == STDOUT_FILENO);
  const VerErrors result = printBuildInfo();
  std::fflush(stdout);
  REQUIRE(dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
  close(saved);
  CHECK(result == VerSuccess);
  std::rewind(file);
  std::string text(200, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  CHECK(text.find(ROCM_BUILD_INFO) != std::string::npos);
  CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("The place is the folder above the library's, with its links resolved") {
  const hip::EnvironmentVariable none("ROCM_PATH", "");
  CHECK(install_path() == std::filesystem::canonical(OMNIHIP_SDK_DIR).string() + "/");
}

TEST_CASE("ROCM_PATH is the place where it is set, with one slash at its end") {
  const std::pair<const char*, const char*> cases[] = {
      {"/some/where", "/some/where/"}, {"/some/where///", "/some/where/"}, {"/", "/"}, {"here", "here/"}};
  for (const auto& [value, expected] : cases) {
    CAPTURE(value);
    const hip::EnvironmentVariable variable("ROCM_PATH", value);
    CHECK(install_path() == expected);
  }
  char* path = nullptr;
  unsigned int length = 1;
  const hip::EnvironmentVariable longest("ROCM_PATH", ("/" + std::string(PATH_MAX - 3, 'a')).c_str());
  CHECK(install_path().size() == PATH_MAX - 1);
  const hip::EnvironmentVariable too_long("ROCM_PATH", ("/" + std::string(PATH_MAX - 2, 'a')).c_str());
  CHECK(getROCmInstallPath(&path, &length) == PathValuesTooLong);
  CHECK(path == nullptr);
  CHECK(length == 0);
}

TEST_CASE("Null pointers are refused") {
  char* path = nullptr;
  unsigned int length = 0;
  CHECK(getROCmInstallPath(nullptr, &length) == PathIncorrecPararmeters);
  CHECK(getROCmInstallPath(&path, nullptr) == PathIncorrecPararmeters);
}
