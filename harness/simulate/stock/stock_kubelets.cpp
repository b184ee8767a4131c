#include "harness/simulate/stock/stock_kubelets.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unistd.h>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/signals.h"
#include "harness/objects/input_file.h"
#include "harness/simulate/control_plane/server_builds.h"
#include "harness/simulate/stock/asked.h"

namespace nodebound::simulate {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr const char* stock_node = "stock";
constexpr const char* fake_node = "node-0001";
constexpr const char* builds_one = "'ci/real-components VERSION kubelet' builds one and prints its folder";
constexpr std::size_t quoted_log_lines = 8;
constexpr seconds patience{90};
/// A kubelet that finds no Node at first makes its Lease ten seconds later, and renews it ten seconds after that.
constexpr seconds settling{25};

/// Looks ten times a second.
template <typename Holds>
Result<void> wait_until(ChildProcess& process, const std::string& program, const std::string& what, Holds holds) {
  const auto end = steady_clock::now() + patience;
  while (!holds()) {
    if (interrupted()) return unreachable_error(program, "interrupted");
    const auto ending = process.ending();
    if (ending || steady_clock::now() > end) {
      const std::string why = ending ? "ended " + *ending : "did not come to " + what + " in time";
      return unreachable_error(program, why + "; its last lines:\n" + process.last_lines(quoted_log_lines));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return {};
}

Result<Version> version_of(const std::filesystem::path& program, const TemporaryDirectory& folder) {
  auto process = ChildProcess::start(program, {"--version"}, folder.path() / "version.log");
  if (!process) return tl::unexpected(process.error());
  const auto end = steady_clock::now() + patience;
  while (!(*process)->ending() && steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return version_of_output((*process)->last_lines(1), program.string());
}

Object pod_on(const std::string& node) {
  const Object volumes = Object::array({{{"name", "settings"}, {"configMap", {{"name", "settings"}}}},
                                        {{"name", "password"}, {"secret", {{"secretName", "password"}}}}});
  return {{"metadata", {{"name", "web-" + node}}},
          {"spec",
           {{"nodeName", node},
            {"containers", Object::array({{{"name", "web"}, {"image", "registry.invalid/web"}}})},
            {"volumes", volumes}}}};
}

/// An API server with a fake kubelet, and a stock kubelet that joins it.
class Cluster {
 public:
  Cluster(const TemporaryDirectory& folder, const StockKubelet& kubelet) : folder_(folder), kubelet_(kubelet) {}

  Result<void> start(const Plan::ControlPlane& control_plane, const std::filesystem::path& nodebound);
  Result<void> run_pods();
  void stop();

  [[nodiscard]] Result<std::vector<std::string>> asked_by_kubelet_of(const std::string& node) const {
    const Result<std::string> log = read_input(audit_log());
    if (!log) return tl::unexpected(log.error());
    return asked_by("system:node:" + node, node, *log, audit_log());
  }

 private:
  [[nodiscard]] std::string audit_log() const { return (folder_.path() / "audit.log").string(); }
  [[nodiscard]] std::string program() const { return (kubelet_.directory / "stock-kubelet").string(); }
  Result<void> connect();
  Result<void> create(const std::string& path, const Object& object);
  [[nodiscard]] std::string answer_of(const std::string& path);
  [[nodiscard]] bool runs(const std::string& node);

  const TemporaryDirectory& folder_;
  const StockKubelet& kubelet_;
  std::unique_ptr<ChildProcess> server_;
  std::unique_ptr<ChildProcess> stock_;
  std::unique_ptr<HttpClient> administrator_;
};

Result<void> Cluster::connect() {
  const Result<Kubeconfig> kubeconfig = load_kubeconfig((folder_.path() / "admin.kubeconfig").string());
  if (!kubeconfig) return tl::unexpected(kubeconfig.error());
  const Result<Credentials> credentials = credentials_of(*kubeconfig);
  if (!credentials) return tl::unexpected(credentials.error());
  auto client = make_http_client(kubeconfig->server, *credentials, {});
  if (!client) return tl::unexpected(client.error());
  administrator_ = std::move(*client);
  return {};
}

Result<void> Cluster::start(const Plan::ControlPlane& control_plane, const std::filesystem::path& nodebound) {
  const std::string folder = folder_.path().string();
  auto server = ChildProcess::start(
      nodebound,
      {"serve", "--secure-port", "0", "--release", control_plane.version.text(), "--kubeconfig-out", folder, "--node",
       stock_node, "--kubelets", "1", "--kubelet-release", kubelet_.version.text(), "--audit-log-path", audit_log()},
      folder_.path() / "serve.log");
  if (!server) return tl::unexpected(server.error());
  server_ = std::move(*server);
  // It is the last line that it prints, and nothing else of it begins so.
  const Result<void> serves = wait_until(*server_, "nodebound serve", "its first request", [&] {
    return server_->last_lines(quoted_log_lines).find("1 kubelet") != std::string::npos;
  });
  if (!serves) return serves;
  if (Result<void> connected = connect(); !connected) return connected;
  std::error_code failed;
  std::filesystem::rename(folder_.path() / ("node-" + std::string(stock_node) + ".kubeconfig"),
                          folder_.path() / "kubelet.kubeconfig", failed);
  if (failed) return unreachable_error(folder, failed.message());
  const auto ports = free_loopback_ports(1);
  if (!ports) return tl::unexpected(ports.error());
  auto stock =
      ChildProcess::start(absolute(kubelet_.directory / "stock-kubelet"),
                          {folder, stock_node, std::to_string(ports->front())}, folder_.path() / "kubelet.log");
  if (!stock) return tl::unexpected(stock.error());
  stock_ = std::move(*stock);
  return wait_until(*stock_, program(), "a Node that is ready", [&] {
    const Object node = Object::parse(answer_of(std::string("/api/v1/nodes/") + stock_node), nullptr, false);
    const Object& conditions = member(node, "status", "conditions");
    return std::any_of(conditions.begin(), conditions.end(), [](const Object& condition) {
      return text(condition, "type") == "Ready" && text(condition, "status") == "True";
    });
  });
}

std::string Cluster::answer_of(const std::string& path) {
  const auto answer = administrator_->send({"GET", path, {}, {}, false});
  return answer && answer->status == 200 ? answer->body : std::string();
}

Result<void> Cluster::create(const std::string& path, const Object& object) {
  const auto answer = administrator_->send({"POST", path, "application/json", object.dump(), false});
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status == 201) return {};
  return unreachable_error("nodebound serve",
                           "POST " + path + " was answered " + std::to_string(answer->status) + ": " + answer->body);
}

bool Cluster::runs(const std::string& node) {
  const Object pod = Object::parse(answer_of("/api/v1/namespaces/default/pods/web-" + node), nullptr, false);
  return text(pod, "status", "phase") == "Running";
}

Result<void> Cluster::run_pods() {
  const std::string in = "/api/v1/namespaces/default/";
  const Object named = {{"metadata", {{"name", "default"}}}};
  if (answer_of(in + "serviceaccounts/default").empty()) {
    if (Result<void> made = create(in + "serviceaccounts", named); !made) return made;
  }
  for (const char* name : {"settings", "kube-root-ca.crt"}) {
    if (Result<void> made = create(in + "configmaps", {{"metadata", {{"name", name}}}, {"data", {{"ca.crt", "a"}}}});
        !made) {
      return made;
    }
  }
  const Object secret = {{"metadata", {{"name", "password"}}}, {"stringData", {{"a", "b"}}}};
  if (Result<void> made = create(in + "secrets", secret); !made) return made;
  for (const char* node : {stock_node, fake_node}) {
    if (Result<void> made = create(in + "pods", pod_on(node)); !made) return made;
  }
  const Result<void> running =
      wait_until(*stock_, program(), "a pod that runs", [&] { return runs(stock_node) && runs(fake_node); });
  if (!running) return running;
  const auto settled = steady_clock::now() + settling;
  return wait_until(*stock_, program(), "rest", [&] { return steady_clock::now() > settled; });
}

void Cluster::stop() {
  stock_.reset();
  server_.reset();
}

Result<std::vector<std::string>> compare(const StockKubelet& kubelet, const Plan::ControlPlane& control_plane,
                                         const std::filesystem::path& nodebound) {
  const auto folder = TemporaryDirectory::make();
  if (!folder) return tl::unexpected(folder.error());
  Cluster cluster(*folder, kubelet);
  if (Result<void> started = cluster.start(control_plane, nodebound); !started) return tl::unexpected(started.error());
  if (Result<void> ran = cluster.run_pods(); !ran) return tl::unexpected(ran.error());
  cluster.stop();
  const auto stock = cluster.asked_by_kubelet_of(stock_node);
  if (!stock) return tl::unexpected(stock.error());
  const auto fake = cluster.asked_by_kubelet_of(fake_node);
  if (!fake) return tl::unexpected(fake.error());
  return asked_differently(*stock, *fake);
}

void add_once(std::vector<Version>& versions, const Version& version) {
  if (std::find(versions.begin(), versions.end(), version) == versions.end()) versions.push_back(version);
}

}  // namespace

Result<std::vector<StockKubelet>> find_stock_kubelets(const std::vector<std::string>& directories) {
  const auto folder = TemporaryDirectory::make();
  if (!folder) return tl::unexpected(folder.error());
  std::vector<StockKubelet> out;
  for (const std::string& directory : directories) {
    for (const char* name : {"kubelet", "stock-kubelet"}) {
      const std::filesystem::path program = std::filesystem::path(directory) / name;
      if (std::filesystem::is_regular_file(program) && access(program.c_str(), X_OK) == 0) continue;
      return input_error("--kubelets", "there is no executable " + program.string(), builds_one);
    }
    const Result<Version> version = version_of(absolute(std::filesystem::path(directory) / "kubelet"), *folder);
    if (!version) return tl::unexpected(version.error());
    out.push_back({directory, *version});
  }
  return out;
}

std::vector<Version> kubelets_of(const Plan& plan) {
  std::vector<Version> out;
  for (const Plan::Pool& pool : plan.pools) add_once(out, pool.kubelet.version);
  for (const Plan::Step& step : plan.steps) {
    for (const Plan::Action& action : step.actions) {
      if (const auto* change = std::get_if<Plan::ChangePool>(&action)) add_once(out, change->to.version);
    }
  }
  return out;
}

Result<std::vector<std::string>> compare_stock_kubelets(const Plan& plan, const std::vector<StockKubelet>& kubelets,
                                                        const std::filesystem::path& nodebound) {
  if (geteuid() != 0) {
    return input_error("--kubelets", "a stock kubelet runs as root, and this is user " + std::to_string(geteuid()));
  }
  std::vector<std::string> out;
  for (const Version& version : kubelets_of(plan)) {
    const auto kubelet = std::find_if(kubelets.begin(), kubelets.end(),
                                      [&](const StockKubelet& each) { return each.version == version; });
    const std::string name = "kubelet " + version.text() + ": ";
    if (kubelet == kubelets.end()) {
      out.push_back(name + "no folder of --kubelets has a stock one");
      continue;
    }
    const auto differences = compare(*kubelet, plan.control_plane, nodebound);
    if (!differences) return tl::unexpected(differences.error());
    if (differences->empty()) out.push_back(name + "the stock one asks as the fake one");
    for (const std::string& difference : *differences) out.push_back(name + difference);
  }
  return out;
}

}  // namespace nodebound::simulate
