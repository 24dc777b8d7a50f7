// Inputs and outputs.
#include "inputs.h"

#include "compile_commands.h"
#include "files.h"

#include <map>
#include <set>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

// One way to write a path, for comparisons.
std::string key_of(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : real).string();
}

class InputFinder {
public:
  InputFinder(const Options& options, std::vector<std::string>& skipped) : options_(options), skipped_(skipped) {
    for (const std::string& folder : options.excluded_directories) excluded_directories_.insert(key_of(folder));
    for (const std::string& file : options.excluded_files) excluded_files_.insert(key_of(file));
  }

  std::vector<Input> run() {
    if (!options_.build_path.empty()) add_database(fs::path(options_.build_path) / "compile_commands.json");
    for (const std::string& word : options_.inputs) {
      const fs::path path(word);
      std::error_code error;
      if (path.filename() == "compile_commands.json") {
        add_database(path);
      } else if (word != "-" && fs::is_directory(path, error)) {
        if (options_.destination == Options::Destination::StandardOutput ||
            options_.destination == Options::Destination::File)
          throw HipifyError("'" + word +
                            "' is a folder: say where its files go with -o-dir or -inplace, or use -examine");
        for (const fs::path& file : find_sources(path)) add(file, fs::relative(file, path, error));
      } else {
        add(path, path.filename());
      }
    }
    if (options_.destination == Options::Destination::File && inputs_.size() > 1)
      throw HipifyError("-o names one file, and there are " + std::to_string(inputs_.size()) + " inputs; use -o-dir");
    for (Input& input : inputs_) check(input);
    return std::move(inputs_);
  }

private:
  void add_database(const fs::path& database) {
    for (const CompileCommand& command : read_compile_commands(read_source(database), database.string())) {
      const fs::path& file = command.file;
      if (!is_source_name(file)) continue; // assembler and the like
      std::error_code error;
      fs::path place = fs::relative(file, fs::absolute(database, error).parent_path(), error);
      if (error || place.empty() || *place.begin() == "..") place = file.filename();
      add(file, place, command);
    }
  }

  // `place`: where the file is in the folder that was named, and goes in that of -o-dir.
  void add(const fs::path& path, const fs::path& place, const CompileCommand& command = {}) {
    const std::string key = key_of(path);
    if (path != "-" && !known_.insert(key).second) return;
    if (is_excluded(path, key)) {
      skipped_.push_back(path.string());
      return;
    }
    Input input;
    input.path = path;
    input.words = command.words;
    input.directory = command.directory;
    // A file that was converted in place before is converted anew from what it was.
    const bool again =
        options_.destination == Options::Destination::InPlace && options_.backup && fs::exists(backup_of(path));
    input.source = again ? backup_of(path) : path;
    if (options_.destination == Options::Destination::File) input.output = options_.output;
    if (options_.destination == Options::Destination::Directory) input.output = fs::path(options_.output) / place;
    if (options_.destination == Options::Destination::InPlace) input.output = path;
    inputs_.push_back(std::move(input));
  }

  bool is_excluded(const fs::path& path, const std::string& key) const {
    if (excluded_files_.contains(key)) return true;
    for (const std::string& name : options_.excluded_files) {
      if (path == name || path.filename() == name) return true;
    }
    for (fs::path folder = fs::path(key).parent_path(); !folder.empty(); folder = folder.parent_path()) {
      if (excluded_directories_.contains(folder.string())) return true;
      for (const std::string& name : options_.excluded_directories) {
        if (folder.filename() == name) return true;
      }
      if (folder == folder.parent_path()) break;
    }
    return false;
  }

  void check(Input& input) {
    if (input.output.empty()) return;
    if (options_.destination == Options::Destination::InPlace) {
      if (input.path == "-") input.error = "standard input cannot be changed in place; use -o";
      return;
    }
    if (input.path == "-" && options_.destination == Options::Destination::Directory) {
      input.error = "standard input has no name for -o-dir; use -o";
      return;
    }
    if (is_same_file(input.path, input.output)) {
      input.error =
          "the output '" + input.output.string() + "' is the input itself; -inplace changes files where they are";
      return;
    }
    const auto [other, added] = outputs_.try_emplace(key_of(input.output), input.path.string());
    if (!added) input.error = "the output '" + input.output.string() + "' is that of '" + other->second + "' already";
  }

  const Options& options_;
  std::vector<std::string>& skipped_;
  std::vector<Input> inputs_;
  std::set<std::string> excluded_directories_, excluded_files_, known_;
  std::map<std::string, std::string> outputs_; // and whose they are
};

} // namespace

fs::path backup_of(const fs::path& path) { return path.string() + ".prehip"; }

std::vector<Input> find_inputs(const Options& options, std::vector<std::string>& skipped) {
  return InputFinder(options, skipped).run();
}

} // namespace hip::hipify
