#include "reports/run/badge.h"

#include <nlohmann/json.hpp>

#include "reports/html.h"
#include "reports/json_object.h"
#include "reports/svg.h"
#include "reports/text.h"

namespace nodebound {
namespace {

struct Badge {
  std::string label = "nodebound";
  std::string message;
  const char* name;    ///< of the colour, as shields.io has it
  const char* colour;  ///< dark enough for white text
};

Badge badge_of(const Report& report) {
  constexpr std::size_t longest_release = 20;
  const std::string release = clip(printable(report.release.version), longest_release);
  Badge out;
  switch (exit_code(report)) {
    case 0:
      out.name = "success", out.colour = "#1b7a3d", out.message = "conforms to " + release;
      if (const std::size_t declared = report.count_declared(); declared > 0) {
        out.name = "important", out.colour = "#8a5300";
        out.message = "conforms to " + release + " but for " + std::to_string(declared) + " declared";
      }
      break;
    case 1:
      out.name = "critical", out.colour = "#b3261e";
      out.message = std::to_string(report.count(Verdict::fail)) + " failed of " + release;
      break;
    default:
      out.name = "inactive", out.colour = "#5c6675", out.message = "inconclusive for " + release;
  }
  return out;
}

}  // namespace

std::string to_badge_svg(const Report& report) {
  const Badge badge = badge_of(report);
  // Wide enough in any sans-serif font; `textLength` makes the text fill it.
  constexpr double each = 6.6;
  constexpr double pad = 6;
  constexpr double height = 20;
  const double left = static_cast<double>(columns(badge.label)) * each + 2 * pad;
  const double right = static_cast<double>(columns(badge.message)) * each + 2 * pad;
  const std::string name = html_text(badge.label + ": " + badge.message);
  const auto text = [&](double x, double width, const std::string& content) {
    return "<text" + svg_attribute("x", x + pad) + " y=\"14\"" + svg_attribute("textLength", width - 2 * pad) + ">" +
           html_text(content) + "</text>\n";
  };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + svg_attribute("width", left + right) +
         svg_attribute("height", height) + " role=\"img\" aria-label=\"" + name + "\">\n<title>" + name +
         "</title>\n<rect" + svg_attribute("width", left + right) + svg_attribute("height", height) +
         " rx=\"3\" fill=\"#3c4450\"/>\n<path d=\"M" + svg_number(left) + " 0H" + svg_number(left + right - 3) +
         "a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H" + svg_number(left) + "z\" fill=\"" + badge.colour +
         "\"/>\n<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n" +
         text(0, left, badge.label) + text(left, right, badge.message) + "</g>\n</svg>\n";
}

std::string to_badge_json(const Report& report) {
  const Badge badge = badge_of(report);
  nlohmann::ordered_json out;
  out["schemaVersion"] = 1;
  out["label"] = badge.label;
  out["message"] = badge.message;
  out["color"] = badge.name;
  return json_text(out);
}

}  // namespace nodebound
