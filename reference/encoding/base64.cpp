#include "reference/encoding/base64.h"

#include <algorithm>
#include <cstdint>

namespace nodebound {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool is_space(char c) {
  return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j <= bytes.size() ? kAlphabet[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  std::size_t characters = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (is_space(c)) continue;
    ++characters;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos || padding > 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    switch (characters % 4) {
      case 2:
        out += static_cast<char>(bits >> 4 & 0xFFU);
        break;
      case 3:
        out += static_cast<char>(bits >> 2 & 0xFFU);
        break;
      case 0:
        out += static_cast<char>(bits & 0xFFU);
        break;
      default:
        break;
    }
  }
  if (characters % 4 != 0 || padding > 2) return std::nullopt;
  return out;
}

std::optional<std::size_t> base64_mistake(std::string_view text) {
  const auto past_breaks = [&](std::size_t at) { return std::min(text.find_first_not_of("\r\n", at), text.size()); };
  std::size_t in_group = 0;
  for (std::size_t at = past_breaks(0); at < text.size(); at = past_breaks(at + 1)) {
    if (text[at] != '=') {
      if (kAlphabet.find(text[at]) == std::string_view::npos) return at;
      in_group = (in_group + 1) % 4;
      continue;
    }
    if (in_group < 2) return at;
    std::size_t end = past_breaks(at + 1);
    if (in_group == 2) {
      if (end == text.size()) return end;
      if (text[end] != '=') return end - 1;
      end = past_breaks(end + 1);
    }
    return end == text.size() ? std::nullopt : std::optional(end);
  }
  return in_group == 0 ? std::nullopt : std::optional(text.size() - in_group);
}

std::string base64url_encode(std::string_view bytes) {
  std::string out = base64_encode(bytes);
  out.erase(out.find_last_not_of('=') + 1);
  for (char& c : out) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return out;
}

std::optional<std::string> base64url_decode(std::string_view text) {
  std::string padded(text);
  for (char& c : padded) {
    if (c == '+' || c == '/' || c == '=' || is_space(c)) return std::nullopt;
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  padded.append((4 - padded.size() % 4) % 4, '=');
  return base64_decode(padded);
}

}  // namespace nodebound
