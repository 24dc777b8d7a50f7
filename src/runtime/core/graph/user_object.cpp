#include "runtime/core/graph/user_object.h"

#include "runtime/base/no_destroy.h"

#include <algorithm>

namespace hip::core {
namespace {

// What the table holds: no reference, so that the handle lives as long as the object.
struct Entry {
  explicit Entry(UserObject& object) : object(object) {}
  void set_handle(Handle h) noexcept { object.handle = h; }
  UserObject& object;
};
using Table = HandleTable<Entry, HandleKind::UserObject>;
RT_NO_DESTROY constinit Table table;
constinit std::mutex mutex; // numbers of references, the map, and the end of an entry
// The reference that stands for all of the user's.
std::map<Handle, Ref<UserObject>>& held_by_user() {
  static auto* const map = new std::map<Handle, Ref<UserObject>>;
  return *map;
}

// Takes up to `count` references from the user. What is returned is dropped without the lock.
Ref<UserObject> take_from_user(UserObject& object, uint64_t count) {
  object.of_user -= std::min(object.of_user, count);
  if (object.of_user != 0) return {};
  const auto found = held_by_user().find(object.handle);
  if (found == held_by_user().end()) return {};
  Ref<UserObject> last = std::move(found->second);
  held_by_user().erase(found);
  return last;
}

} // namespace

UserObject::~UserObject() {
  {
    std::lock_guard lock(mutex); // nobody who has found the entry looks at this object any more
    table.remove(handle);
  }
  destroy_(object_);
}

Handle create_user_object(void* object, void (*destroy)(void*), unsigned references) {
  Ref<UserObject> made = make_ref<UserObject>(object, destroy);
  made->of_user = references;
  const Handle handle = table.insert(std::make_unique<Entry>(*made));
  std::lock_guard lock(mutex);
  held_by_user()[handle] = std::move(made);
  return handle;
}

Result<Ref<UserObject>> find_user_object(Handle handle) {
  std::lock_guard lock(mutex); // while it is held the object does not end, though its last owner may be gone
  if (const auto pin = table.pin(handle); pin && pin->object.retain_unless_ending())
    return Ref<UserObject>::adopt(&pin->object);
  return error(ErrorCode::InvalidValue, "{} is not a user object, or all references to it are released.",
               const_cast<void*>(handle));
}

Status retain_user_object(Handle handle, unsigned count) {
  RT_TRY_ASSIGN(const Ref<UserObject> object, find_user_object(handle));
  std::lock_guard lock(mutex);
  object->of_user += count;
  held_by_user()[handle] = object;
  return {};
}

Status release_user_object(Handle handle, unsigned count) {
  if (!handle) return error(ErrorCode::InvalidValue, "The user object is null.");
  auto found = find_user_object(handle);
  if (!found.ok()) return {};
  const Ref<UserObject> object = std::move(found).value();
  Ref<UserObject> last;
  std::lock_guard lock(mutex);
  if (count <= object->of_user + object->of_graphs) last = take_from_user(*object, count);
  return {};
}

void give_to_graph(UserObject& object, unsigned count, Move move) {
  Ref<UserObject> last; // not the last one: the graph has one
  std::lock_guard lock(mutex);
  object.of_graphs += count;
  if (move == Move::Yes) last = take_from_user(object, count);
}

void take_from_graph(UserObject& object, unsigned count) {
  std::lock_guard lock(mutex);
  object.of_graphs -= std::min<uint64_t>(object.of_graphs, count);
}

} // namespace hip::core
