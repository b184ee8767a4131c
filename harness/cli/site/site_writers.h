#pragma once

#include "harness/cli/site/site.h"
#include "harness/cli/site/site_model.h"

namespace nodebound::cli {

// Each adds its files.
void add_rule_pages(SiteFiles& files, const SiteModel& model);
void add_release_pages(SiteFiles& files, const SiteModel& model);
void add_guide_pages(SiteFiles& files);

/// catalogue.js: what the scripts of the first page ask. Checks of nodes, as far as rules alone decide them.
std::string catalogue_script(const SiteModel& model, const std::vector<Scenario>& scenarios);

}  // namespace nodebound::cli
