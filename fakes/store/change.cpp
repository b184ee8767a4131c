#include "fakes/store/change.h"

namespace nodebound {

const std::string& Change::json() const {
  if (const std::string* const text = object.text()) return *text;
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
