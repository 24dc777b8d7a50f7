// runtime/backend/aql/placed_code.h - a code object in an agent's memory: image in Code memory, relocated, executable
// ranges announced to the agent. Gone with the object. Thread safety: immutable after place().
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/codeobject/loader.h"

namespace hip::aql {

class PlacedCode {
public:
  // Errors: the agent's, load_image's, and NoBinaryForGpu when the code is for another processor.
  static Result<PlacedCode> place(Agent& agent, const codeobject::CodeObject& code,
                                  const codeobject::ResolveSymbol& resolve = {});
  PlacedCode() noexcept = default; // of nothing
  ~PlacedCode();
  PlacedCode(PlacedCode&& o) noexcept { *this = std::move(o); }
  PlacedCode& operator=(PlacedCode&& o) noexcept;

  const codeobject::LoadedImage& image() const noexcept { return image_; }
  void* memory() const noexcept { return memory_; }

private:
  Agent* agent_ = nullptr;
  std::shared_ptr<void> keeper_; // of what the agent has placed itself
  void* memory_ = nullptr;
  codeobject::LoadedImage image_;
  std::vector<void*> mapped_; // executable ranges
};

} // namespace hip::aql
