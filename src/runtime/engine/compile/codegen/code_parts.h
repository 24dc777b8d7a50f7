// runtime/engine/compile/codegen/code_parts.h - host code of a module's regions, made by several threads at once. A
// context of LLVM's serves one thread, so each part of the regions is read into a context of its own, from the bitcode
// of the whole module, where the other regions have no bodies. Which regions are a part depends on the regions alone,
// so that a translation is the same however many threads make it.
#pragma once

#include "runtime/engine/compile/analysis/regions.h"
#include "runtime/engine/compile/translator.h"

namespace llvm {
class Module;
}

namespace hip::engine::compile {

// The name of a region's function.
std::string region_name(uint32_t region);

// The regions that are compiled together, by their numbers: parts of about the same number of instructions, all regions
// in one where they are few. Of `quick` code the parts are larger.
std::vector<std::vector<uint32_t>> parts_of(const Regions& regions, bool quick = false);

// An object for each part, and why quick code could not be made of some.
struct GeneratedParts {
  std::vector<std::vector<std::byte>> objects;
  std::vector<std::string> refusals; // Translation::refusals
};

// `module` has the region's functions and all that they call, as Library::materialize_called
// leaves it; its bodies may be gone afterwards. `rounds`: Code::rounds. `quick`: by generate_quickly, or
// by LLVM's code generator where that cannot. Uses up to request.threads threads, and returns
// when all are done. Errors: the IR is not valid, or the code generator cannot make an object of it. After
// request.cancelled the objects are useless.
Result<GeneratedParts> generate_parts(llvm::Module& module, const std::vector<std::vector<uint32_t>>& parts,
                                      const Request& request, bool rounds, bool quick);

} // namespace hip::engine::compile
