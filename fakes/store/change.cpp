#include "fakes/store/change.h"

namespace nodebound {

std::string json_text(const Object& object) {
  return object.dump(-1, ' ', false, Object::error_handler_t::replace);
}

const std::string& Change::json() const {
  std::call_once(once_, [this] { json_ = json_text(*object); });
  return json_;
}

const std::string& Change::protobuf(std::string_view as, const std::function<std::string(const Object&)>& write) const {
  const std::lock_guard lock(writing_);
  auto made = protobuf_.find(as);
  if (made == protobuf_.end()) made = protobuf_.emplace(as, write(*object)).first;
  return made->second;
}

}  // namespace nodebound
