// All inputs: sources first; then the headers among them that no source included, as if they were sources.
#include "exact/parser.h"

#include "exact/child.h"
#include "exact/command.h"
#include "files.h"
#include "parallel.h"
#include "passes.h"

#include <cstdlib>
#include <fstream>
#include <mutex>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

std::string real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path : real).string();
}

bool is_header(const fs::path& path) {
  const std::string extension = path.extension().string();
  for (std::string_view header : {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".hdl", ".H"}) {
    if (extension == header) return true;
  }
  return false;
}

// A folder of this run's own, for the text of standard input.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string& parent) {
    std::error_code error;
    const fs::path folder = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
    std::string name = (folder / "hipify-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw HipifyError("no folder can be made in '" + folder.string() + "'");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

// An error that the source is not to blame for: a name of CUDA's libraries, which no header of ours declares.
bool is_of_table(const std::string& message) {
  for (size_t at = 0; (at = message.find('\'', at)) != std::string::npos;) {
    const size_t end = message.find('\'', at + 1);
    if (end == std::string::npos) return false;
    const std::string name = message.substr(at + 1, end - at - 1);
    Row row;
    if (find_row(name, row) || looks_like_cuda(name)) return true;
    at = end + 1;
  }
  return false;
}

class Parser {
public:
  Parser(const Options& options, const std::vector<Input>& inputs)
      : options_(options), inputs_(inputs), commands_(options.exact) {
    program_.sources.resize(inputs.size());
    for (const Input& input : inputs) {
      if (input.source != input.path)
        remapped_.insert(remapped_.end(),
                         {"-Xclang", "-remap-file", "-Xclang", real_path(input.path) + ";" + real_path(input.source)});
    }
  }

  ParsedProgram run() {
    std::vector<size_t> sources, headers;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].error.empty()) (is_header(inputs_[i].path) ? headers : sources).push_back(i);
    }
    parse(sources);
    std::erase_if(headers, [&](size_t i) {
      program_.sources[i].file = real_path(inputs_[i].path);
      const auto known = program_.files.find(program_.sources[i].file);
      return known != program_.files.end() && known->second.was_read();
    });
    parse(headers);
    return std::move(program_);
  }

private:
  void parse(const std::vector<size_t>& which) {
    in_parallel(options_.jobs, which.size(), [&](size_t i) { parse_one(which[i]); });
  }

  void parse_one(size_t number) {
    const Input& input = inputs_[number];
    ParsedProgram::Source& source = program_.sources[number];
    try {
      const fs::path path = place_of(input);
      source.file = real_path(path);
      const std::string text = input.path == "-" ? input.text : read_source(input.source);
      std::vector<std::string> words;
      for (const std::string& folder : commands_.cuda_folders()) words.insert(words.end(), {"-f", folder});
      const SourceLanguage language = language_of(input.path, text);
      for (Side side : {Side::Host, Side::Device}) {
        if (side == Side::Device && language != SourceLanguage::Cuda) continue;
        std::vector<std::string> command = commands_.command(source.file, language, side, input.words, input.directory);
        command.insert(command.end() - 1, remapped_.begin(), remapped_.end());
        words.push_back("--");
        words.insert(words.end(), command.begin(), command.end());
      }
      const ChildResult result = run_child(words, input.directory.string());
      const std::lock_guard lock(mutex_);
      for (const auto& [name, file] : result.knowledge.files) program_.files[name].merge(file);
      judge(input, result, source);
    } catch (const HipifyError&) {
      // The conversion will meet the same fault of the file.
    }
  }

  fs::path place_of(const Input& input) {
    if (input.path != "-") return fs::absolute(input.path);
    const std::lock_guard lock(mutex_);
    if (!folder_) folder_ = std::make_unique<TemporaryFolder>(options_.exact.temporary_directory);
    const fs::path place = folder_->path() / "stdin.cu";
    std::ofstream(place, std::ios::binary) << input.text;
    return place;
  }

  static SourceLanguage language_of(const fs::path& path, const std::string& text) {
    const std::string extension = path.extension().string();
    const bool cuda = extension == ".cu" || extension == ".cuh" || path == "-" ||
                      text.find("__global__") != std::string::npos || text.find("__device__") != std::string::npos ||
                      text.find("<<<") != std::string::npos;
    if (cuda) return SourceLanguage::Cuda;
    return extension == ".c" ? SourceLanguage::C : SourceLanguage::Cpp;
  }

  void judge(const Input& input, const ChildResult& result, ParsedProgram::Source& source) const {
    if (!result.failure.empty()) {
      const std::string what = "clang, reading '" + input.path.string() + "', " + result.failure;
      if (!options_.exact.fall_back && !is_header(input.path))
        source.error = what + "; the file is not converted: -fallback converts it by the quick form";
      else
        look(source, 1, what + "; the quick form converted the file");
      return;
    }
    source.parsed = true;
    missing_headers(result.knowledge, source);
    if (is_header(input.path) && !options_.exact.strict) return; // a header alone need not compile
    for (const ParseError& error : result.knowledge.errors) {
      if (is_of_table(error.message)) continue;
      const std::string place = error.file.empty() ? "" : error.file + ":" + std::to_string(error.line) + ": ";
      const std::string count = std::to_string(result.knowledge.error_count);
      if (options_.exact.strict) {
        source.error = "'" + input.path.string() + "' does not compile (" + count + " errors; " + place +
                       error.message + ") and is not converted";
      } else {
        const bool here = real_path(error.file) == source.file;
        look(source, here ? error.line : 1,
             "clang finds " + count + " errors in this source, this first: " + (here ? "" : place) + error.message +
                 "; what it did not understand is converted by the table alone");
      }
      return;
    }
  }

  static void missing_headers(const ProgramKnowledge& knowledge, ParsedProgram::Source& source) {
    std::string names;
    for (const std::string& header : knowledge.missing_headers) {
      Row row;
      if (find_row(header, row) || header.starts_with("cub/") || header.starts_with("cuda/") ||
          header.starts_with("thrust/"))
        continue;
      names.append(names.empty() ? "" : ", ").append(header);
    }
    if (!names.empty())
      look(source, 1, "headers are not found (-I names their folders), and what they declare is not known: " + names);
  }

  static void look(ParsedProgram::Source& source, uint32_t line, std::string message) {
    Finding& finding = source.findings.emplace_back();
    finding.kind = Finding::Kind::Look;
    finding.line = line;
    finding.column = 1;
    finding.message = std::move(message);
  }

  const Options& options_;
  const std::vector<Input>& inputs_;
  Commands commands_;
  std::vector<std::string> remapped_; // inputs that were converted in place before are read as they were
  ParsedProgram program_;
  std::mutex mutex_; // program_.files, folder_
  std::unique_ptr<TemporaryFolder> folder_;
};

} // namespace

ParsedProgram parse_program(const Options& options, const std::vector<Input>& inputs) {
  return Parser(options, inputs).run();
}

} // namespace hip::hipify
