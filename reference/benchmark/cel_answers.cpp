// Answers match conditions for ci/compare/cel: nodebound_cel_answers RELEASE REQUESTS <EXPRESSIONS
//
// REQUESTS is a file with a JSON list of specs of SubjectAccessReviews. Each line of standard input is an expression as
// a JSON string; the line that it writes for it has either what the API server says when it refuses the expression, or
// what it makes of each request.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "reference/benchmark/review_json.h"
#include "reference/cel/match_condition.h"
#include "reference/cel/types/environment.h"
#include "reference/release/catalogue.h"

namespace {

using nlohmann::json;
using namespace nodebound;

json answer(const cel::MatchCondition& condition, const cel::SubjectAccessReviewSpec& request) {
  const cel::Match match = condition.evaluate(request);
  json out = {{"cost", match.cost}};
  if (match.answer == cel::Match::Answer::error) {
    out["error"] = match.error;
  } else {
    out["match"] = match.answer == cel::Match::Answer::yes;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: nodebound_cel_answers RELEASE REQUESTS <EXPRESSIONS\n";
    return 2;
  }
  const std::optional<Version> version = Version::parse(argv[1]);
  if (!version) {
    std::cerr << "nodebound_cel_answers: " << argv[1] << ": expected a version, for example 1.36.3\n";
    return 2;
  }
  const Result<Release> release = Release::make(Catalogue::built_in(), *version, {});
  if (!release) {
    std::cerr << "nodebound_cel_answers: " << release.error().text() << "\n";
    return 2;
  }
  std::ifstream file(argv[2]);
  std::vector<cel::SubjectAccessReviewSpec> requests;
  for (const json& one : json::parse(file)) requests.push_back(cel::spec_of(one));
  const auto environment = std::make_shared<const cel::Environment>(cel::match_condition_environment(*release));
  for (std::string line; std::getline(std::cin, line);) {
    const auto condition = cel::MatchCondition::compile(json::parse(line).get<std::string>(), environment);
    json out;
    if (!condition) {
      out["refused"] = condition.error().what;
    } else {
      out["answers"] = json::array();
      for (const cel::SubjectAccessReviewSpec& request : requests)
        out["answers"].push_back(answer(*condition, request));
    }
    std::cout << out.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  }
  return 0;
} catch (const json::exception& error) {
  std::cerr << "nodebound_cel_answers: " << error.what() << "\n";
  return 2;
}
