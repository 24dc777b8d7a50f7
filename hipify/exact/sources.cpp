// A look at the tokens of every input.
#include "exact/sources.h"

#include "files.h"
#include "parallel.h"
#include "passes.h"

#include <map>

namespace hip::hipify {
namespace {

// The file names, without folders, that a source includes.
std::vector<std::string> included_names(const Tokens& tokens) {
  std::vector<std::string> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::HeaderName) continue;
    const std::string_view raw = tokens.text(i);
    names.push_back(std::filesystem::path(raw.substr(1, raw.size() - 2)).filename().string());
  }
  return names;
}

bool has_kernels(const Tokens& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "__global__") || tokens.is(i, "__device__") || tokens.is(i, "<<<")) return true;
  }
  return false;
}

} // namespace

std::vector<SourceFacts> find_facts(const Options& options, const std::vector<Input>& inputs) {
  std::vector<SourceFacts> facts(inputs.size());
  std::vector<std::vector<std::string>> included(inputs.size());
  in_parallel(options.jobs, inputs.size(), [&](size_t i) {
    const Input& input = inputs[i];
    if (!input.error.empty()) return;
    try {
      const std::string text = input.path == "-" ? input.text : read_source(input.source);
      const Tokens tokens(text);
      included[i] = included_names(tokens);
      facts[i].has_kernels = has_kernels(tokens);
      facts[i].closed_up = close_up_launches(text);
      facts[i].has_cuda = !convert(text, options.convert).findings.empty();
      facts[i].readable = true;
    } catch (const HipifyError&) {
      facts[i] = {}; // the conversion will say it
    }
  });

  // From the files with CUDA's names to those that include them. Which folder a header is found in is not asked: one
  // compilation more does no harm.
  std::multimap<std::string, size_t> users;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const std::string& name : included[i]) users.emplace(name, i);
  }
  std::vector<size_t> reached;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (facts[i].has_cuda) reached.push_back(i);
  }
  while (!reached.empty()) {
    const auto [begin, end] = users.equal_range(inputs[reached.back()].path.filename().string());
    reached.pop_back();
    for (auto user = begin; user != end; ++user) {
      if (facts[user->second].has_cuda || !facts[user->second].readable) continue;
      facts[user->second].has_cuda = true;
      reached.push_back(user->second);
    }
  }
  return facts;
}

} // namespace hip::hipify
