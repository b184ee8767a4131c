#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "harness/explore/drawn_request.h"

namespace nodebound {

/// The content of an answer, without what always differs between two servers: UIDs, versions, the random part of
/// generateName.
struct Said {
  int status = 0;
  std::string decision;  ///< `allowed`, `denied`, `no opinion` of a review; `refused` for 401 and 403; or else empty
  std::string message;
  std::string object;  ///< the object in the answer, if there is one; never a list

  static Said by(const DrawnRequest& request, const HttpResponse& response);
};

enum class Agreement { same, other_object, other_message, other_status, other_decision };

Agreement agreement(const Said& a, const Said& b);

}  // namespace nodebound
