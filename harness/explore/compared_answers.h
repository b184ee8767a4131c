#pragma once

#include <map>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

/// The content of an answer, without what always differs between two servers: UIDs, versions, the random part of
/// generateName.
struct Said {
  int status = 0;
  std::string decision;  ///< `allowed`, `denied`, `no opinion` of a review; `refused` for 401 and 403; or else empty
  std::string message;
  std::string object;                             ///< the object in the answer, if there is one; never a list
  std::map<std::string, std::string> items = {};  ///< of a list, by object_key()
  std::vector<std::string> warnings = {};         ///< each Warning header
  std::string stored = {};  ///< after a write: the object that it is about, as the administrator sees it

  static Said by(const DrawnRequest& request, const HttpResponse& response);
};

/// `pods/shop/web`: names an object on any server; without its name, nothing does.
std::string object_key(const std::string& resource, const Object& object);

/// An object without what always differs between two servers.
std::string comparable_object(Object object, const DrawnRequest& request);

/// How far two answers agree; each counts for more than those before it.
enum class Agreement { same, other_warnings, other_object, other_message, other_status, other_decision };

Agreement agreement(const Said& a, const Said& b);

}  // namespace nodebound::explore
