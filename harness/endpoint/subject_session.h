#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"

namespace nodebound {

/// A session over HTTP: one kept-alive connection for each of the subjects that asked last.
class SubjectSession : public Session {
 public:
  using Connect = std::function<Result<std::unique_ptr<HttpClient>>(const Subject&)>;
  /// Turns "no answer" into what the endpoint knows of the reason.
  using Explain = std::function<Error(Error)>;

  SubjectSession(Connect connect, Explain explain) : connect_(std::move(connect)), explain_(std::move(explain)) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override;

 private:
  struct Connection {
    std::unique_ptr<HttpClient> client;
    std::uint64_t last_used = 0;
  };

  void drop_least_recent();

  Connect connect_;
  Explain explain_;
  std::map<std::string, Connection> connections_;
  std::uint64_t requests_ = 0;
};

}  // namespace nodebound
