// runtime/core/graph/user_object.h - a user's object that lives as long as somebody holds a reference: the user,
// graphs, and executables. Its destructor is called when the last reference goes, by the thread that lets go of it,
// with no lock held. Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/status.h"
#include "runtime/core/handle_table.h"

#include <map>

namespace hip::core {

class UserObject final : public RefCounted {
public:
  UserObject(void* object, void (*destroy)(void*)) noexcept : object_(object), destroy_(destroy) {}
  Handle handle = nullptr;
  unsigned user_references = 0; // that the user holds; with the user objects' lock

private:
  ~UserObject() override { destroy_(object_); }
  void* const object_;
  void (*const destroy_)(void*);
};

// The references that a graph holds.
using UserObjectReferences = std::map<Handle, std::pair<Ref<UserObject>, unsigned>>;

Handle create_user_object(void* object, void (*destroy)(void*), unsigned references);
// The handle lives as long as the object. Error: InvalidValue for what is no user object.
Result<Ref<UserObject>> find_user_object(Handle handle);
Status retain_user_object(Handle handle, unsigned count);
// Error: InvalidValue when the user holds fewer references.
Status release_user_object(Handle handle, unsigned count);

} // namespace hip::core
