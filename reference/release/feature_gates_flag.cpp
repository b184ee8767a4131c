#include "reference/release/feature_gates_flag.h"

#include <sstream>

namespace nodebound {

Result<GateSettings> parse_feature_gates(const std::string& where, const std::string& text) {
  GateSettings gates;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    if (equals == 0 || (value != "true" && value != "false")) {
      return input_error(where, "\"" + item + "\" is not a setting of a gate", "give them as A=true,B=false");
    }
    gates[item.substr(0, equals)] = value == "true";
  }
  return gates;
}

}  // namespace nodebound
