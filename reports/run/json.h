#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"
#include "reports/run/report.h"

namespace nodebound {

/// The `schema` of a report this program writes and reads; `report.schema.json` describes it.
inline constexpr const char* report_schema = "nodebound.dev/report/v2";

/// The same report gives the same bytes. Of a check that passed it keeps what was asked and answered, without the body
/// and without the text of a refusal that is the catalogue's. Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const Report& report);

/// Reads what `to_json` wrote. `where`, usually a file, names the text in errors. Refuses unknown keys, and a summary
/// that does not match its checks: merging would spread the damage.
Result<Report> report_from_json(std::string_view text, const std::string& where);

}  // namespace nodebound
