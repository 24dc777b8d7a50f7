// make_table <cuda2hip.tsv> <advice.tsv> <out.inc>: turns the two tables into C++ arrays, at build time. The program
// that is built with them starts without reading or sorting anything: names are offsets into one block of text, and a
// hash index finds a name's row. A row that breaks a rule (two rows of one name, an unknown kind or flag) fails the
// build.
#include "name_hash.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view kHeader = "cuda\thip\troc\tkind\tapi\tflags\tcuda_added\tcuda_deprecated\tcuda_removed\t"
                                     "hip_added\thip_deprecated\thip_removed";
// Columns of text before and behind the three columns that become enumerators.
constexpr size_t kColumns = 12, kKind = 3, kApi = 4, kFlags = 5;

using Names = std::map<std::string, std::string>;
const Names kKinds = {{"runtime_fn", "RuntimeFunction"},
                      {"driver_fn", "DriverFunction"},
                      {"rtc_fn", "RtcFunction"},
                      {"lib_fn", "LibraryFunction"},
                      {"device_fn", "DeviceFunction"},
                      {"lib_device_fn", "LibraryDeviceFunction"},
                      {"complex_fn", "ComplexFunction"},
                      {"type", "Type"},
                      {"device_type", "DeviceType"},
                      {"enum_value", "EnumValue"},
                      {"macro", "Macro"},
                      {"include", "Include"}};
const Names kApis = {{"runtime", "Runtime"},   {"driver", "Driver"},     {"NVRTC", "Nvrtc"}, {"cuComplex", "CuComplex"},
                     {"cuBLAS", "CuBlas"},     {"cuDNN", "CuDnn"},       {"cuFFT", "CuFft"}, {"cuRAND", "CuRand"},
                     {"cuSOLVER", "CuSolver"}, {"cuSPARSE", "CuSparse"}, {"CUB", "Cub"},     {"cuTENSOR", "CuTensor"},
                     {"NCCL", "Nccl"},         {"NVTX", "Nvtx"}};
const Names kFlagNames = {
    {"no-hip", "kNoHip"}, {"no-roc", "kNoRoc"}, {"experimental", "kExperimental"}, {"overloaded", "kOverloaded"}};

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(by, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::vector<std::vector<std::string>> read_rows(const std::string& path, std::string_view header, size_t columns) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line)) throw std::runtime_error(path + " cannot be read");
  if (line != header) throw std::runtime_error(path + ": the first line does not name the expected columns");
  std::vector<std::vector<std::string>> rows;
  for (size_t number = 2; std::getline(file, line); ++number) {
    rows.push_back(split(line, '\t'));
    if (rows.back().size() != columns || rows.back()[0].empty())
      throw std::runtime_error(path + ":" + std::to_string(number) + ": a row has " + std::to_string(columns) +
                               " columns, and the first is a name");
  }
  std::sort(rows.begin(), rows.end());
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][0] == rows[i - 1][0]) throw std::runtime_error(path + ": '" + rows[i][0] + "' has two rows");
  }
  return rows;
}

const std::string& enumerator(const Names& names, const std::string& name, const std::string& row) {
  const auto found = names.find(name);
  if (found == names.end()) throw std::runtime_error("the row of '" + row + "' has the unknown word '" + name + "'");
  return found->second;
}

// All text of the tables, every piece once.
class Pool {
public:
  std::string range(const std::string& text) {
    auto [place, added] = offsets_.try_emplace(text, text_.size());
    if (added) text_ += text;
    return "{" + std::to_string(place->second) + ", " + std::to_string(text.size()) + "}";
  }
  const std::string& text() const { return text_; }

private:
  std::map<std::string, size_t> offsets_;
  std::string text_;
};

void write_pool(std::ofstream& out, const std::string& text) {
  out << "constexpr char kText[] =";
  constexpr size_t kLineBytes = 100;
  for (size_t i = 0; i < text.size(); i += kLineBytes) {
    out << "\n    \"";
    for (char c : text.substr(i, kLineBytes)) {
      if (c == '"' || c == '\\') out << '\\';
      out << c;
    }
    out << '"';
  }
  out << ";\n";
}

void write(const std::string& table, const std::string& advice, const std::string& path) {
  const auto rows = read_rows(table, kHeader, kColumns);
  const auto advices = read_rows(advice, "prefix\tadvice", 2);
  std::ofstream out(path, std::ios::binary);
  out << "// Made by make_table from cuda2hip.tsv and advice.tsv; not edited by hand.\n";
  Pool pool;
  out << "constexpr PackedRow kRows[] = {\n";
  for (const auto& row : rows) {
    std::string flags;
    if (!row[kFlags].empty()) {
      for (const std::string& flag : split(row[kFlags], ','))
        flags += (flags.empty() ? "" : " | ") + enumerator(kFlagNames, flag, row[0]);
    }
    out << "    {";
    for (size_t i = 0; i < kColumns; ++i) {
      if (i != kKind && i != kApi && i != kFlags) out << pool.range(row[i]) << ", ";
    }
    out << "Kind::" << enumerator(kKinds, row[kKind], row[0]) << ", Api::" << enumerator(kApis, row[kApi], row[0])
        << ", " << (flags.empty() ? "0" : flags) << "},\n";
  }
  out << "};\nconstexpr PackedAdvice kAdvice[] = {\n";
  for (const auto& row : advices) out << "    {" << pool.range(row[0]) << ", " << pool.range(row[1]) << "},\n";
  out << "};\n";
  write_pool(out, pool.text());

  // Open addressing: a name's row is in the first slot from its hash on that does not hold another name's; 0 ends the
  // search.
  std::vector<size_t> slots(hip::hipify::kIndexSlots, 0);
  if (rows.size() * 2 > slots.size()) throw std::runtime_error("the index is more than half full: enlarge kIndexSlots");
  for (size_t i = 0; i < rows.size(); ++i) {
    size_t slot = hip::hipify::name_hash(rows[i][0]) % slots.size();
    while (slots[slot]) slot = (slot + 1) % slots.size();
    slots[slot] = i + 1;
  }
  out << "constexpr uint16_t kIndex[] = {";
  for (size_t i = 0; i < slots.size(); ++i) out << (i % 24 ? " " : "\n    ") << slots[i] << ",";
  out << "\n};\n";
  out.close();
  if (!out) throw std::runtime_error(path + " cannot be written");
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: make_table <cuda2hip.tsv> <advice.tsv> <out.inc>\n");
    return 2;
  }
  try {
    write(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_table: %s\n", error.what());
    return 1;
  }
}
