#include "fakes/store/change.h"

namespace nodebound {

Change::Written& Change::written() const {
  Written* known = written_.load();
  if (known != nullptr) return *known;
  auto made = std::make_unique<Written>();
  // Another thread may have been first; `known` is then what it made.
  return written_.compare_exchange_strong(known, made.get()) ? *made.release() : *known;
}

std::string Change::json() const {
  if (object.own_text() != nullptr) return object.json();
  Written& all = written();
  std::call_once(all.once, [&] { all.json = object.json(); });
  return all.json;
}

const std::string& Change::protobuf(std::string_view as, const std::function<std::string(const Object&)>& write) const {
  Written& all = written();
  const std::lock_guard lock(all.writing);
  auto made = all.protobuf.find(as);
  if (made == all.protobuf.end()) made = all.protobuf.emplace(as, write(*object.open())).first;
  return made->second;
}

}  // namespace nodebound
