#include "harness/objects/document.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>
#include <yaml.h>

#include "harness/objects/text_reader.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// No API object is nested this deeply. The limit bounds recursive readers.
constexpr std::size_t deepest = 200;

using Mistake = TextMistake;

// A key as a part of a JSON pointer (RFC 6901).
std::string pointer_step(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

/// Builds documents from the events of a parser.
class Builder {
 public:
  explicit Builder(const DocumentHandler& handler) : handler_(handler) {}

  [[nodiscard]] bool wants_key() const {
    return !open_.empty() && open_.back().container->is_object() && !open_.back().has_key;
  }

  void key(const std::string& text, int line) {
    Level& level = open_.back();
    if (level.container->contains(text)) throw Mistake(line, "the key \"" + printable(text) + "\" is here twice");
    level.key = text;
    level.has_key = true;
  }

  void value(Object scalar, int line) {
    place(line) = std::move(scalar);
    if (open_.empty()) end_document();
  }

  void open(Object container, int line) {
    if (open_.size() == deepest) {
      throw Mistake(line, "is nested deeper than " + std::to_string(deepest) + " levels", "no API object is");
    }
    Object& at = place(line);
    at = std::move(container);
    open_.push_back({&at, {}, false, pointer_});
  }

  void close() {
    open_.pop_back();
    if (open_.empty()) return end_document();
    if (!handler_.item || !at_items()) return;
    Object item = std::move(open_.back().container->back());
    open_.back().container->erase(open_.back().container->size() - 1);
    handler_.item(std::move(item), document_.item_lines.back());
    document_.item_lines.pop_back();
  }

 private:
  struct Level {
    Object* container;
    std::string key;
    bool has_key;
    std::string pointer;  ///< of the container; empty unless lines are wanted
  };

  // Whether the next or the just-ended value is an element of the document's list `items`.
  [[nodiscard]] bool at_items() const {
    return open_.size() == 2 && open_[0].key == "items" && open_[1].container->is_array();
  }

  void end_document() {
    Document document = std::exchange(document_, Document());
    if (!document.value.is_null()) handler_.document(std::move(document));
  }

  Object& place(int line) {
    if (open_.empty()) {
      document_.line = line;
      pointer_.clear();
      return document_.value;
    }
    Level& level = open_.back();
    if (level.container->is_array()) {
      if (at_items()) document_.item_lines.push_back(line);
      note_line([&] { return std::to_string(level.container->size()); }, line);
      level.container->push_back(nullptr);
      return level.container->back();
    }
    level.has_key = false;
    note_line([&] { return pointer_step(level.key); }, line);
    return (*level.container)[level.key];
  }

  template <typename Step>
  void note_line(const Step& step, int line) {
    if (!handler_.wants_lines) return;
    pointer_ = open_.back().pointer + "/" + step();
    document_.lines.emplace(pointer_, line);
  }

  const DocumentHandler& handler_;
  Document document_;
  std::vector<Level> open_;
  std::string pointer_;  ///< of the value that began last, if lines are wanted
};

bool all_digits(std::string_view text, std::string_view digits = "0123456789") {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// A number: `-`, digits with a point, an exponent.
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

/// An event of libyaml, which frees its memory.
struct YamlEvent : yaml_event_t {
  YamlEvent() : yaml_event_t() {}
  ~YamlEvent() { yaml_event_delete(this); }
  YamlEvent(const YamlEvent&) = delete;
  YamlEvent& operator=(const YamlEvent&) = delete;

  [[nodiscard]] int line() const { return static_cast<int>(start_mark.line) + 1; }
};

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

class YamlReader {
 public:
  YamlReader(TextReader& text, Builder& builder) : text_(text), builder_(builder) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input(&parser_, &YamlReader::give, this);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  ~YamlReader() { yaml_parser_delete(&parser_); }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  void read() {
    for (bool more = true; more;) {
      YamlEvent event;
      if (yaml_parser_parse(&parser_, &event) == 0) refuse();
      more = event.type != YAML_STREAM_END_EVENT;
      take(event);
    }
  }

 private:
  // Exceptions must not pass through libyaml, which is C: errors of the text are kept, and thrown after libyaml
  // returns.
  static int give(void* self, unsigned char* to, std::size_t size, std::size_t* given) {
    auto& reader = *static_cast<YamlReader*>(self);
    try {
      *given = reader.text_.read(reinterpret_cast<char*>(to), size);
      return 1;
    } catch (const Mistake& mistake) {
      reader.mistake_ = mistake;
      return 0;
    }
  }

  [[noreturn]] void refuse() const {
    if (mistake_) throw Mistake(*mistake_);
    const std::string what = parser_.problem == nullptr ? "it cannot be read" : parser_.problem;
    throw Mistake(static_cast<int>(parser_.problem_mark.line) + 1, "is not valid YAML: " + what);
  }

  void take(const YamlEvent& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        throw Mistake(event.line(), "is an alias, which is not supported",
                      "write out what it stands for; kubectl prints no aliases");
      case YAML_SCALAR_EVENT:
        return scalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return open(Object::array(), text_of(event.data.sequence_start.tag), event.line());
      case YAML_MAPPING_START_EVENT:
        return open(Object::object(), text_of(event.data.mapping_start.tag), event.line());
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return builder_.close();
      default:
        return;
    }
  }

  void scalar(const YamlEvent& event) {
    const auto& scalar = event.data.scalar;
    const std::string tag = text_of(scalar.tag);
    std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool plain = tag.empty() && scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (builder_.wants_key()) {
      const bool null = plain && plain_scalar(text, event.line()).is_null();
      if (null) throw Mistake(event.line(), "expected text as a key, found null", "quote it");
      return builder_.key(text, event.line());
    }
    if (!tag.empty() && tag != "!" && tag != "tag:yaml.org,2002:str") refuse_tag(tag, event.line());
    builder_.value(plain ? plain_scalar(text, event.line()) : Object(std::move(text)), event.line());
  }

  void open(Object container, const std::string& tag, int line) {
    if (builder_.wants_key()) throw Mistake(line, "expected text as a key, found a list or a mapping");
    const bool usual = tag.empty() || tag == "!" || tag == "tag:yaml.org,2002:map" || tag == "tag:yaml.org,2002:seq";
    if (!usual) refuse_tag(tag, line);
    builder_.open(std::move(container), line);
  }

  [[noreturn]] static void refuse_tag(const std::string& tag, int line) {
    throw Mistake(line, "has the tag " + printable(tag) + ", which no API object has", "leave the tag out");
  }

  yaml_parser_t parser_{};
  TextReader& text_;
  Builder& builder_;
  std::optional<Mistake> mistake_;
};

/// An input iterator over the text, which counts the lines. Copies share their position: a parser takes each character
/// once.
class CharacterIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  /// Null makes the end iterator of any text.
  explicit CharacterIterator(TextReader* text) : text_(text) {}

  reference operator*() const { return text_->current(); }
  CharacterIterator& operator++() {
    text_->advance();
    return *this;
  }
  bool operator==(const CharacterIterator& other) const { return ended() == other.ended(); }
  bool operator!=(const CharacterIterator& other) const { return ended() != other.ended(); }

 private:
  [[nodiscard]] bool ended() const { return text_ == nullptr || text_->ended(); }

  TextReader* text_;
};

class JsonReader final : public nlohmann::json_sax<Object> {
 public:
  JsonReader(Builder& builder, const TextReader& text) : builder_(builder), text_(text) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool flag) override { return value(flag); }
  bool number_integer(number_integer_t number) override { return value(number); }
  bool number_unsigned(number_unsigned_t number) override { return value(number); }
  bool number_float(number_float_t number, const string_t&) override { return value(number); }
  bool string(string_t& text) override { return value(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Object::object()); }
  bool key(string_t& text) override {
    builder_.key(text, text_.line());
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Object::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // The parser's position is relative to the document, and the text that it quotes may be secret.
    const std::string what = error.what();
    const std::size_t from = what.find("syntax error");
    const std::string told = from == std::string::npos ? what : what.substr(from);
    throw Mistake(text_.line(), "is not valid JSON: " + printable(told.substr(0, told.find("; last read"))));
  }

 private:
  bool value(Object scalar) {
    builder_.value(std::move(scalar), text_.line());
    return true;
  }
  bool open(Object container) {
    builder_.open(std::move(container), text_.line());
    return true;
  }
  bool close() {
    builder_.close();
    return true;
  }

  Builder& builder_;
  const TextReader& text_;
};

constexpr std::string_view blanks = " \t\r\n";

// JSON is valid YAML, but JSON's own parser is faster and knows all of its escapes.
bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::size_t next = text.find_first_not_of(blanks, first + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

void read_json(TextReader& text, Builder& builder) {
  JsonReader reader(builder, text);
  while (true) {
    while (!text.ended() && blanks.find(text.current()) != std::string_view::npos) text.advance();
    if (text.ended()) return;
    Object::sax_parse(CharacterIterator(&text), CharacterIterator(nullptr), &reader,
                      nlohmann::detail::input_format_t::json, false);
  }
}

}  // namespace

TextSource source_of(std::string_view text) {
  return [rest = text](char* to, std::size_t size) mutable {
    const std::size_t given = std::min(size, rest.size());
    if (given > 0) std::memcpy(to, rest.data(), given);
    rest.remove_prefix(given);
    return given;
  };
}

Result<void> read_documents(const TextSource& source, const std::string& file, const DocumentHandler& handler) {
  try {
    TextReader text(source);
    Builder builder(handler);
    if (is_json(text.ahead())) {
      read_json(text, builder);
    } else {
      YamlReader(text, builder).read();
    }
    return {};
  } catch (const Mistake& mistake) {
    return input_error(file + ":" + std::to_string(mistake.line), mistake.what(), mistake.hint);
  }
}

Result<std::vector<Document>> read_documents(std::string_view text, const std::string& file) {
  std::vector<Document> documents;
  const DocumentHandler handler{nullptr, [&](Document&& document) { documents.push_back(std::move(document)); }};
  if (Result<void> read = read_documents(source_of(text), file, handler); !read) {
    return tl::unexpected<Error>(read.error());
  }
  return documents;
}

}  // namespace nodebound
