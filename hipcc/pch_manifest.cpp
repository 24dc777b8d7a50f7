// Manifest text: "omnihip-pch 1", the header's file name, the key with its length, then one line per file and probe.
#include "pch_manifest.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace hip::hipcc {
namespace {

constexpr const char* kMagic = "omnihip-pch 1";

int64_t mtime_ns(const struct stat& s) { return int64_t(s.st_mtim.tv_sec) * 1'000'000'000 + s.st_mtim.tv_nsec; }

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The prerequisites of a make rule "target: a b \ c", with make's backslash before spaces undone.
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> paths;
  std::string path;
  size_t colon = rule.find(": ");
  for (size_t i = colon == std::string::npos ? rule.size() : colon + 1; i < rule.size(); ++i) {
    char c = rule[i];
    if (c == '\\' && i + 1 < rule.size() && (rule[i + 1] == ' ' || rule[i + 1] == '#')) {
      path += rule[++i];
    } else if (c == '$' && i + 1 < rule.size() && rule[i + 1] == '$') {
      path += rule[++i];
    } else if (c == ' ' || c == '\n' || (c == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n')) {
      if (!path.empty()) paths.push_back(std::move(path));
      path.clear();
    } else {
      path += c;
    }
  }
  if (!path.empty()) paths.push_back(std::move(path));
  return paths;
}

// The folders that clang -v says it searches.
std::vector<std::string> search_list(const std::string& clang_output) {
  std::vector<std::string> dirs;
  std::istringstream lines(clang_output);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include ")) {
      inside = true;
    } else if (line.starts_with("End of search list")) {
      inside = false;
    } else if (inside && line.starts_with(" ")) {
      dirs.push_back(line.substr(1));
    }
  }
  return dirs;
}

// Names in __has_include(<...>) and __has_include("...") of one header.
void collect_probes(const std::string& text, std::set<std::string>& probes) {
  constexpr std::string_view kWord = "__has_include";
  for (size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    size_t open = text.find_first_not_of(" \t(", at + kWord.size());
    if (open == std::string::npos || (text[open] != '<' && text[open] != '"')) continue;
    size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    size_t line_end = text.find('\n', open);
    if (close != std::string::npos && close < line_end) probes.insert(text.substr(open + 1, close - open - 1));
  }
}

} // namespace

PchManifest make_manifest(const std::string& key, const std::string& pch, const std::string& dependency_file,
                          const std::string& clang_output) {
  PchManifest manifest{key, pch, {}, {}};
  std::vector<std::string> dirs = search_list(clang_output);
  std::set<std::string> probes;
  for (const std::string& path : prerequisites(slurp(dependency_file))) {
    struct stat s;
    if (stat(path.c_str(), &s) != 0) continue;
    size_t name_at = 0; // the longest folder that fits: include/c++/12 rather than include
    for (const std::string& dir : dirs) {
      if (path.starts_with(dir + "/")) name_at = std::max(name_at, dir.size() + 1);
    }
    if (name_at == 0) name_at = path.rfind('/') + 1;
    manifest.files.push_back({path, mtime_ns(s), static_cast<uint64_t>(s.st_size), name_at});
    collect_probes(slurp(path), probes);
  }
  manifest.probes.assign(probes.begin(), probes.end());
  return manifest;
}

bool PchManifest::holds(const std::vector<std::string>& include_dirs) const {
  struct Identity {
    dev_t device;
    ino_t inode;
  };
  std::vector<Identity> identities;
  for (const PchFile& file : files) {
    struct stat s;
    if (stat(file.path.c_str(), &s) != 0 || mtime_ns(s) != file.mtime_ns ||
        static_cast<uint64_t>(s.st_size) != file.size_bytes)
      return false;
    identities.push_back({s.st_dev, s.st_ino});
  }
  for (const std::string& dir : include_dirs) {
    struct stat s;
    if (stat(dir.c_str(), &s) != 0) continue;
    for (size_t i = 0; i < files.size(); ++i) {
      if (stat((dir + "/" + files[i].path.substr(files[i].name_at)).c_str(), &s) != 0) continue;
      if (s.st_dev != identities[i].device || s.st_ino != identities[i].inode) return false;
    }
    for (const std::string& probe : probes) {
      if (stat((dir + "/" + probe).c_str(), &s) != 0) continue;
      bool was_read = std::any_of(identities.begin(), identities.end(),
                                  [&](const Identity& id) { return id.device == s.st_dev && id.inode == s.st_ino; });
      if (!was_read) return false;
    }
  }
  return true;
}

std::string PchManifest::to_text() const {
  std::ostringstream out;
  out << kMagic << '\n' << pch << '\n' << key.size() << '\n' << key << '\n' << files.size() << '\n';
  for (const PchFile& file : files)
    out << file.mtime_ns << ' ' << file.size_bytes << ' ' << file.name_at << ' ' << file.path << '\n';
  out << probes.size() << '\n';
  for (const std::string& probe : probes) out << probe << '\n';
  out << "end\n";
  return out.str();
}

std::optional<PchManifest> PchManifest::from_text(const std::string& text) {
  std::istringstream in(text);
  PchManifest manifest;
  std::string line;
  size_t count = 0;
  if (!std::getline(in, line) || line != kMagic || !std::getline(in, manifest.pch)) return {};
  if (!(in >> count) || count > text.size()) return {};
  in.ignore(1);
  manifest.key.resize(count);
  in.read(manifest.key.data(), static_cast<std::streamsize>(count));
  if (!(in >> count) || count > text.size()) return {};
  for (size_t i = 0; i < count; ++i) {
    PchFile file{};
    if (!(in >> file.mtime_ns >> file.size_bytes >> file.name_at)) return {};
    in.ignore(1);
    if (!std::getline(in, file.path) || file.name_at > file.path.size()) return {};
    manifest.files.push_back(std::move(file));
  }
  if (!(in >> count) || count > text.size()) return {};
  in.ignore(1);
  for (size_t i = 0; i < count; ++i) {
    if (!std::getline(in, line)) return {};
    manifest.probes.push_back(line);
  }
  if (!std::getline(in, line) || line != "end") return {};
  return manifest;
}

} // namespace hip::hipcc
