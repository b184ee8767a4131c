#include "harness/check/run_names.h"

#include <algorithm>
#include <cctype>

namespace nodebound {
namespace {

// Replaces certificate requests and public keys, which are new in each run. All are longer than any name.
std::string without_encoded_keys(const std::string& text) {
  constexpr std::size_t shortest = 80;
  const auto is_base64 = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/' || c == '=';
  };
  std::string out;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_base64);
    if (static_cast<std::size_t>(end - at) >= shortest) {
      out += "BASE64";
    } else {
      out.append(at, end);
    }
    at = end;
    if (at != text.end()) out += *at++;
  }
  return out;
}

}  // namespace

std::string without_uids(std::string text, std::string_view instead) {
  static constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto fits = [](char expected, char c) {
    return expected == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  };
  for (std::size_t at = 0; at + shape.size() <= text.size(); ++at) {
    if (std::equal(shape.begin(), shape.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                   [&](char expected, char c) { return fits(expected, c); })) {
      text.replace(at, shape.size(), instead);
    }
  }
  return text;
}

std::string without_run_names(std::string text, const std::string& run_id) {
  const std::string mark = "nb-" + run_id + "-";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), "nb-RUN-");
  }
  return without_encoded_keys(without_uids(std::move(text), "UID"));
}

}  // namespace nodebound
