#include "fakes/http/header_reader.h"

#include <algorithm>

#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

constexpr std::size_t kMostQuoted = 80;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_token_char(char c) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         marks.find(c) != std::string_view::npos;
}

bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string lower_case(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

HeaderReader::State HeaderReader::broken(std::string_view what, std::string_view line) {
  error_ = std::string(what) + ": " + go_quoted(line);
  return State::broken;
}

HeaderReader::State HeaderReader::add(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  // A blank in a name is accepted here and refused by the server, so nobody can take it for another name.
  const auto fits_name = [](char c) { return is_token_char(c) || c == ' '; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits_name) ||
      !std::all_of(value.begin(), value.end(), is_value_char)) {
    return broken("malformed MIME header line", line);
  }
  while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
  fields_.emplace_back(lower_case(name), value);
  return State::more;
}

HeaderReader::State HeaderReader::read(std::string_view input) {
  while (true) {
    const std::size_t end = input.find('\n', position_);
    if (end == std::string_view::npos) return State::more;
    std::string_view line = without_return(input.substr(position_, end - position_));
    if (position_ == 0 && !line.empty() && is_blank(line.front())) {
      if (line.size() <= kMostQuoted) return broken("malformed MIME header initial line", line);
      error_ = "message too large";
      return State::broken;
    }
    if (line.empty()) {
      position_ = end + 1;
      return State::done;
    }
    if (line.find(':') == std::string_view::npos) return broken("malformed MIME header: missing colon", line);
    std::string whole(without_blanks(line));
    std::size_t next = end + 1;
    while (next < input.size() && is_blank(input[next])) {
      const std::size_t begin = input.find_first_not_of(" \t", next);
      const std::size_t stop = begin == std::string_view::npos ? begin : input.find('\n', begin);
      if (stop == std::string_view::npos) return State::more;
      whole.append(" ").append(without_blanks(without_return(input.substr(begin, stop - begin))));
      next = stop + 1;
    }
    // The line is complete only if the next line does not continue it.
    if (next == input.size()) return State::more;
    if (add(whole) == State::broken) return State::broken;
    position_ = next;
  }
}

}  // namespace nodebound
