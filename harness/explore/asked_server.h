#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/explore/drawn/request.h"
#include "harness/journal/journaled_session.h"

namespace nodebound::explore {

/// A server that receives the random requests.
class AskedServer {
 public:
  /// All references must outlive it. `run` is the id of the run that owns the objects it makes. `with_label` has those
  /// carry the run's label though the server ends with the run: so they do on the server that it is compared with.
  AskedServer(Endpoint& endpoint, journal::Journal& journal, const std::string& run, bool with_label)
      : endpoint_(endpoint),
        run_(run),
        with_label_(with_label && endpoint.disposable()),
        inner_(endpoint.open_session()),
        session_(endpoint, *inner_, journal, run) {}

  /// The request adapted to this server: with the UIDs and versions of its objects.
  Result<HttpRequest> fill_in(const DrawnRequest& drawn);

  /// The object that a write is about, as the administrator sees it; null if there is none, or its name is the
  /// server's.
  Result<Object> written_object(const DrawnRequest& drawn);

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request);

  /// Removes what was made on a server that does not end with the run.
  std::vector<Error> clean_up() { return session_.clean_up(); }

 private:
  Result<Object> object_at(const std::string& path);
  Result<void> fill_in(std::string& text);
  Result<void> fill_in(Object& object);

  Endpoint& endpoint_;
  std::string run_;
  bool with_label_;
  std::unique_ptr<Session> inner_;
  journal::JournaledSession session_;
};

}  // namespace nodebound::explore
