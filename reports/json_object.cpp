#include "reports/json_object.h"

namespace nodebound {
namespace {

std::string json_position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return std::to_string(line) + ":" + std::to_string(1 + columns(before.substr(line_start)));
}

}  // namespace

Result<nlohmann::json> parsed_json(std::string_view text, const std::string& where) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    // Removes the library's own error number and position from its text.
    std::string what = error.what();
    if (const std::size_t detail = what.find("syntax error"); detail != std::string::npos) what.erase(0, detail);
    return input_error(where + ":" + json_position(text, error.byte), "not valid JSON: " + printable(what));
  } catch (const nlohmann::json::exception& error) {
    return input_error(where, "not valid JSON: " + printable(error.what()));
  }
}

}  // namespace nodebound
