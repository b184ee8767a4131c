#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal.h"
#include "harness/journal/making.h"
#include "harness/journal/remover.h"
#include "harness/journal/write_request.h"
#include "reference/cluster/object.h"

namespace nodebound::journal {

/// Sends requests to a cluster that others use. Everything that they make carries the run's label, is in the journal
/// before it is made, and can be removed. A run sends to such a cluster only through one of these. On a target that
/// ends with the run it only passes requests on. For one thread.
class JournaledSession final : public Session {
 public:
  /// All must outlive it.
  JournaledSession(Endpoint& endpoint, Session& session, Journal& journal, std::string run)
      : endpoint_(endpoint), session_(session), journal_(journal), run_(std::move(run)) {}

  /// Returns an error and sends nothing if the journal cannot record what would be made.
  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override;

  /// The UID of the object that this session made at the path, unless the object is known to be gone; empty if there is
  /// none.
  [[nodiscard]] std::string uid_of(const std::string& path) const;

  /// Deletes the object at the path if this run has made it, through any session. It is no error if there is none.
  Result<void> remove(const std::string& path);

  /// Removes what was made through this session, the latest first.
  std::vector<Error> clean_up();

 private:
  struct Item {
    LedgerEntry entry;
    std::chrono::steady_clock::time_point arrived;  ///< from then on, none of its requests is still under way
    std::string prefix;                             ///< of the name, if the server chooses it
  };
  struct Attempt;

  Result<HttpResponse> make(const Subject& subject, Attempt& attempt);
  Result<void> write_down(Attempt& attempt);
  Making::Answer read_answer(Attempt& attempt) const;
  Making::Found look(const std::string& path, std::string& uid);
  Result<void> write_down_finalizers(const HttpRequest& request);
  void note_deletion(const HttpRequest& request, const HttpResponse& response);
  [[nodiscard]] const Item* unclear_item(const WriteRequest& write) const;
  [[nodiscard]] const Item* made_item(const std::string& path) const;
  [[nodiscard]] Remover remover();
  Result<void> remove(const Item& item);
  Result<void> remove_unnamed(const Item& item);
  void forget(std::uint64_t number);

  Endpoint& endpoint_;
  Session& session_;
  Journal& journal_;
  std::string run_;
  std::vector<Item> items_;
};

/// For Endpoint::wrap_own_requests: journals what an endpoint makes by itself, and removes it when its session ends.
/// Everything passed in must outlive the endpoint's use of it.
WrapSession journaled_by(Endpoint& endpoint, Journal& journal, const std::string& run);

}  // namespace nodebound::journal
