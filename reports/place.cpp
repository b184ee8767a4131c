#include "reports/place.h"

#include <charconv>

namespace nodebound {

SourcePlace source_place(const std::string& where) {
  const std::size_t colon = where.rfind(':');
  if (colon == std::string::npos) return {where, 0};
  SourcePlace out{where.substr(0, colon), 0};
  const auto end = where.data() + where.size();
  constexpr std::size_t last_line = 1'000'000'000;
  const auto [last, problem] = std::from_chars(where.data() + colon + 1, end, out.line);
  const bool read = problem == std::errc() && last == end && out.line <= last_line && out.text() == where;
  return read ? out : SourcePlace{where, 0};
}

}  // namespace nodebound
