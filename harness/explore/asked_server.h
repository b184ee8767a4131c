#pragma once

#include <memory>
#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/explore/drawn_request.h"

namespace nodebound {

/// A server that drawn requests are sent to.
class AskedServer {
 public:
  /// The endpoint must outlive it.
  explicit AskedServer(Endpoint& endpoint) : endpoint_(endpoint), session_(endpoint.open_session()) {}

  /// The request as it is for this server: with the UIDs and versions that its objects have.
  Result<HttpRequest> fill_in(const DrawnRequest& drawn);

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) {
    return session_->send(subject, request);
  }

 private:
  Result<Object> object_at(const std::string& path);
  Result<void> fill_in(std::string& text);
  Result<void> fill_in(Object& object);

  Endpoint& endpoint_;
  std::unique_ptr<Session> session_;
};

}  // namespace nodebound
