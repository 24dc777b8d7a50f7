// A variable of the environment for one scope; then it is as it was before.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace hip {

class EnvironmentVariable {
public:
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~EnvironmentVariable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

private:
  const char* name_;
  std::optional<std::string> before_;
};

} // namespace hip
