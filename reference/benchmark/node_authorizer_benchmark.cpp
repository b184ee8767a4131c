// Measures the Node authorizer on the topology of upstream's own benchmark. Prints results in the format of Go's
// benchmarks, so that ci/benchmark/authorizer (and benchstat) can read both.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <span>

#include "reference/authorizer/node_authorizer.h"
#include "reference/benchmark/heap.h"
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

// Keeps the compiler from removing the computation of the value.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

Result measure_decision(const std::string& name, const Authorizer& authorizer, const Request& request) {
  constexpr std::size_t batches = 5000;
  constexpr std::size_t calls = 200;
  const auto decide = [&] {
    for (std::size_t i = 0; i < calls; ++i) keep(authorizer.authorize(request.subject, request.attributes));
  };
  decide();
  const Heap before = Heap::now();
  decide();
  const double allocations = static_cast<double>(Heap::now().allocations - before.allocations) / calls;
  Times times;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const Clock::time_point start = Clock::now();
    decide();
    times.add(nanoseconds_since(start) / calls);
  }
  return {"BenchmarkAuthorization/" + name,
          batches * calls,
          {{"ns/op", times.quantile(0.5)}, {"p99-ns/op", times.quantile(0.99)}, {"allocs/op", allocations}}};
}

// Asks all requests in turn, so that answers stay in the processor's caches only by chance.
Result measure_sample(const Authorizer& authorizer, std::span<const Request> requests) {
  constexpr std::size_t rounds = 20;
  Times times;
  const Heap before = Heap::now();
  for (std::size_t round = 0; round < rounds; ++round) {
    const Clock::time_point start = Clock::now();
    for (const Request& request : requests) keep(authorizer.authorize(request.subject, request.attributes));
    times.add(nanoseconds_since(start) / static_cast<double>(requests.size()));
  }
  const double operations = static_cast<double>(requests.size() * rounds);
  return {"BenchmarkSample",
          requests.size() * rounds,
          {{"ns/op", times.quantile(0.5)},
           {"allocs/op", static_cast<double>(Heap::now().allocations - before.allocations) / operations}}};
}

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

Object json_of(const std::vector<Result>& results) {
  Object out = Object::array();
  for (const Result& result : results) {
    Object entry = {{"name", result.name}, {"count", result.count}};
    for (const auto& [unit, value] : result.figures) entry[unit] = value;
    out.push_back(std::move(entry));
  }
  return out;
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

std::vector<Result> measure(const Topology& topology, const ReferenceFinder& finder, const Authorizer& authorizer) {
  std::vector<Result> results;
  for (const auto& [name, request] : upstream_requests()) {
    results.push_back(measure_decision(name, authorizer, request));
  }
  results.push_back(measure_sample(authorizer, all_requests()));
  results.push_back(measure_population(topology, finder));
  return results;
}

int run(std::string_view option, const char* file) {
  const Catalogue& catalogue = Catalogue::built_in();
  const auto release = Release::make(catalogue, {1, 36, 3}, {});
  const RuleSet rules(catalogue, *release);
  const ReferenceFinder finder(rules);
  const Topology topology = Topology::generate();
  const NodeGraph graph = topology.graph(finder);
  const NodeAuthorizer authorizer(rules, graph);
  std::ofstream out;
  if (file != nullptr) out.open(file);
  if (option == "--decisions") {
    write_decisions(out, authorizer, all_requests());
  } else {
    const std::vector<Result> results = measure(topology, finder, authorizer);
    for (const Result& result : results) std::cout << text_of(result);
    if (option == "--json") out << json_of(results).dump(2) << '\n';
  }
  out.close();
  return out.fail() && file != nullptr ? 3 : 0;
}

}  // namespace
}  // namespace nodebound

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (argc == 1) return nodebound::run(option, nullptr);
  if (argc == 3 && (option == "--json" || option == "--decisions")) return nodebound::run(option, argv[2]);
  std::cerr << "usage: nodebound_benchmark [--json FILE | --decisions FILE]\n"
               "  --json FILE       writes the results there, too\n"
               "  --decisions FILE  measures nothing; writes each request with the decision and its reason\n";
  return 2;
}
