// Compiles, as far as the syntax tree, and writes what it learned.
#include "exact/parse_job.h"

#include "exact/collector.h"

#include <clang/Basic/Stack.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <fstream>
#include <llvm/Support/VirtualFileSystem.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hip::hipify {
namespace {

std::unique_ptr<clang::CompilerInstance> make_compiler(const std::vector<std::string>& words,
                                                       clang::DiagnosticConsumer& listener) {
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  clang::DiagnosticOptions diagnostic_options;
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  clang::CreateInvocationOptions options;
  options.Diags = clang::CompilerInstance::createDiagnostics(*files, diagnostic_options, &listener, false);
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, std::move(options));
  if (!invocation) return nullptr;
  invocation->getFrontendOpts().DisableFree = true; // the process ends soon
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().ErrorLimit = 0;
  auto compiler = std::make_unique<clang::CompilerInstance>(std::move(invocation));
  compiler->setVirtualFileSystem(files);
  compiler->createDiagnostics(&listener, false);
  return compiler;
}

// Files that are read from elsewhere: name and place.
using ReplacedFiles = std::vector<std::pair<std::string, std::string>>;

ReplacedFiles read_replaced(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ReplacedFiles files;
  for (std::string name, place; std::getline(file, name, '\0') && std::getline(file, place, '\0');)
    files.emplace_back(name, place);
  return files;
}

// True where clang got as far as reading the source.
bool compile(const std::vector<std::string>& words, const CudaFolders& folders, const ReplacedFiles& replaced,
             ProgramKnowledge& knowledge) {
  const std::unique_ptr<clang::DiagnosticConsumer> listener = make_error_listener(knowledge);
  const std::unique_ptr<clang::CompilerInstance> compiler = make_compiler(words, *listener);
  if (!compiler) return false;
  for (const auto& [name, place] : replaced) compiler->getPreprocessorOpts().addRemappedFile(name, place);
  const std::unique_ptr<clang::FrontendAction> action = make_collector(folders, knowledge);
  compiler->ExecuteAction(*action); // false: there were errors, which the listener has
  return true;
}

// False where the header does not compile.
bool precompile(const std::vector<std::string>& words, const std::string& file) {
  ProgramKnowledge knowledge;
  const std::unique_ptr<clang::DiagnosticConsumer> listener = make_error_listener(knowledge);
  const std::unique_ptr<clang::CompilerInstance> compiler = make_compiler(words, *listener);
  if (!compiler) return false;
  compiler->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  compiler->getFrontendOpts().OutputFile = file;
  clang::GeneratePCHAction action;
  return compiler->ExecuteAction(action) && knowledge.error_count == 0;
}

// Limits that end a parser which does not end by itself.
void set_limits() {
  constexpr rlim_t kSeconds = 600;
  struct rlimit limit = {kSeconds, kSeconds};
  setrlimit(RLIMIT_CPU, &limit);
  limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
}

bool write_all(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(kKnowledgeDescriptor, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

} // namespace

int run_parse_job(const std::vector<std::string>& words) {
  set_limits();
  clang::noteBottomOfStack();
  CudaFolders folders;
  ReplacedFiles replaced;
  std::string precompiled;
  std::vector<std::vector<std::string>> commands;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--")
      commands.emplace_back();
    else if (!commands.empty())
      commands.back().push_back(words[i]);
    else if (words[i] == "-f" && i + 1 < words.size())
      folders.push_back(words[++i]);
    else if (words[i] == "-r" && i + 1 < words.size())
      replaced = read_replaced(words[++i]);
    else if (words[i] == "-p" && i + 1 < words.size())
      precompiled = words[++i];
  }
  ProgramKnowledge all;
  all.complete = !commands.empty();
  if (!precompiled.empty() && all.complete) ::_exit(precompile(commands[0], precompiled) ? 0 : 1);
  for (const std::vector<std::string>& command : commands) {
    ProgramKnowledge knowledge;
    all.complete &= compile(command, folders, replaced, knowledge);
    all.merge_files(knowledge);
    all.missing_headers.merge(knowledge.missing_headers);
    // The same errors come from host and device; those of the first side that has any are enough.
    if (all.error_count == 0) {
      all.error_count = knowledge.error_count;
      all.errors = std::move(knowledge.errors);
    }
  }
  const bool written = write_all(to_text(all));
  // No destructors: clang's trees are large and nobody needs them any more.
  ::_exit(written ? 0 : 1);
}

} // namespace hip::hipify
