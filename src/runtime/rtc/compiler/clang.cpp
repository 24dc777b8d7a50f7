// The driver turns a command into jobs; each compilation is a CompilerInstance of its own. The SDK and clang's headers
// are seen under fixed names (compiler.h), by a file system that stands before the real one.
#include "runtime/rtc/compiler/clang.h"

#include "device/codegen/passes.h"
#include "runtime/rtc/compiler/assembler.h"
#include "runtime/rtc/compiler/code_reading.h"
#include "runtime/rtc/compiler/crash_guard.h"
#include "runtime/rtc/compiler/linker.h"
#include "runtime/rtc/compiler/llvm_options.h"
#include "runtime/rtc/compiler/precompiled.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Driver/Tool.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <mutex>

namespace hip::rtc {
namespace {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

FileSystem make_file_system(const ClangFiles& files) {
  const auto folder = [](const char* name, const std::string& at) {
    return llvm::json::Object{{"type", "directory-remap"}, {"name", name}, {"external-contents", at}};
  };
  const llvm::json::Value map = llvm::json::Object{
      {"version", 0},
      {"use-external-names", false},
      {"roots", llvm::json::Array{folder(kSdkRoot, files.sdk), folder(kClangRoot, files.clang_headers)}}};
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return llvm::vfs::getVFSFromYAML(llvm::MemoryBuffer::getMemBufferCopy(text), nullptr, "");
}

// The front end's action for a job; null for one that is left to a process of its own.
std::unique_ptr<clang::FrontendAction> make_action(clang::frontend::ActionKind kind) {
  switch (kind) {
  case clang::frontend::EmitObj:
    return std::make_unique<clang::EmitObjAction>();
  case clang::frontend::EmitAssembly:
    return std::make_unique<clang::EmitAssemblyAction>();
  case clang::frontend::EmitBC:
    return std::make_unique<clang::EmitBCAction>();
  case clang::frontend::EmitLLVM:
    return std::make_unique<clang::EmitLLVMAction>();
  case clang::frontend::PrintPreprocessedInput:
    return std::make_unique<clang::PrintPreprocessedAction>();
  case clang::frontend::ParseSyntaxOnly:
    return std::make_unique<clang::SyntaxOnlyAction>();
  default:
    return nullptr;
  }
}

// The files of a compilation that are the user's own.
class IncludedFiles : public clang::DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool, bool, bool, bool) override {
    return !name.starts_with(std::string(kSdkRoot) + "/") && !name.starts_with(std::string(kClangRoot) + "/");
  }
};

class Command {
public:
  Command(const ClangFiles& files, ClangMode mode, ClangReport& report)
      : files_(files), mode_(mode), report_(report), text_(report.log), file_system_(make_file_system(files)) {}

  CompilerOutcome run(const std::vector<std::string>& command) {
    if (!file_system_) return CompilerOutcome::Unsupported;
    clang::DiagnosticOptions options;
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options,
                                         new clang::TextDiagnosticPrinter(text_, options));
    const std::string clang = std::string(kClangRoot) + "/bin/clang++";
    clang::driver::Driver driver(clang, "x86_64-pc-linux-gnu", diagnostics, "clang", file_system_);
    driver.setCheckInputsExist(true);
    std::vector<const char*> argv = {clang.c_str(), "--driver-mode=g++", "-resource-dir", kClangRoot};
    for (size_t i = 1; i < command.size(); ++i) argv.push_back(command[i].c_str());
    const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(argv));
    if (!compilation || diagnostics.hasErrorOccurred()) return CompilerOutcome::Failed;
    CompilerOutcome outcome = CompilerOutcome::Done;
    for (const clang::driver::Command& job : compilation->getJobs()) {
      outcome = run_job(job);
      if (outcome != CompilerOutcome::Done || mode_ == ClangMode::Precompile) break;
    }
    compilation->CleanupFileList(compilation->getTempFiles());
    return outcome;
  }

private:
  CompilerOutcome run_job(const clang::driver::Command& job) {
    const llvm::opt::ArgStringList& words = job.getArguments();
    if (!words.empty() && llvm::StringRef(words[0]) == "-cc1")
      return compile(llvm::ArrayRef<const char*>(words).drop_front());
    if (!words.empty() && llvm::StringRef(words[0]) == "-cc1as")
      return assemble({words.begin() + 1, words.end()}, report_.log);
    const llvm::StringRef creator = job.getCreator().getName();
    if (creator == "amdgpu::Linker") // for --target=amdgcn; the words are lld's alone
      return link_elf({words.begin(), words.end()}, report_.log) ? CompilerOutcome::Done : CompilerOutcome::Failed;
    if (creator.contains("Link") && words.size() > 2 && llvm::StringRef(words[0]) == "-flavor") {
      return link_elf({words.begin() + 2, words.end()}, report_.log) ? CompilerOutcome::Done : CompilerOutcome::Failed;
    }
    return CompilerOutcome::Unsupported;
  }

  CompilerOutcome compile(llvm::ArrayRef<const char*> words) {
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    {
      clang::DiagnosticOptions options;
      clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options,
                                           new clang::TextDiagnosticPrinter(text_, options));
      if (!clang::CompilerInvocation::CreateFromArgs(*invocation, words, diagnostics)) return CompilerOutcome::Failed;
    }
    // Debian's driver names the folder of an installed clang's headers, wherever -resource-dir points.
    for (clang::HeaderSearchOptions::Entry& entry : invocation->getHeaderSearchOpts().UserEntries)
      if (llvm::StringRef(entry.Path).starts_with("/usr/include/clang/"))
        entry.Path = std::string(kClangRoot) + "/include";
    clang::FrontendOptions& frontend = invocation->getFrontendOpts();
    if (!frontend.Plugins.empty() || !invocation->getCodeGenOpts().PassPlugins.empty() || frontend.ShowHelp ||
        frontend.ShowVersion)
      return CompilerOutcome::Unsupported;
    invocation->getCodeGenOpts().PassBuilderCallbacks.push_back(omnihip::codegen::register_callbacks);
    invocation->getCodeGenOpts().ClearASTBeforeBackend = true;
    // A program compiles more than once: nothing stays behind, the syntax tree no more than the code generator.
    frontend.DisableFree = false;
    invocation->getCodeGenOpts().DisableFree = false;
    std::unique_ptr<clang::FrontendAction> action;
    if (mode_ == ClangMode::Precompile) {
      action = prepare_precompilation(*invocation, files_.sdk);
    } else {
      use_precompiled(*invocation, {files_.sdk, files_.scratch},
                      [this](const auto& headers, clang::FrontendAction& made) {
                        clang::CompilerInstance compiler(headers);
                        compiler.setVirtualFileSystem(file_system_);
                        compiler.createDiagnostics(new clang::IgnoringDiagConsumer);
                        return compiler.ExecuteAction(made);
                      });
      action = make_action(frontend.ProgramAction);
    }
    if (!action) return CompilerOutcome::Unsupported;
    const LlvmOptions options(frontend.LLVMArgs);
    if (!options.error().empty()) {
      text_ << options.error();
      return CompilerOutcome::Failed;
    }
    clang::CompilerInstance compiler(invocation);
    compiler.setVirtualFileSystem(file_system_);
    compiler.setVerboseOutputStream(text_);
    compiler.createDiagnostics(new clang::TextDiagnosticPrinter(text_, invocation->getDiagnosticOpts()));
    const auto included = std::make_shared<IncludedFiles>();
    compiler.addDependencyCollector(included);
    const bool done = compiler.ExecuteAction(*action);
    for (const std::string& file : included->getDependencies())
      if (!llvm::StringRef(file).starts_with(files_.sdk + "/")) report_.files.push_back(file);
    return done ? CompilerOutcome::Done : CompilerOutcome::Failed;
  }

  const ClangFiles& files_;
  const ClangMode mode_;
  ClangReport& report_;
  llvm::raw_string_ostream text_;
  const FileSystem file_system_;
};

} // namespace

// Sanitizers and debuggers aside, LLVM is told once what it may do in a process that is not its own.
void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    omnihip::codegen::add_phi_guard();
    llvm::install_fatal_error_handler([](void*, const char* reason, bool) { abandon(reason); });
  });
}

CompilerOutcome run_clang(const std::vector<std::string>& command, const ClangFiles& files, ClangMode mode,
                          ClangReport& report) {
  initialise_llvm();
  return Command(files, mode, report).run(command);
}

} // namespace hip::rtc
