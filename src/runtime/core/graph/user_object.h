// runtime/core/graph/user_object.h - a user's object that lives as long as somebody holds a reference: the user,
// graphs, and executables. Its destructor is called when the last reference goes, by the thread that lets go of it,
// with no lock held. HIP's functions release what is no longer there with success, and nothing happens: programs give
// all their references to a graph and release them themselves as well.
// Thread safety: all functions may be called from any thread.
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
  // References that the user and graphs hold by HIP's functions; with the user objects' lock.
  uint64_t of_user = 0, of_graphs = 0;

private:
  ~UserObject() override;
  void* const object_;
  void (*const destroy_)(void*);
};

// The references that a graph holds.
using UserObjectReferences = std::map<Handle, std::pair<Ref<UserObject>, uint64_t>>;

Handle create_user_object(void* object, void (*destroy)(void*), unsigned references);
// The handle lives as long as the object. Error: InvalidValue for what is no user object.
Result<Ref<UserObject>> find_user_object(Handle handle);
Status retain_user_object(Handle handle, unsigned count);
// Releases the user's references, at most all of them. More than the object has in all, or those of an object that is
// gone: nothing happens. Error: InvalidValue for null.
Status release_user_object(Handle handle, unsigned count);
// `count` references become a graph's; with Move::Yes they were the user's, as far as the user has any.
enum class Move { No, Yes };
void give_to_graph(UserObject& object, unsigned count, Move move);
void take_from_graph(UserObject& object, unsigned count);

} // namespace hip::core
