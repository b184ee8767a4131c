#include "fakes/http/request_head.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "fakes/http/request_line.h"
#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

const Objection bad_request_line{"400 Bad Request", {}};

std::vector<std::string_view> values_of(const HeaderFields& fields, std::string_view name) {
  std::vector<std::string_view> out;
  for (const auto& [own, value] : fields) {
    if (own == name) out.emplace_back(value);
  }
  return out;
}

std::string_view first_of(const HeaderFields& fields, std::string_view name) {
  for (const auto& [own, value] : fields) {
    if (own == name) return value;
  }
  return {};
}

/// Calls `use` with each element of a list.
template <typename Use>
void each_element(std::string_view list, Use use) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    use(without_blanks(list.substr(begin, end - begin)));
    begin = end + 1;
  }
}

/// Whether one of the lists contains the token (httpguts.HeaderValuesContainsToken).
bool lists(const std::vector<std::string_view>& values, std::string_view token) {
  bool found = false;
  for (const std::string_view value : values) {
    each_element(value, [&](std::string_view each) { found |= lower_case(each) == token; });
  }
  return found;
}

/// Whether the text contains the word between blanks or commas (hasToken of net/http).
bool has_word(std::string_view text, std::string_view word) {
  const std::string low = lower_case(text);
  const auto is_boundary = [&](std::size_t at) { return low[at] == ' ' || low[at] == ',' || low[at] == '\t'; };
  for (std::size_t at = low.find(word); at != std::string::npos; at = low.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || is_boundary(at - 1)) && (end == low.size() || is_boundary(end))) return true;
  }
  return false;
}

bool is_host_char(char c) {
  constexpr std::string_view marks = "!$%&()*+,-.:;=['_~]";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         marks.find(c) != std::string_view::npos;
}

std::optional<std::uint64_t> length_in(std::string_view text) {
  text = trimmed(text);
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return whole && out <= most ? std::optional(out) : std::nullopt;
}

bool names_framing(std::string_view list) {
  bool found = false;
  each_element(list, [&](std::string_view each) {
    const std::string name = lower_case(each);
    found |= name == "transfer-encoding" || name == "trailer" || name == "content-length";
  });
  return found;
}

}  // namespace

HeadReader::State HeadReader::broken(Objection objection) {
  objection_ = std::move(objection);
  return State::broken;
}

std::optional<Objection> HeadReader::line(std::string_view line) {
  auto read = RequestLine::of(line);
  if (!read || !is_token(read->method)) return bad_request_line;
  head_.method = read->method;
  head_.target = std::move(read->target);
  major_ = read->major;
  minor_ = read->minor;
  is_preface_ = major_ == 2 && minor_ == 0 && head_.method == "PRI" && read->sent == "*";
  return std::nullopt;
}

// With both a length and chunks, the chunks count, as in net/http; other servers may decide otherwise.
std::optional<Objection> HeadReader::framing() {
  const HeaderFields& fields = head_.fields;
  if (values_of(fields, "host").size() > 1) return bad_request_line;
  const auto encodings = values_of(fields, "transfer-encoding");
  const bool knows_encodings = major_ > 1 || (major_ == 1 && minor_ >= 1);
  if (knows_encodings && !encodings.empty()) {
    if (encodings.size() > 1 || lower_case(encodings.front()) != "chunked") {
      return Objection{"501 Not Implemented", "Unsupported transfer encoding"};
    }
    head_.chunked = true;
  }
  const auto lengths = values_of(fields, "content-length");
  for (const std::string_view length : lengths) {
    if (trimmed(length) != trimmed(lengths.front())) return bad_request_line;
  }
  if (!lengths.empty()) {
    const auto length = length_in(lengths.front());
    if (!length) return bad_request_line;
    if (!head_.chunked) head_.length = *length;
  }
  if (head_.chunked) {
    for (const std::string_view list : values_of(fields, "trailer")) {
      if (names_framing(list)) return bad_request_line;
    }
  }
  return std::nullopt;
}

std::optional<Objection> HeadReader::server_side() const {
  if (major_ != 1 && !is_preface_) {
    return Objection{"505 HTTP Version Not Supported: unsupported protocol version", {}};
  }
  const auto hosts = values_of(head_.fields, "host");
  const bool may_lack_host = head_.version_1_0 || head_.method == "CONNECT" || (is_preface_ && head_.fields.empty());
  if (hosts.empty() && !may_lack_host) return Objection{"400 Bad Request: missing required Host header", {}};
  if (!hosts.empty() && !std::all_of(hosts.front().begin(), hosts.front().end(), is_host_char)) {
    return Objection{"400 Bad Request: malformed Host header", {}};
  }
  for (const auto& [name, value] : head_.fields) {
    if (!is_token(name)) return Objection{"400 Bad Request: invalid header name", {}};
  }
  return std::nullopt;
}

void HeadReader::read_wishes() {
  const auto connection = values_of(head_.fields, "connection");
  const std::string_view first = first_of(head_.fields, "connection");
  const bool closes = lists(connection, "close") || (head_.version_1_0 && !lists(connection, "keep-alive"));
  head_.wants_close = closes || has_word(first, "close") || is_preface_;
  head_.keeps_1_0 = head_.version_1_0 && has_word(first, "keep-alive");
  const std::string_view expect = first_of(head_.fields, "expect");
  if (has_word(expect, "100-continue")) {
    head_.waits_for_continue = !head_.version_1_0 && head_.has_body();
  } else {
    head_.expects_else = !expect.empty();
  }
}

HeadReader::State HeadReader::read(std::string_view input) {
  if (line_size_ == 0) {
    const std::size_t end = input.find('\n');
    if (end == std::string_view::npos) return State::more;
    std::string_view first = input.substr(0, end);
    if (first.ends_with('\r')) first.remove_suffix(1);
    if (auto objection = line(first)) return broken(std::move(*objection));
    line_size_ = end + 1;
  }
  switch (reader_.read(input.substr(line_size_))) {
    case HeaderReader::State::more:
      return State::more;
    case HeaderReader::State::broken:
      return broken(bad_request_line);
    case HeaderReader::State::done:
      break;
  }
  head_.fields = std::move(reader_.fields());
  head_.version_1_0 = major_ == 1 && minor_ == 0;
  if (auto objection = framing()) return broken(std::move(*objection));
  if (auto objection = server_side()) return broken(std::move(*objection));
  read_wishes();
  return State::done;
}

}  // namespace nodebound
