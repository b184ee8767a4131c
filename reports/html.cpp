#include "reports/html.h"

#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t longest_html_text = 500;

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : clip(printable(text), longest_html_text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_element(std::string_view name, std::string_view kind, std::string_view content) {
  if (content.empty() && kind.empty()) return {};
  std::string out = "<" + std::string(name);
  if (!kind.empty()) out += " class=\"" + std::string(kind) + "\"";
  return out + ">" + std::string(content) + "</" + std::string(name) + ">";
}

std::string grouped_digits(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, "\u202F");
  }
  return text;
}

}  // namespace nodebound
