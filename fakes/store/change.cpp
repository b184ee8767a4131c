#include "fakes/store/change.h"

namespace nodebound {

std::string json_text(const Object& object) {
  return object.dump(-1, ' ', false, Object::error_handler_t::replace);
}

const std::string& Change::json() const {
  std::call_once(once_, [this] { json_ = json_text(*object); });
  return json_;
}

}  // namespace nodebound
