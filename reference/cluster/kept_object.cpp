#include "reference/cluster/kept_object.h"

#include <mutex>

namespace nodebound {

struct KeptObject::Text {
  std::string json;
  std::mutex mutex;
  std::weak_ptr<const Object> object;  ///< while somebody holds it; guarded by `mutex`
};

std::string json_text(const Object& object) {
  return object.dump(-1, ' ', false, Object::error_handler_t::replace);
}

KeptObject KeptObject::as_text(const ObjectPtr& object) {
  auto text = std::make_shared<Text>();
  // A copy, because the text grew in a buffer that is up to twice as large.
  const std::string json = json_text(*object);
  text->json = json;
  text->object = object;
  KeptObject out;
  out.kept_ = std::move(text);
  return out;
}

KeptObject::operator bool() const {
  return std::visit([](const auto& kept) { return kept != nullptr; }, kept_);
}

const std::string* KeptObject::text() const {
  const auto* const text = std::get_if<std::shared_ptr<Text>>(&kept_);
  return text == nullptr ? nullptr : &(*text)->json;
}

ObjectPtr KeptObject::open() const {
  if (const ObjectPtr* const object = std::get_if<ObjectPtr>(&kept_)) return *object;
  Text& text = *std::get<std::shared_ptr<Text>>(kept_);
  const std::lock_guard lock(text.mutex);
  ObjectPtr object = text.object.lock();
  if (object == nullptr) {
    object = std::make_shared<const Object>(Object::parse(text.json));
    text.object = object;
  }
  return object;
}

std::string KeptObject::json() const {
  const std::string* const kept = text();
  return kept == nullptr ? json_text(*open()) : *kept;
}

}  // namespace nodebound
