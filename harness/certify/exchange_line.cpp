#include "harness/certify/exchange_line.h"

#include <algorithm>
#include <simdjson.h>

#include "harness/certify/bounded_json.h"
#include "reference/encoding/utf8.h"

namespace nodebound::certify {
namespace {

// Appends a JSON string as nlohmann::json writes it; false if the text is not UTF-8.
bool append_string(std::string& out, std::string_view text) {
  if (!is_utf8(text)) return false;
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (;;) {
    const auto special = std::find_if(
        text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
    out.append(text.begin(), special);
    if (special == text.end()) break;
    const auto byte = static_cast<unsigned char>(*special);
    constexpr std::string_view named = "\"\\\b\f\n\r\t";
    constexpr std::string_view names = "\"\\bfnrt";
    const std::size_t place = named.find(*special);
    out += '\\';
    if (place != std::string_view::npos) {
      out += names[place];
    } else {
      out.append("u00").append(1, digits[byte >> 4U]).append(1, digits[byte & 0xfU]);
    }
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()) + 1);
  }
  out += '"';
  return true;
}

/// Writes the members of an object, in the order of their keys.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }

  void key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    good_ = append_string(out_, name) && good_;
    out_ += ':';
  }
  void text(std::string_view name, std::string_view value) {
    key(name);
    good_ = append_string(out_, value) && good_;
  }
  void text_unless_empty(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    key(name);
    out_ += '[';
    for (const std::string& value : values) {
      if (out_.back() != '[') out_ += ',';
      good_ = append_string(out_, value) && good_;
    }
    out_ += ']';
  }
  template <typename Write>
  void object(std::string_view name, const Write& write) {
    key(name);
    ObjectText inner(out_);
    write(inner);
    good_ = inner.close() && good_;
  }
  bool close() {
    out_ += '}';
    return good_;
  }

 private:
  std::string& out_;
  bool good_ = true;
};

void append_subject(ObjectText& out, const Subject& subject) {
  if (!subject.extra.empty()) {
    out.object("extra", [&](ObjectText& extra) {
      for (const auto& [name, values] : subject.extra) extra.texts(name, values);
    });
  }
  if (!subject.groups.empty()) out.texts("groups", subject.groups);
  out.text_unless_empty("name", subject.name);
  out.text_unless_empty("uid", subject.uid);
}

bool read_headers(const simdjson::dom::element& value, HttpResponse& out) {
  simdjson::dom::object headers;
  if (value.get(headers) != simdjson::SUCCESS) return false;
  for (const simdjson::dom::key_value_pair header : headers) {
    std::string_view text;
    if (header.value.get(text) != simdjson::SUCCESS) return false;
    out.headers[std::string(header.key)] = text;
  }
  return true;
}

// False if the answer has another form, or is an error.
bool read_member(const simdjson::dom::key_value_pair& member, HttpResponse& out) {
  if (member.key == "status") {
    constexpr std::int64_t highest = 999;
    std::int64_t status = 0;
    if (member.value.get(status) != simdjson::SUCCESS || status < 0 || status > highest) return false;
    out.status = static_cast<int>(status);
    return true;
  }
  if (member.key == "headers") return read_headers(member.value, out);
  std::string_view text;
  if (member.key != "body" && member.key != "type") return false;
  if (member.value.get(text) != simdjson::SUCCESS) return false;
  (member.key == "body" ? out.body : out.content_type) = text;
  return true;
}

std::optional<HttpResponse> read_plain_answer(std::string_view json) {
  thread_local simdjson::dom::parser parser;
  thread_local std::string padded;
  padded.reserve(json.size() + simdjson::SIMDJSON_PADDING);
  padded.assign(json);
  simdjson::dom::object members;
  if (parser.parse(padded.data(), padded.size(), false).get(members) != simdjson::SUCCESS) return std::nullopt;
  HttpResponse out;
  for (const simdjson::dom::key_value_pair member : members) {
    if (!read_member(member, out)) return std::nullopt;
  }
  return out.status == 0 ? std::nullopt : std::optional(std::move(out));
}

}  // namespace

std::optional<std::string> ask_text(const Subject& subject, const HttpRequest& request) {
  std::string out;
  out.reserve(request.body.size() + request.body.size() / 4 + 512);
  ObjectText ask(out);
  ask.text_unless_empty("accept", request.accept);
  ask.object("as", [&](ObjectText& as) { append_subject(as, subject); });
  ask.text_unless_empty("body", request.body);
  if (!request.headers.empty()) {
    ask.object("headers", [&](ObjectText& headers) {
      for (const auto& [name, value] : request.headers) headers.text(name, value);
    });
  }
  ask.text("method", request.method);
  ask.text_unless_empty("target", request.target);
  ask.text_unless_empty("type", request.content_type);
  if (request.watch) {
    ask.key("watch");
    out += "true";
  }
  return ask.close() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<HttpResponse> answer_in_line(std::string_view line, const Subject& subject, const HttpRequest& request) {
  constexpr std::string_view answer = "{\"answer\":";
  constexpr std::string_view then = ",\"ask\":";
  if (!line.starts_with(answer) || !line.ends_with('}')) return std::nullopt;
  const std::optional<std::string> ask = ask_text(subject, request);
  line.remove_prefix(answer.size());
  line.remove_suffix(1);
  if (!ask || !line.ends_with(*ask)) return std::nullopt;
  line.remove_suffix(ask->size());
  if (!line.ends_with(then)) return std::nullopt;
  line.remove_suffix(then.size());
  // What is left must be the answer, whole: then the line is these two, and nothing else.
  return read_plain_answer(line);
}

}  // namespace nodebound::certify
