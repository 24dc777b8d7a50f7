// Knowledge: merging, and as lines of text.
#include "knowledge.h"

#include <algorithm>
#include <charconv>

namespace hip::hipify {
namespace {

std::vector<ByteRange> intersection(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  std::vector<ByteRange> both;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const uint32_t begin = std::max(a[i].first, b[k].first), end = std::min(a[i].second, b[k].second);
    if (begin < end) both.emplace_back(begin, end);
    (a[i].second < b[k].second ? i : k)++;
  }
  return both;
}

// Lines of words; the last word of a line may hold blanks.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string_view next_word(std::string_view& line) {
  const size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

template<class Number = uint32_t> Number next_number(std::string_view& line) {
  const std::string_view word = next_word(line);
  Number number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

} // namespace

void FileKnowledge::add_reading(const std::vector<ByteRange>& skipped) {
  dead_ = was_read_ ? intersection(dead_, skipped) : skipped;
  was_read_ = true;
}

void FileKnowledge::merge(const FileKnowledge& other) {
  for (const auto& [offset, bits] : other.tokens_) add(offset, bits);
  if (other.was_read_) add_reading(other.dead_);
}

bool FileKnowledge::is_dead(uint32_t offset) const {
  const auto behind = std::upper_bound(dead_.begin(), dead_.end(), ByteRange(offset, UINT32_MAX));
  return behind != dead_.begin() && offset < std::prev(behind)->second;
}

void ProgramKnowledge::merge_files(const ProgramKnowledge& other) {
  for (const auto& [path, file] : other.files) files[path].merge(file);
}

std::string to_text(const ProgramKnowledge& knowledge) {
  std::string text;
  const auto line = [&](std::initializer_list<std::string> words) {
    for (const std::string& word : words) text.append(text.empty() || text.back() == '\n' ? "" : " ").append(word);
    text += '\n';
  };
  for (const auto& [path, file] : knowledge.files) {
    line({"file", one_line(path)});
    for (const auto& [offset, bits] : file.tokens()) line({"token", std::to_string(offset), std::to_string(bits)});
    for (const auto& [begin, end] : file.dead()) line({"skip", std::to_string(begin), std::to_string(end)});
    if (file.was_read()) line({"read"});
  }
  for (const std::string& header : knowledge.missing_headers) line({"missing", one_line(header)});
  line({"errors", std::to_string(knowledge.error_count)});
  for (const ParseError& error : knowledge.errors) {
    line({"in", one_line(error.file)});
    line({"error", std::to_string(error.line), std::to_string(error.column), one_line(error.message)});
  }
  if (knowledge.complete) line({"end"});
  return text;
}

ProgramKnowledge from_text(std::string_view text) {
  ProgramKnowledge knowledge;
  FileKnowledge* file = nullptr;
  std::string error_file;
  std::vector<ByteRange> skipped;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break; // a line that was cut off
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::string_view word = next_word(line);
    if (word == "file") {
      file = &knowledge.files[std::string(line)];
      skipped.clear();
    } else if (word == "token" && file) {
      const uint32_t offset = next_number(line);
      file->add(offset, next_number<TokenBits>(line));
    } else if (word == "skip") {
      const uint32_t begin = next_number(line);
      skipped.emplace_back(begin, next_number(line));
    } else if (word == "read" && file) {
      file->add_reading(skipped);
    } else if (word == "missing") {
      knowledge.missing_headers.emplace(line);
    } else if (word == "errors") {
      knowledge.error_count = next_number<uint64_t>(line);
    } else if (word == "in") {
      error_file = line;
    } else if (word == "error") {
      const uint32_t number = next_number(line), column = next_number(line);
      knowledge.errors.push_back({error_file, number, column, std::string(line)});
    } else if (word == "end") {
      knowledge.complete = true;
    }
  }
  return knowledge;
}

} // namespace hip::hipify
