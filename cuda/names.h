// cuda/names.h - the porting tool's table (hipify/table/cuda2hip.tsv) read the other way: which names of CUDA a name of
// HIP has.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hip::cuda {

// CUDA has two interfaces where HIP has one: cuda... and CU... Every name belongs to one of them.
enum class Interface { Runtime, Driver };
Interface interface_of(const std::string& cuda_name);

struct Name {
  std::string cuda, hip, kind;
  bool supported; // HIP has a counterpart
};

class Names {
public:
  // Throws std::runtime_error when the file cannot be read or a row is short.
  explicit Names(const std::string& path);

  const std::vector<Name>& rows() const { return rows_; }
  // All names of one interface for a name of HIP, of one kind ("type", "enum_value", ...), in the table's order.
  std::vector<std::string> cuda_names(const std::string& hip, Interface interface, const std::string& kind) const;
  // The name by which CUDA's headers of this interface call a type of HIP: never a tag ("..._st", "..._enum") where
  // there is another. Empty when CUDA has none.
  std::string type_name(const std::string& hip, Interface interface) const;

private:
  std::vector<Name> rows_;
  std::multimap<std::string, size_t> by_hip_;
};

bool is_tag(const std::string& name);

} // namespace hip::cuda
