#include "reference/cluster/kept_object.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "reference/encoding/json_depth.h"

namespace nodebound {

struct KeptObject::Text {
  /// A part of the text that is kept elsewhere.
  struct Part {
    std::size_t at = 0;  ///< in `own`
    std::shared_ptr<const std::string> common;
  };

  std::string own;
  std::vector<Part> parts;  ///< in their order
  std::mutex mutex;
  std::weak_ptr<const Object> object;  ///< while somebody holds it; guarded by `mutex`

  void append_to(std::string& out) const {
    std::size_t done = 0;
    for (const Part& part : parts) {
      out.append(own, done, part.at - done).append(*part.common);
      done = part.at;
    }
    out.append(own, done);
  }
};

namespace {

/// What many objects have alike: the fields of a manager, and what admission adds to each pod, its tolerations and the
/// sources of its token's volume. No field selector asks for any of it. None of these can begin within a string, where
/// its second quote would be escaped.
constexpr std::string_view common_keys[] = {R"("fieldsV1":{)", R"("tolerations":[)", R"("sources":[)"};
constexpr std::size_t worth_sharing = 128;

/// Finds the values of the common keys in a text, in their order.
class CommonValues {
 public:
  explicit CommonValues(std::string_view json) : json_(json) {
    for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = json_.find(common_keys[i]);
  }

  /// Where the next one begins after the end of the last; npos if there is none.
  std::size_t after(std::size_t end) {
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (next_[i] < end) next_[i] = json_.find(common_keys[i], end);
    }
    const auto first = std::min_element(next_.begin(), next_.end());
    return *first == std::string_view::npos ? *first : *first + common_keys[first - next_.begin()].size() - 1;
  }

 private:
  std::string_view json_;
  std::array<std::size_t, std::size(common_keys)> next_{};
};

}  // namespace

std::shared_ptr<const std::string> CommonTexts::share(std::string_view text) {
  if (const auto known = texts_.find(text); known != texts_.end()) return *known;
  if (texts_.size() >= most_) {
    std::erase_if(texts_, [](const auto& one) { return one.use_count() == 1; });
    most_ = std::max<std::size_t>(64, 2 * texts_.size());
  }
  return *texts_.insert(std::make_shared<const std::string>(text)).first;
}

std::string json_text(const Object& object) {
  return object.dump(-1, ' ', false, Object::error_handler_t::replace);
}

KeptObject KeptObject::as_text(const ObjectPtr& object, CommonTexts& common) {
  auto text = std::make_shared<Text>();
  const std::string json = json_text(*object);
  std::string own;
  own.reserve(json.size());
  std::size_t done = 0;
  CommonValues values(json);
  for (std::size_t begin = 0, end = 0; (begin = values.after(end)) != std::string::npos;) {
    end = begin + closing_bracket(std::string_view(json).substr(begin)) + 1;
    if (end - begin < worth_sharing) continue;
    own.append(json, done, begin - done);
    text->parts.push_back({own.size(), common.share(std::string_view(json).substr(begin, end - begin))});
    done = end;
  }
  own.append(json, done);
  // A copy, because the text grew in a buffer that is larger.
  text->own = std::string(own);
  text->parts.shrink_to_fit();
  text->object = object;
  KeptObject out;
  out.kept_ = std::move(text);
  return out;
}

KeptObject::operator bool() const {
  return std::visit([](const auto& kept) { return kept != nullptr; }, kept_);
}

const std::string* KeptObject::own_text() const {
  const auto* const text = std::get_if<std::shared_ptr<Text>>(&kept_);
  return text == nullptr ? nullptr : &(*text)->own;
}

ObjectPtr KeptObject::open() const {
  if (const ObjectPtr* const object = std::get_if<ObjectPtr>(&kept_)) return *object;
  Text& text = *std::get<std::shared_ptr<Text>>(kept_);
  const std::lock_guard lock(text.mutex);
  ObjectPtr object = text.object.lock();
  if (object == nullptr) {
    object = std::make_shared<const Object>(Object::parse(json()));
    text.object = object;
  }
  return object;
}

void KeptObject::append_json(std::string& out) const {
  if (const auto* const text = std::get_if<std::shared_ptr<Text>>(&kept_)) {
    (*text)->append_to(out);
  } else {
    out += json_text(*open());
  }
}

std::string KeptObject::json() const {
  std::string out;
  append_json(out);
  return out;
}

}  // namespace nodebound
