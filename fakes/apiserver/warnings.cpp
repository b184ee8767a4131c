#include "fakes/apiserver/warnings.h"

#include <algorithm>

#include "reference/encoding/utf8.h"

namespace nodebound::apiserver {
namespace {

constexpr std::size_t most_characters = 4096;
constexpr std::size_t most_characters_of_long = 256;

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(const std::string& text) {
  std::size_t left = most_characters_of_long + 1;
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) { return begins_character(c) && --left == 0; });
  return {text.begin(), end};
}

// A text that no header can hold is left out.
bool is_unfit(const std::string& text) {
  return text.empty() || valid_utf8(text) != text || std::any_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

std::string header_of(const std::string& text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::vector<std::string> warning_headers(const std::vector<std::string>& texts) {
  std::vector<std::string> each;
  std::size_t all = 0;
  for (const std::string& text : texts) {
    if (is_unfit(text) || std::find(each.begin(), each.end(), text) != each.end()) continue;
    each.push_back(text);
    all += characters_of(text);
  }
  std::vector<std::string> out;
  std::size_t written = 0;
  for (const std::string& text : each) {
    const std::string shown = all > most_characters ? shortened(text) : text;
    if (written >= most_characters) break;
    written += characters_of(shown);
    out.push_back(header_of(shown));
  }
  return out;
}

}  // namespace nodebound::apiserver
