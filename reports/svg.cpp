#include "reports/svg.h"

#include <algorithm>
#include <cmath>

#include "reports/html.h"

namespace nodebound {

std::string svg_number(double value) {
  // No picture is larger. A value that is not a number becomes a valid position too.
  constexpr double farthest = 1e6;
  const double bounded = std::isfinite(value) ? std::clamp(value, -farthest, farthest) : 0;
  const long tenths = std::lround(bounded * 10);
  const long size = std::labs(tenths);
  const std::string text = (tenths < 0 ? "-" : "") + std::to_string(size / 10);
  return size % 10 == 0 ? text : text + "." + std::to_string(size % 10);
}

std::string svg_attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + svg_number(value) + "\"";
}

std::string svg_label(std::string_view kind, double x, double y, std::string_view text) {
  return "<text class=\"" + std::string(kind) + "\"" + svg_attribute("x", x) + svg_attribute("y", y) + ">" +
         html_text(text) + "</text>\n";
}

std::string svg_line(std::string_view kind, double x1, double y1, double x2, double y2) {
  return "<path class=\"" + std::string(kind) + "\" d=\"M" + svg_number(x1) + " " + svg_number(y1) + "L" +
         svg_number(x2) + " " + svg_number(y2) + "\"/>\n";
}

std::string svg_box(std::string_view kind, double x, double y, double width, double height, std::string_view title) {
  return "<rect class=\"" + std::string(kind) + "\"" + svg_attribute("x", x) + svg_attribute("y", y) +
         svg_attribute("width", width) + svg_attribute("height", height) + "><title>" + html_text(title) +
         "</title></rect>\n";
}

}  // namespace nodebound
