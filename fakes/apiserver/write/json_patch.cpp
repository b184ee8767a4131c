#include "fakes/apiserver/write/json_patch.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/store/change.h"

namespace nodebound::apiserver {
namespace {

/// How many bytes of JSON all operations of a patch may copy together: a few copies could otherwise fill the memory.
constexpr std::size_t most_copied = 3U << 20U;
/// How many list elements they may shift; a real server's time-out limits that.
constexpr std::size_t most_moved = 100'000'000;

std::string unescaped(std::string_view key) {
  std::string out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool escape = key[i] == '~' && i + 1 < key.size() && (key[i + 1] == '0' || key[i + 1] == '1');
    out += escape ? (key[++i] == '1' ? '/' : '~') : key[i];
  }
  return out;
}

std::optional<std::int64_t> index_of(std::string_view key) {
  if (key.starts_with('+')) key.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (problem != std::errc() || end != key.data() + key.size()) return std::nullopt;
  return index;
}

// The index in a list of `size` elements that a key means; negative keys count from the end.
std::optional<std::size_t> place_in(std::size_t size, std::string_view key) {
  std::optional<std::int64_t> index = index_of(key);
  if (!index) return std::nullopt;
  if (*index < 0) *index += static_cast<std::int64_t>(size);
  if (*index < 0 || *index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

class Patcher {
 public:
  explicit Patcher(Object& document) : document_(document) {}

  bool apply(const Object& operation) {
    const std::string_view name = text(operation, "op");
    if (name == "move" || name == "copy") return move_or_copy(operation, name == "move");
    const Object& path = member(operation, "path");
    if (!path.is_string()) return false;
    const std::string& target = path.get_ref<const std::string&>();
    const Object& value = member(operation, "value");
    if (name == "add") return add(target, value);
    if (name == "remove") return remove(target);
    if (name == "replace") return replace(target, value);
    return name == "test" && test(target, value);
  }

 private:
  /// The container and the key of the value that a path names; the container need not have that key.
  struct Target {
    Object* container = nullptr;
    std::string key;
  };

  Target find(std::string_view path) {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return {};
    // The library ignores what stands before the first slash.
    path.remove_prefix(first + 1);
    Object* container = &document_;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
      container = existing(*container, unescaped(path.substr(0, slash)));
      if (container == nullptr || !container->is_structured()) return {};
      path.remove_prefix(slash + 1);
    }
    return {container, unescaped(path)};
  }

  static Object* existing(Object& container, const std::string& key) {
    if (container.is_object()) {
      const auto found = container.find(key);
      return found == container.end() ? nullptr : &*found;
    }
    const std::optional<std::size_t> place = place_in(container.size(), key);
    return place ? &container[*place] : nullptr;
  }

  bool add(std::string_view path, Object value) {
    const Target target = find(path);
    if (target.container == nullptr) return false;
    Object& container = *target.container;
    if (container.is_object()) {
      container[target.key] = std::move(value);
      return true;
    }
    if (target.key == "-") {
      container.push_back(std::move(value));
      return true;
    }
    const std::optional<std::size_t> place = place_in(container.size() + 1, target.key);
    if (!place || !may_move(container.size() - *place)) return false;
    container.insert(container.begin() + static_cast<std::ptrdiff_t>(*place), std::move(value));
    return true;
  }

  bool remove(std::string_view path) {
    const Target target = find(path);
    if (target.container == nullptr) return false;
    Object& container = *target.container;
    if (container.is_object()) return container.erase(target.key) == 1;
    const std::optional<std::size_t> place = place_in(container.size(), target.key);
    if (!place || !may_move(container.size() - *place)) return false;
    container.erase(*place);
    return true;
  }

  bool replace(std::string_view path, const Object& value) {
    if (path.empty()) {
      if (!value.is_structured()) return false;
      document_ = value;
      return true;
    }
    const Target target = find(path);
    if (target.container == nullptr) return false;
    if (target.container->is_object()) {
      (*target.container)[target.key] = value;
      return true;
    }
    Object* const found = existing(*target.container, target.key);
    if (found != nullptr) *found = value;
    return found != nullptr;
  }

  bool test(std::string_view path, const Object& value) {
    if (path.empty()) return document_ == value;
    const Target target = find(path);
    if (target.container == nullptr) return false;
    const Object* const found = existing(*target.container, target.key);
    if (found == nullptr) return target.container->is_object() && value.is_null();
    return *found == value;
  }

  bool move_or_copy(const Object& operation, bool moves) {
    const Object& from = member(operation, "from");
    const Object& path = member(operation, "path");
    if (!from.is_string() || !path.is_string()) return false;
    const Target source = find(from.get_ref<const std::string&>());
    if (source.container == nullptr) return false;
    Object* const found = existing(*source.container, source.key);
    // A missing member is copied as null; a missing list element is an error.
    if (found == nullptr && source.container->is_array()) return false;
    if (found == nullptr && moves) return false;
    if (found != nullptr && !moves) copied_ += json_text(*found).size();
    if (copied_ > most_copied) return false;
    Object value = found == nullptr ? Object() : moves ? std::move(*found) : *found;
    if (moves && !remove(from.get_ref<const std::string&>())) return false;
    return add(path.get_ref<const std::string&>(), std::move(value));
  }

  bool may_move(std::size_t elements) {
    moved_ += elements;
    return moved_ <= most_moved;
  }

  Object& document_;
  std::size_t copied_ = 0;
  std::size_t moved_ = 0;
};

}  // namespace

bool patch_in_turn(Object& object, const Object& patch) {
  Patcher patcher(object);
  for (const Object& operation : patch) {
    if (!patcher.apply(operation)) return false;
  }
  return true;
}

}  // namespace nodebound::apiserver
