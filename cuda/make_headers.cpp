// make_headers <cuda2hip.tsv> <output folder> -- <HIP header>... -- <CUDA header written by hand>... -- <header of
// overloads>...
//
// Writes the bulk of CUDA's C headers from what HIP's headers declare and from the porting tool's table of names, at
// build time: enumerations whose enumerators have HIP's values, structures with HIP's layout and CUDA's names, and
// functions that call their counterpart. What a header written by hand declares is left to it, and so is what HIP has
// under other parameters: those functions are named there or nowhere. Structures that CUDA lays out otherwise than HIP
// are among what is written by hand, with conversions that the functions made here call. Declarations are real ones, no
// macros, because tools parse them.
#include "declarations.h"
#include "names.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

namespace hip::cuda {
namespace {

constexpr int kUnknown = 0x40000000; // OMNIHIP_CUDA_UNKNOWN of omnihip/config.h

// CUDA's number of a limit that HIP does not name, as the porting tool writes it; -1: none such.
int number_of_limit(const std::string& name) {
  constexpr std::string_view kLimit = "(hipLimit_t)";
#define HIPIFY_NUMBER(cuda, value, defined, note)
#define HIPIFY_ENUMERATOR(cuda, hip, note)                                                                             \
  if (name == #cuda && std::string_view(hip).starts_with(kLimit))                                                      \
    return std::stoi(std::string(std::string_view(hip).substr(kLimit.size())));
#include "hipify/numbers.def"
  return -1;
}

// The value of CUDA's name for an enumerator of HIP: that enumerator, except where CUDA asks for one of several numbers
// that HIP has behind one attribute of a device. HIP's attribute then gives the first one, the width.
std::string enumerator_value(const std::string& cuda, const std::string& hip) {
  if (cuda == "cudaDevAttrGpuOverlap" || cuda == "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP")
    return "hipDeviceAttributeDeviceOverlap"; // whether there are copy engines; the table names their number
  if (!cuda.starts_with("cudaDevAttr") && !cuda.starts_with("CU_DEVICE_ATTRIBUTE_")) return hip;
  struct Dimension {
    const char *runtime, *driver;
    int element; // of the array in hipDeviceProp_t
  };
  for (const auto& [runtime, driver, element] :
       {Dimension{"Height", "HEIGHT", 1}, Dimension{"Depth", "DEPTH", 2}, Dimension{"Pitch", "PITCH", 2}}) {
    const bool named = cuda.find(runtime) != std::string::npos || cuda.find(driver) != std::string::npos;
    if (named && hip.find(runtime) == std::string::npos)
      return "OMNIHIP_CUDA_ELEMENT(" + hip + ", " + std::to_string(element) + ")";
  }
  return hip;
}

// Attributes of launches that HIP has no name for. Launches know CUDA's numbers.
struct LaunchAttribute {
  const char *runtime, *driver;
  int number;
};
constexpr LaunchAttribute kLaunchAttributes[] = {
    {"cudaLaunchAttributeIgnore", "CU_LAUNCH_ATTRIBUTE_IGNORE", 0},
    {"cudaLaunchAttributeProgrammaticStreamSerialization", "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION", 6},
    {"cudaLaunchAttributeProgrammaticEvent", "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT", 7},
    {"cudaLaunchAttributePreferredClusterDimension", "CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION", 11},
    {"cudaLaunchAttributeLaunchCompletionEvent", "CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT", 12},
    {"cudaLaunchAttributeDeviceUpdatableKernelNode", "CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE", 13},
    {"cudaLaunchAttributePreferredSharedMemoryCarveout", "CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT", 14},
};

// Members that CUDA's structure has and HIP's has not: those of a union, or those that lie where HIP's structure has
// the member `instead`.
struct MoreMembers {
  const char *structure, *instead, *members;
};
constexpr MoreMembers kMoreMembers[] = {
    {"cudaMemPoolProps", "  unsigned char reserved[56];\n", "  unsigned short usage;\n  unsigned char reserved[54];\n"},
    {"CUmemPoolProps", "  unsigned char reserved[56];\n", "  unsigned short usage;\n  unsigned char reserved[54];\n"},
    {"cudaLaunchAttributeValue", "",
     "  int programmaticStreamSerializationAllowed;\n"
     "  struct { cudaEvent_t event; int flags; int triggerAtBlockStart; } programmaticEvent;\n"
     "  struct { unsigned int x, y, z; } preferredClusterDim;\n"
     "  struct { cudaEvent_t event; int flags; } launchCompletionEvent;\n"
     "  struct { int deviceUpdatable; cudaGraphDeviceNode_t devNode; } deviceUpdatableKernelNode;\n"
     "  unsigned int sharedMemCarveout;\n"},
    {"CUlaunchAttributeValue", "",
     "  int programmaticStreamSerializationAllowed;\n"
     "  struct { CUevent event; int flags; int triggerAtBlockStart; } programmaticEvent;\n"
     "  struct { unsigned int x, y, z; } preferredClusterDim;\n"
     "  struct { CUevent event; int flags; } launchCompletionEvent;\n"
     "  struct { int deviceUpdatable; CUgraphDeviceNode devNode; } deviceUpdatableKernelNode;\n"
     "  unsigned int sharedMemCarveout;\n"},
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The functions that convert a structure of CUDA's own layout; OMNIHIP_CUDA_CONVERSIONS of omnihip/config.h defines
// both.
std::string to_hip(const std::string& structure) { return "__omnihip_to_hip_" + structure; }
std::string to_cuda(const std::string& structure) { return "__omnihip_to_cuda_" + structure; }

// Names that headers written by hand declare: functions behind their result's type, types behind their keyword, the
// last word of a typedef, and conversions to HIP.
std::set<std::string> declared_names(const std::string& text) {
  std::set<std::string> names;
  const Tokens tokens = tokens_of(text, nullptr);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string& next = tokens[i + 1];
    const bool type = tokens[i].starts_with("cuda") || tokens[i].starts_with("CU") || tokens[i] == "*";
    if (type && i + 2 < tokens.size() && tokens[i + 2] == "(") names.insert(next);
    if (tokens[i] == "struct" && i > 0 && (tokens[i - 1] == "typedef" || tokens[i - 1] == "const")) names.insert(next);
    const bool defined = i + 2 < tokens.size() && tokens[i + 2] == "{";
    if (defined && (tokens[i] == "struct" || tokens[i] == "enum" || tokens[i] == "union")) names.insert(next);
    if (next == ";" && is_identifier(tokens[i])) names.insert(tokens[i]);
    if (tokens[i] == "OMNIHIP_CUDA_CONVERSIONS" && i + 2 < tokens.size()) names.insert(to_hip(tokens[i + 2]));
  }
  return names;
}

class Writer {
public:
  // by_hand: declared elsewhere. overloaded: other forms are declared elsewhere, so the name is there even where no C
  // function is.
  Writer(const Names& names, const Declarations& hip, std::set<std::string> by_hand, std::set<std::string> overloaded)
      : names_(names), hip_(hip), by_hand_(std::move(by_hand)), overloaded_(std::move(overloaded)) {}

  std::string types(Interface interface) {
    text_.clear();
    interface_ = interface;
    for (const Enumeration& one : hip_.enumerations) write_enumeration(one);
    write_macros();
    text_ += interface == Interface::Runtime ? "#include <omnihip/runtime_structures.h>\n"
                                             : "#include <omnihip/driver_structures.h>\n";
    for (const Name& row : names_.rows())
      if (row.supported && row.kind == "type" && interface_of(row.cuda) == interface) write_type(row.hip);
    return head("types") + text_;
  }

  std::string functions(Interface interface) {
    text_.clear();
    interface_ = interface;
    const std::string kind = interface == Interface::Runtime ? "runtime_fn" : "driver_fn";
    std::set<std::string> done;
    for (const Name& row : names_.rows()) {
      if (row.kind != kind || by_hand_.count(row.cuda) || !done.insert(row.cuda).second) continue;
      const Function* const function = row.supported ? hip_.function(row.hip) : nullptr;
      if ((!function || !write_function(row.cuda, *function)) && !overloaded_.count(row.cuda))
        missing_.push_back(row.cuda);
    }
    // HIP marks some as deprecated, for programs written for HIP.
    return head("functions") +
           "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n" + text_ +
           "#pragma GCC diagnostic pop\n";
  }

  // Functions of CUDA that have no declaration: a call of one says so.
  std::string missing() const {
    std::string text = head("functions that HIP has no counterpart of");
    text += "#if defined(__cplusplus) && defined(__clang__)\n"
            "#define OMNIHIP_CUDA_MISSING(result, name) \\\n"
            "  template <class... T> result name(T...) __attribute__((unavailable(\"HIP has no counterpart of \" "
            "#name)));\n";
    // The compiler knows these two and wants them as NVIDIA has them.
    const std::set<std::string> builtin = {"cudaGetParameterBuffer", "cudaGetParameterBufferV2"};
    for (const std::string& name : missing_)
      if (!builtin.count(name))
        text += "OMNIHIP_CUDA_MISSING(" +
                std::string(interface_of(name) == Interface::Runtime ? "cudaError_t" : "CUresult") + ", " + name +
                ")\n";
    return text + "#undef OMNIHIP_CUDA_MISSING\n#endif\n";
  }

private:
  static std::string head(const std::string& what) {
    return "// Made by cuda/make_headers.cpp: CUDA's " + what +
           ", as HIP has them. Included by the headers around it.\n";
  }

  std::string type_name(const std::string& hip) const {
    // The driver's functions that fill have a structure of their own, with an address that is an integer.
    if (hip == "hipMemsetParams" && interface_ == Interface::Driver) return "CUDA_MEMSET_NODE_PARAMS";
    std::string name = names_.type_name(hip, interface_);
    if (name.empty() && hip_.structure(hip)) // known by another of its names
      for (const std::string& other : hip_.structure(hip)->names)
        if (name.empty()) name = names_.type_name(other, interface_);
    if (name.empty() && hip_.enumeration(hip))
      for (const std::string& other : hip_.enumeration(hip)->names)
        if (name.empty()) name = names_.type_name(other, interface_);
    if (!name.empty()) return name;
    const Interface other = interface_ == Interface::Runtime ? Interface::Driver : Interface::Runtime;
    return names_.type_name(hip, other);
  }

  static bool is_hip_name(const std::string& token) {
    return token.starts_with("hip") || token.starts_with("HIP") || token.starts_with("ihip");
  }

  // The tokens with CUDA's names of types; false when one has none.
  bool translate(const Tokens& from, Tokens& to) const {
    for (size_t i = 0; i < from.size(); ++i) {
      const bool keyword = from[i] == "struct" || from[i] == "enum" || from[i] == "union";
      if (keyword && i + 1 < from.size() && is_hip_name(from[i + 1])) continue; // typedef names need none
      if (!is_hip_name(from[i])) {
        to.push_back(from[i]);
        continue;
      }
      std::string name = type_name(from[i]);
      if (from[i] == "hipError_t") name = interface_ == Interface::Runtime ? "cudaError_t" : "CUresult";
      if (from[i] == "hipDevice_t" && interface_ == Interface::Runtime) name = "int";
      if (name.empty()) {
        const std::vector<std::string> values = names_.cuda_names(from[i], interface_, "enum_value");
        if (!values.empty()) name = values[0];
      }
      if (name.empty()) {
        const std::vector<std::string> values = names_.cuda_names(from[i], interface_, "macro");
        if (!values.empty()) name = values[0];
      }
      if (name.empty() && hip_.is_number(from[i])) name = from[i]; // a number such as the size of an array
      if (name.empty()) return false;
      const bool pointer = i + 1 < from.size() && from[i + 1] == "*";
      if (is_tag(name) && by_hand_.count(name) && !pointer) return false; // what a handle points to has no members
      to.push_back(name);
    }
    return true;
  }

  // All names of a type in this interface: first the one to declare.
  std::vector<std::string> all_names(const std::vector<std::string>& hip_names) const {
    std::vector<std::string> all;
    for (const std::string& hip : hip_names)
      for (const std::string& name : names_.cuda_names(hip, interface_, "type"))
        if (name != hip && !by_hand_.count(name) && std::find(all.begin(), all.end(), name) == all.end())
          all.push_back(name);
    const auto other = std::find_if_not(all.begin(), all.end(), is_tag);
    if (other != all.end()) std::rotate(all.begin(), other, other + 1);
    return all;
  }

  // "typedef enum Tag { body } Name;" and the other names.
  void declare(const std::string& keyword, const std::vector<std::string>& all, const std::string& body) {
    const auto tag = std::find_if(all.begin(), all.end(), is_tag);
    const std::string own = tag == all.end() ? all[0] : *tag;
    text_ += "typedef " + keyword + " " + own + " {\n" + body + "} " + all[0] + ";\n";
    for (const std::string& name : all)
      if (name != all[0] && name != own) text_ += "typedef " + all[0] + " " + name + ";\n";
    written_.insert(all.begin(), all.end());
  }

  void write_enumeration(const Enumeration& one) {
    const std::vector<std::string> all = all_names(one.names);
    if (all.empty()) return;
    std::string body;
    std::set<std::string> done;
    for (const std::string& value : one.enumerators)
      for (const std::string& name : names_.cuda_names(value, interface_, "enum_value"))
        if (enumerators_.insert(name).second) body += "  " + name + " = " + enumerator_value(name, value) + ",\n";
    if (body.empty()) return;
    // Questions that HIP does not know have numbers that it answers with hipErrorInvalidValue, but limits their own.
    for (const auto& [type, prefix] :
         {std::pair("cudaDeviceAttr", "cudaDevAttr"), std::pair("CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_"),
          std::pair("cudaLimit", "cudaLimit"), std::pair("CUlimit", "CU_LIMIT_")}) {
      if (all[0] != type) continue;
      int number = kUnknown;
      for (const Name& row : names_.rows()) {
        if (row.kind != "enum_value" || !row.cuda.starts_with(prefix) || !enumerators_.insert(row.cuda).second)
          continue;
        const int own = number_of_limit(row.cuda);
        body += "  " + row.cuda + " = " + std::to_string(own >= 0 ? own : number++) + ",\n";
      }
    }
    const bool of_runtime = all[0] == "cudaLaunchAttributeID";
    if (of_runtime || all[0] == "CUlaunchAttributeID")
      for (const LaunchAttribute& more : kLaunchAttributes)
        if (const char* const name = of_runtime ? more.runtime : more.driver; enumerators_.insert(name).second)
          body += std::string("  ") + name + " = " + std::to_string(more.number) + ",\n";
    declare("enum", all, body);
  }

  // The enumerator that a macro of HIP is another name of, by CUDA's name and with CUDA's type; empty names for others.
  std::pair<std::string, std::string> enumerator_behind(const std::string& macro) const {
    const Tokens& value = hip_.macros.at(macro);
    if (value.size() != 1) return {};
    for (const Enumeration& one : hip_.enumerations) {
      if (std::find(one.enumerators.begin(), one.enumerators.end(), value[0]) == one.enumerators.end()) continue;
      for (const std::string& name : names_.cuda_names(value[0], interface_, "enum_value"))
        for (const std::string& type : one.names)
          if (enumerators_.count(name) && written_.count(type_name(type))) return {type_name(type), name};
    }
    return {};
  }

  // Values that CUDA has as macros. Other names of an enumerator keep its type, which functions want.
  void write_macros() {
    std::string body, typed, untyped;
    for (const Name& row : names_.rows()) {
      if (!row.supported || (row.kind != "macro" && row.kind != "enum_value") || interface_of(row.cuda) != interface_ ||
          by_hand_.count(row.cuda) || !hip_.is_number(row.hip))
        continue;
      const auto [type, name] = enumerator_behind(row.hip);
      if (!enumerators_.insert(row.cuda).second) continue;
      if (type.empty()) {
        body += "  " + row.cuda + " = " + row.hip + ",\n";
      } else {
        typed += "static constexpr " + type + " " + row.cuda + " = " + name + ";\n";
        untyped += "#define " + row.cuda + " " + name + "\n";
      }
    }
    if (!body.empty()) text_ += "enum {\n" + body + "};\n";
    if (!typed.empty()) text_ += "#ifdef __cplusplus\n" + typed + "#else\n" + untyped + "#endif\n";
  }

  void write_type(const std::string& hip) {
    if (!started_.insert({hip, interface_}).second || hip_.enumeration(hip)) return;
    if (const Structure* const structure = hip_.structure(hip)) {
      write_structure(*structure);
      return;
    }
    const auto found = hip_.typedefs.find(hip);
    if (found == hip_.typedefs.end()) return;
    const std::vector<std::string> all = all_names({hip});
    if (all.empty() || written_.count(all[0])) return;
    const Tokens& declared = found->second;
    const bool callback = std::find(declared.begin(), declared.end(), "(") != declared.end();
    if (callback) {
      Tokens translated, renamed = declared;
      std::replace(renamed.begin(), renamed.end(), hip, all[0]);
      if (!translate(renamed, translated)) return;
      write_types_in(declared);
      text_ += "typedef " + text_of(translated) + ";\n";
    } else {
      // Another name of a type is one of CUDA's type, a handle is HIP's.
      std::string aliased = declared.size() == 2 ? type_name(declared[0]) : std::string();
      if (!aliased.empty()) write_type(declared[0]);
      if (!written_.count(aliased)) aliased = hip;
      text_ += "typedef " + aliased + " " + all[0] + ";\n";
    }
    written_.insert(all[0]);
    for (const std::string& name : all)
      if (written_.insert(name).second && !is_tag(name)) text_ += "typedef " + all[0] + " " + name + ";\n";
  }

  void write_types_in(const Tokens& tokens) {
    for (const std::string& token : tokens)
      if (is_hip_name(token)) write_type(token);
  }

  void write_structure(const Structure& one) {
    const std::vector<std::string> all = all_names(one.names);
    Tokens body;
    if (all.empty() || written_.count(all[0]) || !translate(one.body, body)) return;
    write_types_in(one.body);
    for (const std::string& token : body) // a type that HIP has in another form
      if ((token.starts_with("cuda") || token.starts_with("CU")) && !written_.count(token) && !by_hand_.count(token))
        return;
    std::string lines;
    Tokens line;
    int depth = 0;
    for (const std::string& token : body) {
      if (token == "{") ++depth;
      if (token == "}") --depth;
      line.push_back(token);
      if (token == ";" && depth == 0) {
        lines += "  " + text_of(line) + "\n";
        line.clear();
      }
    }
    for (const MoreMembers& more : kMoreMembers) {
      if (all[0] != more.structure) continue;
      const std::string_view instead = more.instead;
      const size_t place = instead.empty() ? lines.size() : lines.find(instead);
      if (place == std::string::npos)
        throw std::runtime_error(one.names[0] + " has no room for the members of " + all[0]);
      lines.replace(place, instead.size(), more.members);
    }
    declare(one.keyword, all, lines);
    text_ += "OMNIHIP_CUDA_SAME_SIZE(" + all[0] + ", " + one.names[0] + ")\n";
  }

  // The driver's interface has device addresses as integers, where HIP has pointers as in the runtime's.
  bool is_device_address(const std::string& cuda, const Parameter& one) const {
    if (interface_ != Interface::Driver || one.type.empty() || one.type.back() != "*" ||
        one.type.front() == "CUdeviceptr")
      return false;
    if (std::find(one.type.begin(), one.type.end(), "void") == one.type.end()) return false;
    if (one.name == "devPtr" || one.name == "dev_ptr" || one.name == "dptr") return true;
    return (one.name == "ptr" || one.name == "addr") && cuda.find("Host") == std::string::npos &&
           cuda.find("UserObject") == std::string::npos;
  }

  // Whether the parameter points at a structure that is converted: before the call where it is constant, and behind it
  // otherwise, as HIP's functions then write it alone. Those that also read it are written by hand.
  bool is_converted(const Tokens& type) const {
    return type.size() >= 2 && type.back() == "*" && by_hand_.count(to_hip(type[type.size() - 2]));
  }

  bool write_function(const std::string& cuda, const Function& hip) {
    Tokens result;
    if (!translate(hip.result, result)) return false;
    std::string parameters, arguments, converted, results;
    for (size_t i = 0; i < hip.parameters.size(); ++i) {
      const Parameter& one = hip.parameters[i];
      Tokens type, initial;
      if (!translate(one.type, type) || !translate(one.initial, initial)) return false;
      if (is_device_address(cuda, one))
        type = one.type.size() > 1 && one.type.back() == "*" && one.type[one.type.size() - 2] == "*"
                   ? Tokens{"CUdeviceptr", "*"}
                   : Tokens{"CUdeviceptr"};
      for (const std::string& token : type)
        if ((token.starts_with("cuda") || token.starts_with("CU")) && !written_.count(token) && !by_hand_.count(token))
          return false;
      const std::string name = one.name.empty() ? "p" + std::to_string(i) : one.name;
      parameters += (i ? ", " : "") + text_of(type) + " " + name + text_of(one.array);
      if (!initial.empty()) parameters += " __dparm(" + text_of(initial) + ")";
      arguments += i ? ", " : "";
      if (one.array.empty() && is_converted(type)) {
        const std::string structure = type[type.size() - 2], local = "hip_" + name;
        converted += one.type[one.type.size() - 2] + " " + local + "; ";
        if (type.front() == "const") {
          arguments += to_hip(structure) + "(" + name + ", &" + local + ")";
        } else {
          arguments += name + " ? &" + local + " : NULL";
          results += "if (error == hipSuccess) " + to_cuda(structure) + "(&" + local + ", " + name + "); ";
        }
      } else {
        arguments += argument(one, type, name);
      }
    }
    if (parameters.empty()) parameters = "void";
    const bool status = hip.result.size() == 1 && hip.result[0] == "hipError_t";
    const std::string convert = interface_ == Interface::Runtime ? "__cuda_error" : "__cu_result";
    const std::string call = hip.name + "(" + arguments + ")";
    text_ += "OMNIHIP_CUDA_FUNCTION " + text_of(result) + " " + cuda + "(" + parameters + ") { " + converted;
    if (!results.empty())
      text_ += "const hipError_t error = " + call + "; " + results + "return " + convert + "(error); }\n";
    else
      text_ += "return " + (status ? convert + "(" + call + ")" : call) + "; }\n";
    return true;
  }

  // The argument that HIP's function gets: the same value, or as HIP's type of the same representation.
  std::string argument(const Parameter& one, const Tokens& type, const std::string& name) const {
    if (text_of(type) == text_of(one.type)) return name;
    const bool indirect = std::find(one.type.begin(), one.type.end(), "*") != one.type.end() || !one.array.empty();
    std::string hip_type = text_of(one.type);
    if (!one.array.empty()) hip_type += "*";
    for (const std::string& token : one.type)
      if (!indirect && hip_.structure(token)) return "OMNIHIP_CUDA_AS(" + hip_type + ", " + name + ")";
    return "(" + hip_type + ")" + name;
  }

  const Names& names_;
  const Declarations& hip_;
  std::set<std::string> by_hand_, overloaded_, written_, enumerators_;
  std::set<std::pair<std::string, Interface>> started_;
  std::vector<std::string> missing_;
  Interface interface_ = Interface::Runtime;
  std::string text_;
};

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3)
    throw std::runtime_error("usage: make_headers TABLE OUTPUT -- HIP-HEADER... -- CUDA-HEADER... -- OVERLOADS...");
  const Names names(words[0]);
  Declarations hip;
  std::set<std::string> by_hand, overloaded;
  int list = 0;
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--") {
      ++list;
    } else if (list == 1) {
      read_declarations(read_file(words[i]), hip);
    } else {
      (list == 2 ? by_hand : overloaded).merge(declared_names(read_file(words[i])));
    }
  }
  Writer writer(names, hip, by_hand, overloaded);
  write_file(words[1] + "/runtime_types.h", writer.types(Interface::Runtime));
  write_file(words[1] + "/driver_types.h", writer.types(Interface::Driver));
  write_file(words[1] + "/runtime_functions.h", writer.functions(Interface::Runtime));
  write_file(words[1] + "/driver_functions.h", writer.functions(Interface::Driver));
  write_file(words[1] + "/missing_functions.h", writer.missing());
  return 0;
}

} // namespace
} // namespace hip::cuda

int main(int argc, char** argv) {
  try {
    return hip::cuda::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_headers: %s\n", error.what());
    return 1;
  }
}
