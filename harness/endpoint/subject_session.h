#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"

namespace nodebound {

/// A session over HTTP, with one kept-alive connection for each of the most recent subjects. A server that lets two
/// requests in a row wait for an answer in vain, or one after a signal, is not asked again.
class SubjectSession : public Session {
 public:
  using Connect = std::function<Result<std::unique_ptr<HttpClient>>(const Subject&)>;
  /// Explains a missing answer by what the endpoint knows of the cause.
  using Explain = std::function<Error(Error)>;

  SubjectSession(Connect connect, Explain explain) : connect_(std::move(connect)), explain_(std::move(explain)) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override;

 private:
  struct Connection {
    std::unique_ptr<HttpClient> client;
    std::uint64_t last_used = 0;
  };

  void drop_least_recent();
  [[nodiscard]] bool gave_up() const;

  Connect connect_;
  Explain explain_;
  std::map<std::string, Connection> connections_;
  int unanswered_ = 0;  ///< consecutive requests that waited in vain; a refused connection is no wait
  std::uint64_t requests_ = 0;
};

/// A session as the client of one subject. Both must outlive it.
class SubjectClient final : public HttpClient {
 public:
  SubjectClient(Session& session, const Subject& subject) : session_(session), subject_(subject) {}

  Result<HttpResponse> send(const HttpRequest& request) override { return session_.send(subject_, request); }

 private:
  Session& session_;
  const Subject& subject_;
};

}  // namespace nodebound
