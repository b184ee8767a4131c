#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"
#include "reports/text.h"

namespace nodebound {

inline void put_unless_empty(nlohmann::ordered_json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

/// A document as text for a file or the terminal.
inline std::string json_text(const nlohmann::ordered_json& document) {
  return printable_json(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

/// The JSON value of a text. Errors carry `file:line:column`.
Result<nlohmann::json> parsed_json(std::string_view text, const std::string& where);

/// `value` short enough for an error message.
inline std::string json_excerpt(const nlohmann::json& value) {
  constexpr std::size_t excerpt_columns = 60;
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  return clip(printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)), excerpt_columns);
}

/// Keeps the first mistake; later ones do not matter.
struct JsonProblem {
  std::string where;
  std::optional<Error> first;

  void add(const std::string& path, const std::string& what) {
    const std::string what_is_wrong = (path.empty() ? "the report" : "`" + printable(path) + "`") + " " + what;
    if (!first) first = input_error(where, what_is_wrong).value();
  }
  void expected(const std::string& path, const std::string& wanted, const nlohmann::json& found) {
    add(path, "must be " + wanted + ", found " + json_excerpt(found));
  }
};

/// One JSON object that is being read. It remembers the requested keys, so that `close` can refuse the others.
class JsonObject {
 public:
  using Json = nlohmann::json;

  JsonObject(const Json& value, std::string path, JsonProblem& problem) : path_(std::move(path)), problem_(problem) {
    if (value.is_object()) {
      value_ = &value;
    } else {
      problem_.expected(path_, "an object", value);
    }
  }

  [[nodiscard]] std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json* optional(const std::string& key) {
    asked_.insert(key);
    if (value_ == nullptr) return nullptr;
    const auto found = value_->find(key);
    return found == value_->end() ? nullptr : &*found;
  }

  const Json& required(const std::string& key) {
    static const Json absent;
    if (const Json* found = optional(key)) return *found;
    problem_.add(path(key), "is missing");
    return absent;
  }

  std::string text(const std::string& key) { return as_text(required(key), path(key)); }

  std::string optional_text(const std::string& key) {
    const Json* found = optional(key);
    return found == nullptr ? std::string() : as_text(*found, path(key));
  }

  /// The member of `all` with that name; the last one if none matches.
  template <typename Values>
  auto one_of(const std::string& key, const Values& all) {
    const Json& value = required(key);
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](auto each) { return value == to_string(each); });
    if (found != std::end(all)) return *found;
    const auto last = std::prev(std::end(all));
    std::string names;
    for (auto each = std::begin(all); each != last; ++each)
      names += (names.empty() ? "" : ", ") + std::string(to_string(*each));
    problem_.expected(path(key), names + " or " + std::string(to_string(*last)), value);
    return *last;
  }

  std::size_t number(const std::string& key) {
    const Json& value = required(key);
    if (value.is_number_unsigned()) return value.get<std::size_t>();
    problem_.expected(path(key), "a whole number that is not negative", value);
    return 0;
  }

  /// A number of something of which there are `many`; `many` or more if it is none.
  std::size_t number_below(const std::string& key, std::size_t many) {
    const std::size_t out = number(key);
    if (out >= many)
      problem_.add(path(key), "is " + std::to_string(out) + ", but there are only " + std::to_string(many));
    return out;
  }

  bool boolean(const std::string& key) { return as_boolean(required(key), path(key)); }

  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> out;
    each(key, [&](const Json& item, const std::string& item_path) { out.push_back(as_text(item, item_path)); });
    return out;
  }

  template <typename Take>
  void each(const std::string& key, Take take) {
    const Json& items = required(key);
    if (!items.is_array()) return problem_.expected(path(key), "an array", items);
    for (std::size_t i = 0; i < items.size(); ++i) take(items[i], path(key) + "[" + std::to_string(i) + "]");
  }

  JsonObject object(const std::string& key) { return {required(key), path(key), problem_}; }

  std::string as_text(const Json& value, const std::string& where) {
    if (value.is_string()) return value.get<std::string>();
    problem_.expected(where, "a string", value);
    return {};
  }

  bool as_boolean(const Json& value, const std::string& where) {
    if (value.is_boolean()) return value.get<bool>();
    problem_.expected(where, "true or false", value);
    return false;
  }

  /// A document says by its member `schema` what it is.
  void must_be_of(const std::string& schema) {
    const std::string found = text("schema");
    if (found != schema) problem_.add("schema", "is \"" + printable(found) + "\", expected \"" + schema + "\"");
  }

  JsonProblem& problem() { return problem_; }

  void close() {
    if (value_ == nullptr) return;
    for (const auto& item : value_->items()) {
      if (!asked_.contains(item.key())) problem_.add(path(item.key()), "is not a key of this schema");
    }
  }

 private:
  const Json* value_ = nullptr;
  std::string path_;
  JsonProblem& problem_;
  std::set<std::string> asked_;
};

}  // namespace nodebound
