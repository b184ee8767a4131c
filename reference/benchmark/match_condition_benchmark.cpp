// How long match conditions take, for ci/benchmark/cel: nodebound_cel_benchmark RELEASE REQUESTS <EXPRESSIONS
//
// REQUESTS and EXPRESSIONS are those of nodebound_cel_answers. Prints, for each expression, the nanoseconds in which it
// answers all requests once.
#include <chrono>
#include <fstream>
#include <iostream>

#include "reference/benchmark/review_json.h"
#include "reference/cel/match_condition.h"
#include "reference/release/catalogue.h"

int main(int argc, char** argv) try {
  using namespace nodebound;
  const std::optional<Version> version = argc == 3 ? Version::parse(argv[1]) : std::nullopt;
  if (!version) {
    std::cerr << "usage: nodebound_cel_benchmark RELEASE REQUESTS <EXPRESSIONS\n";
    return 2;
  }
  const Result<Release> release = Release::make(Catalogue::built_in(), *version, {});
  if (!release) {
    std::cerr << "nodebound_cel_benchmark: " << release.error().text() << "\n";
    return 2;
  }
  std::ifstream file(argv[2]);
  std::vector<cel::SubjectAccessReviewSpec> requests;
  for (const nlohmann::json& one : nlohmann::json::parse(file)) requests.push_back(cel::spec_of(one));
  constexpr int rounds = 200'000;
  for (std::string line; std::getline(std::cin, line);) {
    const auto condition = cel::MatchCondition::compile(nlohmann::json::parse(line).get<std::string>(), *release);
    if (!condition) {
      std::cerr << "nodebound_cel_benchmark: " << condition.error().what << "\n";
      return 2;
    }
    // What is counted keeps the compiler from leaving evaluations out.
    std::uint64_t cost = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) {
      for (const cel::SubjectAccessReviewSpec& request : requests) cost += condition->evaluate(request).cost;
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::cout << took.count() / rounds << (cost == 0 ? " (free)" : "") << '\n';
  }
  return 0;
} catch (const nlohmann::json::exception& error) {
  std::cerr << "nodebound_cel_benchmark: " << error.what() << "\n";
  return 2;
}
