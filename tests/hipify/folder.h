// tests/hipify/folder.h - a folder of files, and programs of the SDK that run in it.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hipify-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }

  void write(const char* name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string read(const char* name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    if (!file) return "(no file)";
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // Names of all files, sorted, to see that nothing is left over.
  std::string files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) names.push_back(std::filesystem::relative(entry.path(), path_).string());
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    return all;
  }

  // Runs a program of the SDK in the folder; output and errors of the last run are in `out` and `err`.
  int run(const std::string& command) {
    const std::filesystem::path streams = std::filesystem::path(path_.string() + "-streams");
    const std::string line = "cd '" + path_.string() + "' && '" OMNIHIP_SDK_DIR "/bin/'" + command + " >'" +
                             streams.string() + ".out' 2>'" + streams.string() + ".err'";
    const int status = std::system(line.c_str());
    auto take = [&](const char* suffix) {
      std::ifstream file(streams.string() + suffix, std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      std::filesystem::remove(streams.string() + suffix);
      return text.str();
    };
    out = take(".out");
    err = take(".err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string out, err;

private:
  std::filesystem::path path_;
};
