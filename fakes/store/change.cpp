#include "fakes/store/change.h"

namespace nodebound {

std::string Change::json() const {
  if (object.own_text() != nullptr) return object.json();
  std::call_once(once_, [this] { json_ = object.json(); });
  return json_;
}

const std::string& Change::protobuf(std::string_view as, const std::function<std::string(const Object&)>& write) const {
  const std::lock_guard lock(writing_);
  auto made = protobuf_.find(as);
  if (made == protobuf_.end()) made = protobuf_.emplace(as, write(*object.open())).first;
  return made->second;
}

}  // namespace nodebound
