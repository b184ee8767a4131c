#include <algorithm>

#include "harness/scenario/toml_json.h"
#include "harness/simulate/plan/plan_reader.h"

namespace nodebound::simulate {
namespace {

constexpr auto shortest_rhythm = std::chrono::seconds(1);

HttpRequest read_request(const toml::node& node) {
  const std::string text = TomlReader::string_of(node);
  const std::size_t target = text.find(' ');
  const std::size_t body = target == std::string::npos ? target : text.find(' ', target + 1);
  HttpRequest request;
  request.method = text.substr(0, target);
  if (target != std::string::npos)
    request.target = text.substr(target + 1, body == std::string::npos ? body : body - target - 1);
  if (body != std::string::npos) request.body = text.substr(body + 1);
  const auto known = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  if (std::find(known.begin(), known.end(), request.method) == known.end() || !request.target.starts_with('/')) {
    throw TomlMistake(node, "expected METHOD /target, and perhaps a body, like \"GET /api/v1/nodes\"");
  }
  if (!request.body.empty()) {
    if (!Object::accept(request.body)) throw TomlMistake(node, "expected a body in JSON");
    request.content_type = request.method == "PATCH" ? "application/strategic-merge-patch+json" : "application/json";
  }
  return request;
}

std::vector<HttpRequest> read_requests(TomlReader& in, std::string_view key) {
  std::vector<HttpRequest> out;
  const toml::node* node = in.find(key);
  if (node == nullptr) return out;
  const toml::array* requests = node->as_array();
  if (requests == nullptr || requests->empty()) throw TomlMistake(*node, "expected a list of requests");
  for (const toml::node& request : *requests) out.push_back(read_request(request));
  return out;
}

// One string, or a list.
std::vector<std::size_t> read_pools(const toml::node& node, const std::vector<Plan::Pool>& pools) {
  std::vector<std::size_t> out;
  const toml::array* names = node.as_array();
  if (names == nullptr) return {find_pool(node, pools)};
  if (names->empty()) throw TomlMistake(node, "expected the name of a pool, or several");
  for (const toml::node& name : *names) {
    out.push_back(find_pool(name, pools));
    if (std::count(out.begin(), out.end(), out.back()) > 1) throw TomlMistake(name, "is there already");
  }
  return out;
}

}  // namespace

Plan::Agent read_agent(const toml::table& table, const std::vector<Plan::Pool>& pools) {
  TomlReader in(table);
  Plan::Agent agent;
  agent.name = in.text("name", true);
  if (const toml::node* pool = in.find("pool")) agent.pools = read_pools(*pool, pools);
  agent.user = in.text("user");
  agent.groups = in.texts("groups");
  if (agent.user.empty() && agent.pools.empty()) {
    throw TomlMistake(table, "an agent without a user has the credentials of its node: expected a user or a pool");
  }
  if (const toml::node* every = in.find("every")) {
    agent.every = read_time(*every);
    if (agent.every < shortest_rhythm) throw TomlMistake(*every, "expected a second or more");
  }
  if (const toml::node* lasts = in.find("token-lasts")) {
    agent.token_lasts = read_time(*lasts);
    if (!agent.user.starts_with("system:serviceaccount:")) {
      throw TomlMistake(*lasts, "tokens are of service accounts: expected a user system:serviceaccount:NAMESPACE:NAME");
    }
  }
  agent.requests = read_requests(in, "requests");
  agent.kubelet_requests = read_requests(in, "kubelet-requests");
  if (agent.requests.empty() && agent.kubelet_requests.empty()) {
    throw TomlMistake(table, "the agent asks for nothing: expected requests or kubelet-requests");
  }
  if (!agent.kubelet_requests.empty() && agent.pools.empty()) {
    throw TomlMistake(*in.find("kubelet-requests"), "an agent asks the kubelet of its node: expected a pool");
  }
  in.done();
  return agent;
}

Plan::DaemonSet read_daemon_set(const toml::table& table) {
  TomlReader in(table);
  Plan::DaemonSet out;
  out.name = in.text("name", true);
  check_name(in.required("name"), out.name, "DaemonSet");
  out.namespace_ = in.text("namespace", true);
  check_name(in.required("namespace"), out.namespace_, "Namespace");
  out.node_selector = read_labels(in, "node-selector");
  out.tolerations = read_objects(in, "tolerations");
  in.done();
  return out;
}

}  // namespace nodebound::simulate
