#include "harness/objects/document.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "reports/text.h"

namespace nodebound {
namespace {

// No API object comes near it; what reads them calls itself for each level.
constexpr std::size_t deepest = 200;

struct Mistake : std::runtime_error {
  Mistake(int at, const std::string& what, std::string next = {})
      : std::runtime_error(what), line(at), hint(std::move(next)) {}
  int line;
  std::string hint;
};

/// Puts documents together from what a parser meets.
class Builder {
 public:
  [[nodiscard]] bool wants_key() const {
    return !open_.empty() && open_.back().container->is_object() && !open_.back().has_key;
  }

  void key(const std::string& text, int line) {
    Level& level = open_.back();
    if (level.container->contains(text)) throw Mistake(line, "the key \"" + printable(text) + "\" is here twice");
    level.key = text;
    level.has_key = true;
  }

  void value(Object scalar, int line) { place(line) = std::move(scalar); }

  void open(Object container, int line) {
    if (open_.size() == deepest) {
      throw Mistake(line, "is nested deeper than " + std::to_string(deepest) + " levels", "no API object is");
    }
    Object& at = place(line);
    at = std::move(container);
    open_.push_back({&at, {}, false});
  }

  void close() { open_.pop_back(); }

  std::vector<Document> documents;

 private:
  struct Level {
    Object* container;
    std::string key;
    bool has_key;
  };

  Object& place(int line) {
    if (open_.empty()) {
      documents.push_back({nullptr, line, {}});
      return documents.back().value;
    }
    Level& level = open_.back();
    if (level.container->is_array()) {
      if (open_.size() == 2 && open_[0].key == "items") documents.back().item_lines.push_back(line);
      level.container->push_back(nullptr);
      return level.container->back();
    }
    level.has_key = false;
    return (*level.container)[level.key];
  }

  std::vector<Level> open_;
};

bool all_digits(std::string_view text, std::string_view digits = "0123456789") {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// `-`, digits, a point among them, an exponent.
bool looks_like_float(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('-') || exponent.starts_with('+')) exponent.remove_prefix(1);
    if (!all_digits(exponent)) return false;
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return all_digits(text);
  const std::string_view before = text.substr(0, point);
  const std::string_view after = text.substr(point + 1);
  return (before.empty() || all_digits(before)) && (after.empty() ? !before.empty() : all_digits(after));
}

template <typename Number>
bool read_number(std::string_view text, int base, Object& out) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc() || end != text.data() + text.size()) return false;
  out = number;
  return true;
}

Object number_of(std::string_view text, int base) {
  Object out;
  if (read_number<std::int64_t>(text, base, out) || read_number<std::uint64_t>(text, base, out)) return out;
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The core schema of YAML 1.2.
Object plain_scalar(const std::string& text, int line) {
  for (const std::string_view word : {"", "~", "null", "Null", "NULL"}) {
    if (text == word) return nullptr;
  }
  for (const std::string_view word : {"true", "True", "TRUE"}) {
    if (text == word) return true;
  }
  for (const std::string_view word : {"false", "False", "FALSE"}) {
    if (text == word) return false;
  }
  std::string_view digits = text;
  if (digits.starts_with("0o") && all_digits(digits.substr(2), "01234567")) return number_of(digits.substr(2), 8);
  if (digits.starts_with("0x") && all_digits(digits.substr(2), "0123456789abcdefABCDEF")) {
    return number_of(digits.substr(2), 16);
  }
  if (looks_like_float(digits)) {
    if (digits.starts_with('+')) digits.remove_prefix(1);
    return number_of(digits, 10);
  }
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  for (const std::string_view word : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    if (digits == word) throw Mistake(line, "\"" + text + "\" is no number that JSON has", "quote it if it is text");
  }
  return text;
}

class YamlReader final : public YAML::EventHandler {
 public:
  explicit YamlReader(Builder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (builder_.wants_key()) throw Mistake(mark.line + 1, "expected text as a key, found null", "quote it");
    builder_.value(nullptr, mark.line + 1);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Mistake(mark.line + 1, "is an alias, which is not supported",
                  "write out what it stands for; kubectl prints no aliases");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& text) override {
    const int line = mark.line + 1;
    if (builder_.wants_key()) return builder_.key(text, line);
    const bool plain = tag.empty() || tag == "?";
    if (!plain && tag != "!" && tag != "tag:yaml.org,2002:str") refuse_tag(tag, line);
    builder_.value(plain ? plain_scalar(text, line) : Object(text), line);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(Object::array(), tag, mark.line + 1);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(Object::object(), tag, mark.line + 1);
  }
  void OnMapEnd() override { builder_.close(); }

 private:
  void open(Object container, const std::string& tag, int line) {
    if (builder_.wants_key()) throw Mistake(line, "expected text as a key, found a list or a mapping");
    const bool usual =
        tag.empty() || tag == "?" || tag == "!" || tag == "tag:yaml.org,2002:map" || tag == "tag:yaml.org,2002:seq";
    if (!usual) refuse_tag(tag, line);
    builder_.open(std::move(container), line);
  }
  [[noreturn]] static void refuse_tag(const std::string& tag, int line) {
    throw Mistake(line, "has the tag " + printable(tag) + ", which no API object has", "leave the tag out");
  }

  Builder& builder_;
};

/// Reads characters and counts lines. All copies move on together: a parser takes each character once.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  struct Position {
    const char* at;
    int line = 1;
  };

  explicit CountingIterator(Position& position) : position_(&position) {}
  CountingIterator(Position& position, const char* end) : position_(&position), end_(end) {}

  reference operator*() const { return *position_->at; }
  CountingIterator& operator++() {
    position_->line += *position_->at == '\n' ? 1 : 0;
    ++position_->at;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return place() == other.place(); }
  bool operator!=(const CountingIterator& other) const { return place() != other.place(); }

 private:
  [[nodiscard]] const char* place() const { return end_ == nullptr ? position_->at : end_; }

  Position* position_;
  const char* end_ = nullptr;
};

class JsonReader final : public nlohmann::json_sax<Object> {
 public:
  JsonReader(Builder& builder, const CountingIterator::Position& position) : builder_(builder), position_(position) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool flag) override { return value(flag); }
  bool number_integer(number_integer_t number) override { return value(number); }
  bool number_unsigned(number_unsigned_t number) override { return value(number); }
  bool number_float(number_float_t number, const string_t&) override { return value(number); }
  bool string(string_t& text) override { return value(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Object::object()); }
  bool key(string_t& text) override {
    builder_.key(text, position_.line);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Object::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // Its own place counts from the document's beginning, and what it has read last may be secret.
    const std::string what = error.what();
    const std::size_t from = what.find("syntax error");
    const std::string told = from == std::string::npos ? what : what.substr(from);
    throw Mistake(position_.line, "is not valid JSON: " + printable(told.substr(0, told.find("; last read"))));
  }

 private:
  bool value(Object scalar) {
    builder_.value(std::move(scalar), position_.line);
    return true;
  }
  bool open(Object container) {
    builder_.open(std::move(container), position_.line);
    return true;
  }
  bool close() {
    builder_.close();
    return true;
  }

  Builder& builder_;
  const CountingIterator::Position& position_;
};

constexpr std::string_view blanks = " \t\r\n";

// JSON is YAML, too, but its own parser is faster, and knows all of its escapes.
bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::size_t next = text.find_first_not_of(blanks, first + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

void read_json(std::string_view text, Builder& builder) {
  const char* const end = text.data() + text.size();
  CountingIterator::Position position{text.data()};
  JsonReader reader(builder, position);
  while (true) {
    CountingIterator next(position);
    while (position.at != end && blanks.find(*position.at) != std::string_view::npos) ++next;
    if (position.at == end) return;
    Object::sax_parse(next, CountingIterator(position, end), &reader, nlohmann::detail::input_format_t::json, false);
  }
}

void read_yaml(std::string_view text, Builder& builder) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  YamlReader reader(builder);
  while (parser.HandleNextDocument(reader)) {
  }
}

int line_at(std::string_view text, std::size_t offset) {
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n')) + 1;
}

// The parsers take some of these for the end of the text.
void refuse_odd_bytes(std::string_view text) {
  const auto odd = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
  if (odd != text.end()) {
    throw Mistake(line_at(text, static_cast<std::size_t>(odd - text.begin())), "has a control character",
                  "expected YAML or JSON text");
  }
  const std::string valid = valid_utf8(text);
  const auto [bad, instead] = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end());
  if (bad != text.end()) {
    throw Mistake(line_at(text, static_cast<std::size_t>(bad - text.begin())), "is not UTF-8",
                  "expected YAML or JSON text in UTF-8");
  }
}

}  // namespace

Result<std::vector<Document>> read_documents(std::string_view text, const std::string& file) {
  const auto at = [&](int line) { return file + ":" + std::to_string(line); };
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Builder builder;
  try {
    refuse_odd_bytes(text);
    is_json(text) ? read_json(text, builder) : read_yaml(text, builder);
  } catch (const Mistake& mistake) {
    return input_error(at(mistake.line), mistake.what(), mistake.hint);
  } catch (const YAML::Exception& problem) {
    const bool placed = !problem.mark.is_null();
    return input_error(placed ? at(problem.mark.line + 1) : file, "is not valid YAML: " + problem.msg);
  }
  std::erase_if(builder.documents, [](const Document& document) { return document.value.is_null(); });
  return std::move(builder.documents);
}

}  // namespace nodebound
