#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

bool DrawnRequest::persists() const {
  if (method == "GET" || method == "HEAD" || method == "OPTIONS") return false;
  if (target.find("dryRun=All") != std::string::npos || body.contains("dryRun")) return false;
  return target.find("reviews") == std::string::npos && !target.ends_with("/token");
}

void add_query(std::string& target, const std::string& query) {
  target += (target.find('?') == std::string::npos ? '?' : '&') + query;
}

}  // namespace nodebound::explore
