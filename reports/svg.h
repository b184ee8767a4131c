#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Elements of a picture within a page; `kind` is their CSS class, which determines the colour. Texts may come from
/// outside.

/// A coordinate with one decimal, the same in every locale.
std::string svg_number(double value);
/// ` name="1.5"`
std::string svg_attribute(std::string_view name, double value);

std::string svg_label(std::string_view kind, double x, double y, std::string_view text);
std::string svg_line(std::string_view kind, double x1, double y1, double x2, double y2);
/// `title` is a tooltip.
std::string svg_box(std::string_view kind, double x, double y, double width, double height, std::string_view title);

}  // namespace nodebound
