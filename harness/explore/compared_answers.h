#pragma once

#include <string>

#include "fakes/apiserver/http.h"
#include "harness/explore/drawn_request.h"

namespace nodebound {

/// What an answer says, less what two servers cannot have in common: UIDs, versions, what is drawn for generateName.
struct Said {
  int status = 0;
  std::string decision;  ///< `allowed`, `denied`, `no opinion` of a review; `refused` for 401 and 403; or else empty
  std::string message;
  std::string object;  ///< the one that was answered, if it was one; no list

  static Said by(const DrawnRequest& request, const HttpResponse& response);
};

enum class Agreement { same, other_object, other_message, other_status, other_decision };

Agreement agreement(const Said& a, const Said& b);

}  // namespace nodebound
