// Measures what one hour of a node costs: fake kubelets in one process with one API server, in virtual time.
//
// In an hour a node renews its Lease 360 times, updates its status a dozen times, and begins its watches anew; each
// node has pods that reference a Secret and a ConfigMap each. The start of a kubelet is measured apart.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <stdexcept>
#include <string>

#include "fakes/apiserver/api_server.h"
#include "fakes/kubelet/api_server_line.h"
#include "fakes/kubelet/kubelets.h"

namespace nodebound {
namespace {

constexpr int pods_of_node = 3;

const Subject administrator{"admin", {"system:masters", "system:authenticated"}, "", {}};

Release newest() {
  return Release::make(Catalogue::built_in(), {1, 36, 3}, {}).value();
}

class Cluster {
 public:
  explicit Cluster(std::size_t nodes) : rules_(Catalogue::built_in(), newest()) {
    apiserver::ApiServer::Options options;
    options.namespaces_first = true;
    options.resources = std::make_shared<const ApiResources>(rules_.release(), RuntimeConfig::defaults);
    options.clock = [this] { return std::chrono::system_clock::time_point(time_); };
    server_ = std::make_unique<apiserver::ApiServer>(rules_, options);
    make("namespaces", R"({"metadata":{"name":"shop"}})");
    named("serviceaccounts", "default");
    named("configmaps", "kube-root-ca.crt");
    named("configmaps", "settings");
    named("secrets", "db");
    add_kubelets(nodes);
  }

  void run(std::chrono::seconds seconds) {
    const fake_kubelet::KubeletTime end = time_ + seconds;
    for (fake_kubelet::KubeletTime next = kubelets_.next(); next <= end; next = kubelets_.next()) {
      time_ = std::max(time_, next);
      kubelets_.act(time_, 1);
    }
    time_ = end;
    server_->tick();
  }

  void add_pods() {
    for (std::size_t i = 0; i < kubelets_.size(); ++i) {
      for (int pod = 0; pod < pods_of_node; ++pod) {
        const std::string node = kubelets_[i].name();
        make("namespaces/shop/pods", R"({"metadata":{"name":")" + node + "-" + std::to_string(pod) +
                                         R"("},"spec":{"nodeName":")" + node +
                                         R"(","containers":[{"name":"c","image":"x",
            "envFrom":[{"secretRef":{"name":"db"}},{"configMapRef":{"name":"settings"}}]}]}})");
      }
    }
  }

  [[nodiscard]] std::size_t requests() const { return requests_; }

 private:
  void make(const std::string& path, const std::string& body) {
    const HttpResponse made = server_->handle(administrator, {"POST", "/api/v1/" + path, "application/json", body});
    if (made.status != 201) throw std::logic_error(made.body);
  }
  void named(const std::string& resource, const std::string& name) {
    make("namespaces/shop/" + resource, R"({"metadata":{"name":")" + name + R"("}})");
  }

  void add_kubelets(std::size_t nodes) {
    const auto traits = fake_kubelet::KubeletTraitsTable::built_in().at({1, 36, 3}).value();
    fake_kubelet::KubeletOptions options;
    options.events = false;
    const auto shared = std::make_shared<const fake_kubelet::KubeletOptions>(options);
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::string name = "node-" + std::to_string(i);
      const auto start = std::chrono::milliseconds(i * 10'000 / nodes);
      kubelets_.add({name, traits, shared},
                    std::make_unique<fake_kubelet::ApiServerLine>(
                        answering_, fake_kubelet::ApiServerLine::Options{fake_kubelet::node_subject(name)}),
                    time_ + start);
    }
  }

  fake_kubelet::KubeletTime time_{std::chrono::seconds(1'800'000'000)};
  std::size_t requests_ = 0;
  RuleSet rules_;
  std::unique_ptr<apiserver::ApiServer> server_;
  std::shared_ptr<const fake_kubelet::ApiServerLine::Answering> answering_ =
      std::make_shared<const fake_kubelet::ApiServerLine::Answering>(
          [this](const Subject& subject, const HttpRequest& request) {
            ++requests_;
            return server_->handle(subject, request);
          });
  fake_kubelet::Kubelets kubelets_;
};

void start_nodes(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  for (auto run : state) {
    Cluster cluster(nodes);
    cluster.run(std::chrono::seconds(10));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void node_hour(benchmark::State& state) {
  Cluster cluster(static_cast<std::size_t>(state.range(0)));
  cluster.run(std::chrono::seconds(10));
  cluster.add_pods();
  cluster.run(std::chrono::seconds(10));
  const std::size_t before = cluster.requests();
  for (auto run : state) cluster.run(std::chrono::minutes(10));
  const double node_hours = static_cast<double>(state.iterations() * state.range(0)) / 6;
  state.counters["node-hour"] =
      benchmark::Counter(node_hours, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["requests/node-hour"] = static_cast<double>(cluster.requests() - before) / node_hours;
}

BENCHMARK(start_nodes)->Arg(100)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(node_hour)->Arg(100)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace nodebound

BENCHMARK_MAIN();
