#pragma once

#include <string>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/node_graph.h"
#include "reference/cluster/object.h"
#include "reference/cluster/references.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// The cluster of upstream's BenchmarkAuthorization and BenchmarkPopulationAllocation (generate() of
/// plugin/pkg/auth/authorizer/node/node_authorizer_test.go): 500 nodes with 200 pods each, as objects in JSON.
struct Topology {
  static constexpr int nodes = 500;
  static constexpr int pods_per_node = 200;
  static constexpr int namespaces = 200;
  static constexpr int attachments_per_node = 20;

  std::vector<Object> pods;
  std::vector<Object> volumes;
  std::vector<Object> attachments;
  std::vector<Object> slices;

  static Topology generate();

  /// The graph of all its objects. Reading their JSON is part of the work, as in Cluster.
  [[nodiscard]] NodeGraph graph(const ReferenceFinder& finder) const;
};

/// A question to the Node authorizer.
struct Request {
  Subject subject;
  Attributes attributes;

  Request(std::string_view node, std::string_view group, std::string_view resource, std::string_view namespace_,
          std::string_view name);

  /// `verb group resource subresource namespace name node`, with tabs between them.
  [[nodiscard]] std::string line() const;
};

/// One of the ten kinds of request of BenchmarkAuthorization, under its name there.
struct NamedRequest {
  std::string name;
  Request request;
};
std::vector<NamedRequest> upstream_requests();

/// Requests for the objects of every 97th pod and for other objects, by nodes that may read them and nodes that may
/// not.
std::vector<Request> sampled_requests();

}  // namespace nodebound
