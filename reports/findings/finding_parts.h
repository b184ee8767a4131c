#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/findings/finding.h"
#include "reports/json_object.h"
#include "reports/page.h"

namespace nodebound {

/// What `since` and `put_off_by` say, for a person: `1.32 on; --feature-gates=Name=false puts it off`.
std::string when_it_matters(const Finding& finding);

/// Lines below a heading; the statement of an id is shown with its first finding.
void show_finding(Page& page, const Finding& finding, bool first_of_id);
nlohmann::ordered_json finding_json(const Finding& finding);
/// What `finding_json` has made, but for the edits of a fix.
Finding finding_from_json(JsonObject object);
/// A table of those that `level` has and nobody accepts, under a heading; nothing if there are none.
std::string findings_markdown(const std::vector<Finding>& findings, Finding::Level level, const std::string& title);

}  // namespace nodebound
