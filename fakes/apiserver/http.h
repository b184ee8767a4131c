#pragma once

#include <map>
#include <string>

namespace nodebound {

/// One HTTP request of the Kubernetes API, apart from who sends it.
struct HttpRequest {
  std::string method;  ///< upper case
  std::string target;  ///< path and query, percent-encoded, as on the request line
  std::string content_type;
  std::string body;
  /// The answer to a watch never ends by itself: the exchange is over when its status and headers have arrived.
  bool watch = false;
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::string body;
  /// Header names in lower case.
  std::map<std::string, std::string> headers;
};

}  // namespace nodebound
