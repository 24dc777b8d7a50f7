// A folder that goes away with all it holds.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace hip {

class TemporaryFolder {
public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "omnihip-test-XXXXXX").string()) {
    REQUIRE(mkdtemp(path_.data()));
  }
  ~TemporaryFolder() {
    std::error_code ec;
    std::filesystem::remove_all(path_, ec);
  }
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace hip
