// Measures the Node authorizer on the topology of upstream's own benchmark, for ci/benchmark/authorizer and
// ci/benchmark/instructions.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <span>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_ZERO_STATS static_cast<void>(0)
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#endif

#include "reference/authorizer/node_authorizer.h"
#include "reference/benchmark/heap.h"
#include "reference/benchmark/keep.h"
#include "reference/benchmark/slices.h"
#include "reference/benchmark/topology.h"

namespace nodebound {
namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Result {
  std::string name;
  std::size_t count = 0;                                ///< of operations
  std::vector<std::pair<std::string, double>> figures;  ///< unit, value
};

/// The time of an operation: measures batches and takes their median and 99th percentile.
class Times {
 public:
  void add(double time) { times_.push_back(time); }
  double quantile(double q) {
    std::sort(times_.begin(), times_.end());
    return times_[static_cast<std::size_t>(q * static_cast<double>(times_.size() - 1))];
  }

 private:
  std::vector<double> times_;
};

Result measure_population(const Topology& topology, const ReferenceFinder& finder) {
  constexpr std::size_t rounds = 7;
  Times times;
  double bytes = 0;
  double allocations = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Heap before = Heap::now();
    const Clock::time_point start = Clock::now();
    const NodeGraph graph = topology.graph(finder);
    times.add(nanoseconds_since(start));
    bytes = static_cast<double>(Heap::now().bytes_live - before.bytes_live);
    allocations = static_cast<double>(Heap::now().allocations - before.allocations);
  }
  return {
      "BenchmarkPopulation", rounds, {{"ns/op", times.quantile(0.5)}, {"live-B", bytes}, {"allocs/op", allocations}}};
}

std::string text_of(const Result& result) {
  std::string name = result.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  std::string out = name + '\t' + std::to_string(result.count);
  for (const auto& [unit, value] : result.figures) {
    char number[32];
    std::snprintf(number, sizeof number, "%.2f", value);
    out += '\t' + std::string(number) + ' ' + unit;
  }
  return out + '\n';
}

std::string_view to_string(Decision::Outcome outcome) {
  if (outcome == Decision::Outcome::no_opinion) return "no opinion";
  return outcome == Decision::Outcome::allow ? "allow" : "deny";
}

void write_decisions(std::ostream& out, const Authorizer& authorizer, std::span<const Request> requests) {
  for (const Request& request : requests) {
    const Decision decision = authorizer.authorize(request.subject, request.attributes);
    out << request.line() << '\t' << to_string(decision.outcome) << '\t' << decision.reason << '\n';
  }
}

std::vector<Request> all_requests() {
  std::vector<Request> requests;
  for (const NamedRequest& named : upstream_requests()) requests.push_back(named.request);
  for (Request& request : sampled_requests()) requests.push_back(std::move(request));
  return requests;
}

// Tells Callgrind where the instructions of one kind of request begin and end; without Callgrind it does nothing. Its
// option --instr-atstart=no leaves out all else.
void count_instructions(const NodeAuthorizer& authorizer, const NamedRequest& named) {
  constexpr int decisions = 1000;
  keep(authorizer.decide(named.request.subject, named.request.attributes));
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < decisions; ++i) keep(authorizer.decide(named.request.subject, named.request.attributes));
  CALLGRIND_DUMP_STATS_AT(named.name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}

int run(std::string_view option, const char* file) {
  if (option == "--kinds") {
    for (const NamedRequest& named : upstream_requests()) std::cout << named.name << '\n';
    return 0;
  }
  const Catalogue& catalogue = Catalogue::built_in();
  const auto release = Release::make(catalogue, {1, 36, 3}, {});
  const RuleSet rules(catalogue, *release);
  const ReferenceFinder finder(rules);
  const Topology topology = Topology::generate();
  if (option == "--slices") {
    SharedDecider shared([&] { return Decider(rules, topology.graph(finder)); });
    return answer_slices(std::cin, std::cout, shared, all_requests()) ? 0 : 2;
  }
  const NodeGraph graph = topology.graph(finder);
  const NodeAuthorizer authorizer(rules, graph);
  if (option == "--count") {
    for (const NamedRequest& named : upstream_requests()) count_instructions(authorizer, named);
    return 0;
  }
  if (option == "--population") {
    std::cout << text_of(measure_population(topology, finder));
    return 0;
  }
  std::ofstream out(file);
  write_decisions(out, authorizer, all_requests());
  out.close();
  return out.fail() ? 3 : 0;
}

}  // namespace
}  // namespace nodebound

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  const bool alone = option == "--kinds" || option == "--slices" || option == "--population" || option == "--count";
  if ((argc == 2 && alone) || (argc == 3 && option == "--decisions")) return nodebound::run(option, argv[2]);
  std::cerr << "usage: nodebound_benchmark --kinds | --slices | --population | --count | --decisions FILE\n"
               "  --kinds           the names of the first ten requests\n"
               "  --slices          makes the decisions that standard input asks for and prints how long they took\n"
               "  --population      how long it takes to build the graph, and the memory it keeps\n"
               "  --count           decides 1,000 times about each kind of request, for Callgrind\n"
               "  --decisions FILE  measures nothing; writes each request with the decision and its reason\n";
  return 2;
}
