#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/endpoint/endpoint.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound::certify {

/// One line of the record of a run. A line begins with its word, and holds all that a replay needs:
///
///   {"server": …}    a server is asked from now on, or could not be started
///   {"scenario": …}  the lines that follow belong to this scenario; before the first, to the run itself
///   {"ask": …, "answer": …}   one exchange with the target
///   {"decided": true}  what a Circumstances decided
///   {"drew": "…"}      what it drew
using RecordLine = nlohmann::json;

RecordLine record_of(const Error& error);
/// Nothing if the line is not what record_of() writes.
std::optional<Error> error_of(const RecordLine& line);

RecordLine record_of(const Subject& subject, const HttpRequest& request);
RecordLine record_of(const Result<HttpResponse>& answer);
/// Nothing if the line is not what record_of() writes.
std::optional<Result<HttpResponse>> answer_of(const RecordLine& line);

/// What a run asks an endpoint for besides sessions.
struct RecordedServer {
  std::string name;
  Observation observed;
  Capabilities can = {};
  Subject administrator;
  bool decides_on_latest_state = false;
  bool must_learn_of_writes = false;
};
RecordLine record_of(const Endpoint& endpoint);
RecordLine record_of_failed_start(const Error& error);
std::optional<Result<RecordedServer>> server_of(const RecordLine& line);

/// The tokens that a target issues, and what stands for them in a record. For one thread at a time.
class RecordedTokens {
 public:
  /// The answer as it may be kept: the tokens that the target issued are replaced.
  HttpResponse hide(HttpResponse answer);
  /// The request as the target must get it.
  [[nodiscard]] HttpRequest reveal(HttpRequest request) const;

 private:
  std::map<std::string, std::string> issued_;  ///< by what stands for them
};

/// Gathers the parts of a record, compressed, and puts them in the order in which a run with one job asks. Thread-safe.
class RecordWriter {
 public:
  /// The ids of the scenarios, in the order of the run.
  explicit RecordWriter(const std::vector<std::string>& scenarios);

  /// The number of a server, which was started or could not be.
  std::size_t add_server(const RecordLine& line);

  /// The lines of the run itself at a server, if `scenario` is empty, or of a scenario.
  void add(std::size_t server, const std::string& scenario, const std::string& lines);

  /// The whole record.
  [[nodiscard]] std::string finish() const;

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  std::map<std::string, std::size_t> places_;
  mutable std::mutex mutex_;
  std::size_t servers_ = 0;
  std::map<Place, std::string> parts_;  ///< by server and scenario, each compressed
};

}  // namespace nodebound::certify
