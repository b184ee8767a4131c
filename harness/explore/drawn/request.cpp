#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

bool DrawnRequest::persists() const {
  if (method == "GET" || method == "HEAD" || method == "OPTIONS") return false;
  if (target.find("dryRun=All") != std::string::npos || body.contains("dryRun")) return false;
  return target.find("reviews") == std::string::npos && !target.ends_with("/token");
}

}  // namespace nodebound::explore
