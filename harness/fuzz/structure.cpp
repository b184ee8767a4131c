#include "harness/fuzz/structure.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "fakes/wire/yaml/yaml.h"
#include "harness/scenario/toml_json.h"
#include "reference/encoding/joined.h"
#include "reference/release/toml_reader.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace nodebound::fuzz {

std::string Chance::bytes(std::string_view text, std::size_t more) {
  std::string out(text);
  out.resize(text.size() + more);
  out.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(out.data()), text.size(), out.size()));
  return out;
}

namespace {

// Deeper trees are left alone, because they are walked by recursion.
constexpr std::size_t deepest = 150;

bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (const char c : text) {
    if ((c == '{' || c == '[') && ++depth > deepest) return true;
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return false;
}

/// A value and its parent; a null parent for the whole tree.
struct Place {
  Object* value;
  Object* holder;
  std::string key;
  std::size_t index = 0;
};

std::vector<Place> places_in(Object& tree) {
  std::vector<Place> out{{&tree, nullptr, {}}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    Object& value = *out[i].value;
    if (value.is_object()) {
      for (auto& [key, item] : value.items()) out.push_back({&item, &value, key});
    } else if (value.is_array()) {
      for (std::size_t k = 0; k < value.size(); ++k) out.push_back({&value[k], &value, {}, k});
    }
  }
  return out;
}

Object odd_value(Chance& chance) {
  static const Object odd[] = {nullptr,
                               true,
                               false,
                               0,
                               -1,
                               1.5,
                               "",
                               "a",
                               "-",
                               "*",
                               "/",
                               "..",
                               "system:masters",
                               "system:node:n",
                               Object::array(),
                               Object::object(),
                               std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::uint64_t>::max(),
                               1e308,
                               "\xff\xfe",
                               std::string("a\0b", 3),
                               "2026-01-01T00:00:00Z",
                               "9223372036854775808",
                               Object::array({nullptr}),
                               Object{{"name", "n"}},
                               Object::array({Object::object()})};
  return chance.of(odd);
}

void take_away(const Place& at) {
  if (at.holder->is_object()) {
    at.holder->erase(at.key);
  } else {
    at.holder->erase(at.index);
  }
}

void rename_to(const Place& at, const std::string& key) {
  if (!at.holder->is_object() || at.key == key) return;
  Object value = std::move(*at.value);
  at.holder->erase(at.key);
  (*at.holder)[key] = std::move(value);
}

void nudge(Object& value, Chance& chance) {
  if (value.is_string()) {
    value = chance.bytes(value.get_ref<const std::string&>(), 16);
  } else if (value.is_number_integer()) {
    const auto number = static_cast<std::uint64_t>(value.get<std::int64_t>());
    value = static_cast<std::int64_t>(chance.one_in(2) ? number + 1 : number - 1);
  } else if (value.is_boolean()) {
    value = !value.get<bool>();
  } else {
    value = odd_value(chance);
  }
}

// Puts a value beside another: next in a list, or under another name in an object.
void put_beside(const Place& at, Object value, const std::string& key) {
  if (at.holder->is_array()) {
    at.holder->push_back(std::move(value));
  } else {
    (*at.holder)[key] = std::move(value);
  }
}

void change_once(Object& tree, Chance& chance) {
  std::vector<Place> places = places_in(tree);
  const Place at = chance.of(places);
  const Place other = chance.of(places);
  // A value must not be put into itself.
  const Object copy = *other.value;
  const std::string key = other.key.empty() || chance.one_in(8) ? chance.bytes(at.key, 16) : other.key;
  const std::size_t kind = chance.below(9);
  if (kind == 0 && at.holder != nullptr) return take_away(at);
  if (kind == 1 && at.holder != nullptr) return put_beside(at, *at.value, key);
  if (kind == 2 && at.holder != nullptr) return put_beside(at, copy, key);
  if (kind == 3 && at.holder != nullptr) return rename_to(at, key);
  if (kind == 4) {
    *at.value = copy;
  } else if (kind == 5) {
    Object held = std::move(*at.value);
    *at.value = chance.one_in(2) ? Object::array({std::move(held)}) : Object{{key, std::move(held)}};
  } else if (kind == 6) {
    *at.value = odd_value(chance);
  } else {
    nudge(*at.value, chance);
  }
}

std::string written(const Object& tree, int indent = -1) {
  return tree.dump(indent, ' ', false, Object::error_handler_t::ignore);
}

std::optional<Object> tree_of(std::string_view text) {
  if (is_too_deep(text)) return std::nullopt;
  Object tree = Object::parse(text, nullptr, false);
  if (tree.is_discarded()) return std::nullopt;
  return tree;
}

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) out += c;
  }
  return out + '"';
}

// Leaves out what TOML cannot express: null, and numbers beyond 64 bits.
std::optional<std::string> toml_of(const Object& value) {
  if (value.is_string()) return toml_text(value.get_ref<const std::string&>());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63U != 0) return std::nullopt;
  if (value.is_number() || value.is_boolean()) return value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    const auto text = toml_of(item);
    if (!text) continue;
    if (!out.empty()) out += ", ";
    out += value.is_object() ? toml_text(key) + " = " + *text : *text;
  }
  if (value.is_object()) return "{ " + out + " }";
  if (value.is_array()) return "[" + out + "]";
  return std::nullopt;
}

std::string toml_document(const Object& tree) {
  std::string out;
  for (const auto& [key, value] : tree.items()) {
    const auto text = toml_of(value);
    if (text) out += toml_text(key) + " = " + *text + "\n";
  }
  return out;
}

std::vector<std::string> split(std::string_view text, std::string_view divider) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find(divider);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + divider.size());
  }
}

/// One HTTP request: its first line, header fields and body.
struct Message {
  std::vector<std::string> lines;
  std::string body;
};

constexpr std::string_view length_field = "content-length:";

bool is_length(std::string_view line) {
  return line.size() >= length_field.size() &&
         std::equal(length_field.begin(), length_field.end(), line.begin(),
                    [](char want, char have) { return want == (have >= 'A' && have <= 'Z' ? have + 32 : have); });
}

std::vector<Message> messages_in(std::string_view text) {
  std::vector<Message> out;
  while (!text.empty() && out.size() < 32) {
    const std::size_t end = text.find("\r\n\r\n");
    Message message{split(text.substr(0, end), "\r\n"), {}};
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 4);
    std::size_t length = 0;
    for (const std::string& line : message.lines) {
      if (is_length(line)) length = std::strtoul(line.c_str() + length_field.size(), nullptr, 10);
    }
    const bool chunked = std::any_of(message.lines.begin(), message.lines.end(),
                                     [](const std::string& line) { return line.find("chunked") != std::string::npos; });
    message.body = text.substr(0, chunked ? text.size() : std::min(length, text.size()));
    text.remove_prefix(message.body.size());
    out.push_back(std::move(message));
  }
  return out;
}

void change_fields(Message& message, Chance& chance) {
  static const std::string odd[] = {"Transfer-Encoding: chunked",
                                    "Transfer-Encoding: identity",
                                    "Content-Length: 0",
                                    "Content-Length: 5",
                                    "Content-Length: -1",
                                    "Connection: close",
                                    "Connection: Upgrade",
                                    "Expect: 100-continue",
                                    "Host: b",
                                    "Upgrade: websocket",
                                    "Authorization: Bearer r",
                                    "Authorization: Bearer n",
                                    "Impersonate-User: system:node:n",
                                    "Impersonate-Group: system:nodes",
                                    "Accept: application/json;as=Table;g=meta.k8s.io;v=v1",
                                    "Accept: */*",
                                    "Accept: application/vnd.kubernetes.protobuf",
                                    "Accept-Encoding: gzip",
                                    "Content-Type: application/yaml",
                                    "Content-Type: application/apply-patch+yaml",
                                    "Content-Type: application/merge-patch+json",
                                    "Content-Type: application/strategic-merge-patch+json",
                                    "Content-Type: application/json-patch+json",
                                    " folded"};
  auto& lines = message.lines;
  const std::size_t at = chance.below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (chance.below(5)) {
    case 0:
      lines.insert(place + 1, chance.of(odd));
      break;
    case 1:
      lines.insert(place, std::string(lines[at]));
      break;
    case 2:
      std::swap(lines[at], lines[chance.below(lines.size())]);
      break;
    case 3:
      if (at > 0) lines.erase(place);
      break;
    default:
      lines[at] = chance.bytes(lines[at]);
  }
}

void change_body(Message& message, Chance& chance) {
  auto changed = chance.one_in(4) ? std::nullopt : changed_json(message.body, chance);
  message.body = changed ? std::move(*changed) : chance.bytes(message.body);
}

// Splits the body into chunks of random sizes, whatever its framing was before.
void cut_body(Message& message, Chance& chance) {
  std::erase_if(message.lines, is_length);
  message.lines.emplace_back("Transfer-Encoding: chunked");
  std::string_view rest = message.body;
  std::string out;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size(), 1 + chance.below(rest.size()));
    char digits[20];
    std::snprintf(digits, sizeof digits, "%zx", size);
    out += digits + std::string("\r\n") + std::string(rest.substr(0, size)) + "\r\n";
    rest.remove_prefix(size);
  }
  message.body = out + (chance.one_in(4) ? "0\r\nX: y\r\n\r\n" : "0\r\n\r\n");
}

void tell_length(Message& message) {
  for (std::string& line : message.lines) {
    if (is_length(line)) line = "Content-Length: " + std::to_string(message.body.size());
  }
}

}  // namespace

void change(Object& tree, Chance& chance) {
  const std::size_t times = 1 + (chance.one_in(3) ? chance.below(4) : 0);
  for (std::size_t i = 0; i < times; ++i) change_once(tree, chance);
}

std::optional<std::string> changed_json(std::string_view text, Chance& chance) {
  auto tree = tree_of(text);
  if (!tree) return std::nullopt;
  change(*tree, chance);
  return written(*tree);
}

std::optional<std::string> changed_yaml(std::string_view text, Chance& chance) {
  constexpr std::string_view divider = "\n---\n";
  std::vector<std::string> documents = split(text, divider);
  std::string& one = documents[chance.below(documents.size())];
  if (is_too_deep(one)) return std::nullopt;
  auto tree = read_yaml(one);
  if (!tree) return std::nullopt;
  change(*tree, chance);
  const std::string plain = written(*tree);
  if (is_too_deep(plain)) return std::nullopt;
  one = chance.one_in(2) ? plain : write_yaml(Object::parse(plain));
  return joined(documents, divider);
}

std::optional<std::string> changed_toml(std::string_view text, Chance& chance) {
  if (is_too_deep(text)) return std::nullopt;
  try {
    Object tree = to_json(parse_toml(text, "x.toml"));
    change(tree, chance);
    if (!tree.is_object()) return std::nullopt;
    return toml_document(tree);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  } catch (const TomlMistake&) {
    return std::nullopt;
  }
}

std::optional<std::string> changed_lines(std::string_view text, Chance& chance) {
  std::vector<std::string> lines = split(text, "\n");
  const std::size_t at = chance.below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (chance.below(6)) {
    case 0:
      lines.erase(place);
      break;
    case 1:
      lines.insert(place, std::string(lines[at]));
      break;
    case 2:
      std::swap(lines[at], lines[chance.below(lines.size())]);
      break;
    default:
      auto changed = changed_json(lines[at], chance);
      if (!changed) return std::nullopt;
      lines[at] = std::move(*changed);
  }
  return joined(lines, "\n");
}

std::optional<std::string> changed_http(std::string_view text, Chance& chance) {
  std::vector<Message> messages = messages_in(text);
  if (messages.empty()) return std::nullopt;
  const std::size_t at = chance.below(messages.size());
  const std::size_t kind = chance.below(8);
  if (kind < 3) {
    change_fields(messages[at], chance);
  } else if (kind < 5) {
    change_body(messages[at], chance);
  } else if (kind == 5) {
    cut_body(messages[at], chance);
  } else if (kind == 6) {
    messages.push_back(messages[chance.below(messages.size())]);
  } else {
    std::swap(messages[at], messages[chance.below(messages.size())]);
  }
  std::string out;
  for (Message& message : messages) {
    if (!chance.one_in(8)) tell_length(message);
    out += joined(message.lines, "\r\n") + "\r\n\r\n" + message.body;
  }
  return out;
}

std::size_t mutated(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t prefix,
                    const Changed& changed) {
  Chance chance(seed);
  if (size > prefix && !chance.one_in(4)) {
    const std::string_view text(reinterpret_cast<const char*>(data) + prefix, size - prefix);
    const auto out = changed(text, chance);
    if (out && prefix + out->size() <= most && *out != text) {
      std::memcpy(data + prefix, out->data(), out->size());
      return prefix + out->size();
    }
    if (!chance.one_in(8)) return prefix + LLVMFuzzerMutate(data + prefix, size - prefix, most - prefix);
  }
  return LLVMFuzzerMutate(data, size, most);
}

}  // namespace nodebound::fuzz
