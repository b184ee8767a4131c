#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"

namespace nodebound::apiserver {

/// What admission adds to the answer to a write: warnings, and annotations of its audit events. For one thread.
class AdmissionNotes {
 public:
  void clear() {
    warnings_.clear();
    annotations_.clear();
  }
  /// Each text once.
  void warn(std::string text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(std::move(text));
  }
  /// The first value of a key stays.
  void annotate(std::string key, std::string value) { annotations_.emplace(std::move(key), std::move(value)); }
  void add_to(HttpResponse& response) const {
    response.warnings.insert(response.warnings.end(), warnings_.begin(), warnings_.end());
    response.annotations.insert(annotations_.begin(), annotations_.end());
  }

 private:
  std::vector<std::string> warnings_;
  std::map<std::string, std::string> annotations_;
};

}  // namespace nodebound::apiserver
