#include "runtime/core/graph/user_object.h"

#include "runtime/base/no_destroy.h"

namespace hip::core {
namespace {

// What the table holds: it keeps the object alive while the user has references.
struct Entry {
  explicit Entry(Ref<UserObject> object) : object(std::move(object)) {}
  void set_handle(Handle h) noexcept { object->handle = h; }
  Ref<UserObject> object;
};
using Table = HandleTable<Entry, HandleKind::UserObject>;
RT_NO_DESTROY constinit Table table;
constinit std::mutex mutex; // user_references

} // namespace

Handle create_user_object(void* object, void (*destroy)(void*), unsigned references) {
  auto made = make_ref<UserObject>(object, destroy);
  made->user_references = references;
  return table.insert(std::make_unique<Entry>(std::move(made)));
}

Result<Ref<UserObject>> find_user_object(Handle handle) {
  if (const auto pin = table.pin(handle)) return pin->object;
  return error(ErrorCode::InvalidValue, "{} is not a user object, or all of the user's references are released.",
               const_cast<void*>(handle));
}

Status retain_user_object(Handle handle, unsigned count) {
  RT_TRY_ASSIGN(const Ref<UserObject> object, find_user_object(handle));
  std::lock_guard lock(mutex);
  object->user_references += count;
  return {};
}

Status release_user_object(Handle handle, unsigned count) {
  RT_TRY_ASSIGN(const Ref<UserObject> object, find_user_object(handle));
  {
    std::lock_guard lock(mutex);
    if (count > object->user_references)
      return error(ErrorCode::InvalidValue, "{} references of a user object are released; the user holds {}.", count,
                   object->user_references);
    object->user_references -= count;
    if (object->user_references != 0) return {};
  }
  table.remove(handle); // graphs may still hold the object
  return {};
}

} // namespace hip::core
