// Bundle writer and ELF patcher. Layout of a bundle: the magic, u64 count, then per entry u64 offset, u64 size, u64 id
// length and the id; all little-endian.
#include "bundle.h"
#include "nvidia.h"
#include "options.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace hip::hipcc {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr const char* kHostId = "host-x86_64-unknown-linux-gnu-";
constexpr uint64_t kAlignment = 4096;

uint64_t aligned(uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) throw DriverError("cannot read '" + path + "': " + std::strerror(errno));
  return bytes;
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw DriverError("cannot write '" + path + "': " + std::strerror(errno));
}

// Whoever looks at the path sees what was there before or the whole file, as with clang's own outputs: it is written
// beside its place and renamed. A file that is protected stays, as clang leaves it.
void replace_file(const std::string& path, const std::string& bytes) {
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0)
    throw DriverError("cannot write '" + path + "': " + std::strerror(errno));
  const std::string beside = path + ".hipcc-" + std::to_string(getpid());
  std::error_code failed, ignored;
  try {
    write_file(beside, bytes);
    std::filesystem::rename(beside, path, failed);
    if (!failed) return;
  } catch (const DriverError&) { // the folder takes no new files, or the name is too long
  }
  std::filesystem::remove(beside, ignored);
  write_file(path, bytes);
}

void append_u64(std::string& bytes, uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A T at offset of bytes; the whole of it lies inside, or DriverError.
template<class T> T read_at(const std::string& bytes, uint64_t offset, const std::string& path) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    throw DriverError("the object '" + path + "' ends inside its ELF headers (at byte " + std::to_string(offset) + ")");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<size_t>(bytes.size(), 3))) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

} // namespace

std::string bundle_id(const BundleEntry& entry) {
  if (!is_nvidia(entry.target_id)) return "hipv4-amdgcn-amd-amdhsa--" + entry.target_id;
  return (entry.is_cubin ? "hip-nvptx64-nvidia-cuda-cubin-" : "hip-nvptx64-nvidia-cuda--") + entry.target_id;
}

void write_bundle(const std::vector<BundleEntry>& entries, const std::string& bundle_path) {
  std::vector<std::string> ids = {kHostId}, payloads = {""};
  uint64_t header_size = kMagic.size() + sizeof(uint64_t);
  for (const BundleEntry& entry : entries) {
    if (entry.is_cubin && !std::filesystem::exists(entry.path)) continue; // ptxas does not know the architecture
    ids.push_back(bundle_id(entry));
    payloads.push_back(read_file(entry.path));
  }
  for (const std::string& id : ids) header_size += 3 * sizeof(uint64_t) + id.size();

  std::string bytes(kMagic);
  append_u64(bytes, ids.size());
  uint64_t offset = aligned(header_size);
  for (size_t i = 0; i < ids.size(); ++i) {
    append_u64(bytes, offset);
    append_u64(bytes, payloads[i].size());
    append_u64(bytes, ids[i].size());
    bytes += ids[i];
    offset = aligned(offset + payloads[i].size());
  }
  for (const std::string& payload : payloads) {
    if (payload.empty()) continue;
    bytes.resize(aligned(bytes.size()));
    bytes += payload;
  }
  write_file(bundle_path, bytes);
}

void write_text_bundle(const std::string& bundle_path, const std::string& ptx_path, const std::string& text_path) {
  constexpr size_t bytes_of_line = 84;
  const std::string bytes = read_file(bundle_path);
  std::string text =
      "// OmniHIP offload bundle, format 1\n"
      "// Code objects for hipModuleLoad and cuModuleLoad, in base64; PTX, where one is wanted, follows.\n";
  for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min(rest.size(), bytes_of_line)))
    text += "//=" + base64(rest.substr(0, bytes_of_line)) + "\n";
  if (!ptx_path.empty()) text += read_file(ptx_path);
  write_file(text_path, text);
}

void embed_bundle(const std::string& bundle_path, const std::string& object_path, const std::string& output_path) {
  std::string object = read_file(object_path);
  auto header = read_at<Elf64_Ehdr>(object, 0, object_path);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_REL)
    throw DriverError("'" + object_path +
                      "' is not a relocatable 64-bit ELF object, so device code cannot be put into it");
  auto section_offset = [&](uint64_t index) { return header.e_shoff + index * sizeof(Elf64_Shdr); };
  // More than 65279 sections (-ffunction-sections): count and index of the names move into section 0.
  auto first = read_at<Elf64_Shdr>(object, section_offset(0), object_path);
  uint64_t count = header.e_shnum ? header.e_shnum : first.sh_size;
  uint64_t names_index = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  auto names = read_at<Elf64_Shdr>(object, section_offset(names_index), object_path);
  for (uint64_t i = 1; i < count; ++i) {
    auto section = read_at<Elf64_Shdr>(object, section_offset(i), object_path);
    uint64_t name = names.sh_offset + section.sh_name;
    if (name >= object.size() || std::strcmp(object.c_str() + name, ".hip_fatbin") != 0) continue;
    std::string bundle = read_file(bundle_path);
    object.resize(aligned(object.size()));
    section.sh_offset = object.size();
    section.sh_size = bundle.size();
    std::memcpy(object.data() + section_offset(i), &section, sizeof section);
    replace_file(output_path, object + bundle);
    return;
  }
  if (object.find(kPlaceholder) != std::string::npos)
    throw DriverError("the object '" + object_path + "' keeps its device code in another section than .hip_fatbin");
  if (output_path != object_path) replace_file(output_path, object);
}

} // namespace hip::hipcc
