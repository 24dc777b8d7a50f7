// tests/backend/hsa_child.h - child processes that use AMD's runtime over the stand-in (hsa_standin.h), and what
// becomes of them: whatever happens, they end by themselves, and what they say is the outcome.
#pragma once

#include "hsa_standin.h"

#include "runtime/backend/backend.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hip::test {

struct Outcome {
  bool ended = false; // by itself, with success
  std::string text;   // errors, the log, and what the child says at its end
  bool has(std::string_view words) const { return text.find(words) != text.npos; }
  int number(const std::string& name) const { // "name=5"
    const size_t at = text.rfind("\n" + name + "=");
    return at == text.npos ? -1 : std::atoi(text.c_str() + at + name.size() + 2);
  }
};

// Runs `body` in a child process, whose standard error is the outcome's text. One that hangs says where its threads
// are, and is ended.
Outcome in_child(const std::function<void()>& body, std::chrono::milliseconds patience = std::chrono::minutes(1));

// In the child: a line on standard error.
void say(const std::string& line);
// An error's message is said.
bool good(const Status& status);
template<class T> bool good(const Result<T>& result) { return good(result.ok() ? Status() : result.status()); }
// What must succeed.
template<class T> T taken(Result<T> result) {
  if (!good(result)) std::abort();
  return std::move(*result);
}

std::vector<std::byte> read_code(const char* file);
Status launch_add(backend::Queue& queue, backend::Kernel* kernel, uint32_t* data, uint32_t count);
// Everything that a program does with a device; it goes on after errors as far as it can. True: the result is right.
bool use(backend::Device& device);

StandIn& stand_in();
// The back end over the stand-in.
std::unique_ptr<backend::Backend> over_stand_in();
// Uses AMD's devices twice, then the software GPU; says what is left, and how many calls there were: "first_NAME" of
// the first use, "used_NAME" of both, "NAME" of all.
void scenario(const std::function<void(StandIn&)>& steer);

} // namespace hip::test
