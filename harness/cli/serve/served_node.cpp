#include "harness/cli/serve/served_node.h"

#include "harness/cli/serve/review_options.h"

namespace nodebound::cli {
namespace {

// 198.18.0.0/15 is for benchmarks (RFC 2544): nothing on the Internet or in a cluster has such an address. 1024 nodes
// have 128 addresses each.
constexpr std::size_t pod_ranges = 1024;
constexpr std::size_t range_size = 128;

std::string address_in_range(std::size_t node, std::size_t pod) {
  const std::size_t host = (node % pod_ranges) * range_size + pod % range_size;
  return "198." + std::to_string(18 + host / 65536) + "." + std::to_string(host / 256 % 256) + "." +
         std::to_string(host % 256);
}

}  // namespace

/// The parts of the API that refer to each other.
struct ServedNode::Api {
  Api(const ServedNodes& nodes, ServedNode& node)
      : reviews(nodes.rules, nodes.configuration.settings, node, review_options(nodes.configuration.content_type)),
        ports(nodes.rules, nodes.configuration, node.name_, {},
              {reviews, [&nodes] { return nodes.client_authorities; }, seconds_now, &node.pods_}) {
    ports.listens_on(node.port_);
  }

  kubelet_api::ReviewClient reviews;
  kubelet_api::KubeletPorts ports;
};

ServedNodes::ServedNodes(RuleSet kubelet_rules, std::shared_ptr<const fake_kubelet::ApiServerLine::Answering> answering,
                         std::shared_ptr<const authentication::ClientCertificates> authorities)
    : rules(std::move(kubelet_rules)),
      api_server(std::move(answering)),
      client_authorities(std::move(authorities)),
      configuration(kubelet_api::KubeletConfiguration::of_file({}, rules)) {
  configuration.settings.client_ca = true;
  configuration.settings.read_only_port = 0;
}

ServedNode::ServedNode(const ServedNodes& nodes, std::size_t number, std::string name, std::string address)
    : nodes_(nodes), number_(number), name_(std::move(name)), address_(std::move(address)) {}

ServedNode::~ServedNode() = default;

std::string ServedNode::pod_address(const std::string& uid) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = pod_numbers_.try_emplace(uid, 0);
  if (is_new) {
    std::set<int> taken;
    for (const auto& [other, number] : pod_numbers_) taken.insert(number);
    int free = 1;
    while (taken.contains(free)) ++free;
    entry->second = free;
  }
  return address_in_range(number_, static_cast<std::size_t>(entry->second));
}

void ServedNode::forgets(const std::string& uid) {
  pods_.forget(uid);
  const std::lock_guard lock(mutex_);
  pod_numbers_.erase(uid);
}

HttpResponse ServedNode::handle(const IncomingRequest& request) {
  std::call_once(asked_, [this] { api_ = std::make_unique<Api>(nodes_, *this); });
  return api_->ports.main().handle(request);
}

kubelet_api::ReviewTransport::Reply ServedNode::post(const HttpRequest& request) {
  return {(*nodes_.api_server)(fake_kubelet::node_subject(name_), request), false};
}

}  // namespace nodebound::cli
