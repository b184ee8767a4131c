#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "harness/endpoint/endpoint.h"
#include "harness/explore/compared_answers.h"
#include "harness/journal/journal.h"

namespace nodebound::explore {

/// A request that two servers answered differently.
struct AnswerDifference {
  std::size_t number = 0;  ///< of the request, from 1
  Agreement agreement = Agreement::same;
  DrawnRequest request;
  Said a;
  Said b;
};

struct RandomComparison {
  std::uint64_t seed = 0;
  std::size_t requests = 0;
  std::vector<AnswerDifference> differences;

  [[nodiscard]] std::size_t count(Agreement agreement) const;
  /// Whether answers differ in this, or in what counts for more.
  [[nodiscard]] bool differs_in(Agreement least) const;
};

struct RandomComparisonOptions {
  std::uint64_t seed = 1;
  std::size_t requests = 1000;
  std::function<void()> asked = [] {};  ///< called after each request
};

/// A server, and where the objects that it is made to store are written down.
struct ComparedServer {
  Endpoint& endpoint;
  journal::Journal& journal;
  std::string run_id;
  std::vector<Error> left = {};  ///< errors of the clean-up
};

/// Sends the same random requests to both servers in sequence and compares the answers. Nobody else may use the
/// servers: objects of any name are made, changed and deleted. `resources` is what both serve.
///
/// An API server learns of writes by watching itself, a little later. If the answers differ, the server that refused is
/// asked again for a while, and only a lasting difference counts.
Result<RandomComparison> compare_at_random(ComparedServer& a, ComparedServer& b, const ApiResources& resources,
                                           const RandomComparisonOptions& options);

/// For a person: the counts, and each difference with both answers; at most `most` of each sort, 0 for all.
std::string to_terminal(const RandomComparison& comparison, std::size_t most);

/// The same for programs, a JSON object.
std::string to_json(const RandomComparison& comparison);

}  // namespace nodebound::explore
