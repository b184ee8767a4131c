#include "reference/benchmark/topology.h"

namespace nodebound {
namespace {

std::string numbered(std::string_view what, int number) {
  return std::string(what) + std::to_string(number);
}

// The names of the objects around one pod show how they belong together.
struct PodNames {
  std::string node, namespace_, pod, service_account, secret, configmap, claim, volume, volume_secret;

  PodNames(int node_number, int pod_number)
      : node(numbered("node", node_number)),
        namespace_(numbered("ns", pod_number % Topology::namespaces)),
        pod(numbered("pod", pod_number) + "-" + node),
        service_account(numbered("svcacct", pod_number) + "-" + node),
        secret("secret0-" + pod),
        configmap("configmap0-" + pod),
        claim("pvc0-" + pod),
        volume("pv0-" + pod + "-" + namespace_),
        volume_secret("secret-" + volume) {}
};

constexpr std::string_view shared_secret = "secret0-shared";

Object make_pod(const PodNames& names) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", names.pod}, {"namespace", names.namespace_}}},
          {"spec",
           {{"nodeName", names.node},
            {"serviceAccountName", names.service_account},
            {"containers", nullptr},
            {"volumes",
             {{{"name", ""}, {"secret", {{"secretName", names.secret}}}},
              {{"name", ""}, {"secret", {{"secretName", shared_secret}}}},
              {{"name", ""}, {"configMap", {{"name", names.configmap}}}},
              {{"name", ""}, {"persistentVolumeClaim", {{"claimName", names.claim}}}}}}}},
          {"status", Object::object()}};
}

Object make_volume(const PodNames& names) {
  return {{"apiVersion", "v1"},
          {"kind", "PersistentVolume"},
          {"metadata", {{"name", names.volume}}},
          {"spec",
           {{"flexVolume", {{"driver", ""}, {"secretRef", {{"name", names.volume_secret}}}}},
            {"claimRef", {{"name", names.claim}, {"namespace", names.namespace_}}}}},
          {"status", Object::object()}};
}

Object make_owned(std::string_view api_version, std::string_view kind, const std::string& name,
                  const std::string& node) {
  return {{"apiVersion", api_version}, {"kind", kind}, {"metadata", {{"name", name}}}, {"spec", {{"nodeName", node}}}};
}

}  // namespace

Topology Topology::generate() {
  Topology made;
  made.pods.reserve(std::size_t{nodes} * pods_per_node);
  made.volumes.reserve(std::size_t{nodes} * pods_per_node);
  for (int node = 0; node < nodes; ++node) {
    const std::string node_name = numbered("node", node);
    for (int pod = 0; pod < pods_per_node; ++pod) {
      const PodNames names(node, pod);
      made.pods.push_back(make_pod(names));
      made.volumes.push_back(make_volume(names));
    }
    for (int i = 0; i < attachments_per_node; ++i) {
      made.attachments.push_back(
          make_owned("storage.k8s.io/v1", "VolumeAttachment", numbered("attachment", i) + "-" + node_name, node_name));
    }
    made.slices.push_back(make_owned("resource.k8s.io/v1", "ResourceSlice", "slice0-" + node_name, node_name));
  }
  return made;
}

NodeGraph Topology::graph(const ReferenceFinder& finder) const {
  NodeGraph graph;
  for (const Object& pod : pods) {
    graph.put_pod(text(pod, "metadata", "namespace"), text(pod, "metadata", "name"), text(pod, "spec", "nodeName"),
                  finder.of_pod(pod).items);
  }
  for (const Object& volume : volumes) {
    const Object& claim = member(volume, "spec", "claimRef");
    graph.put_volume(text(volume, "metadata", "name"), text(claim, "namespace"), text(claim, "name"),
                     finder.of_volume(volume).items);
  }
  const auto put_owned = [&](ObjectKind kind, const std::vector<Object>& objects) {
    for (const Object& object : objects) {
      graph.put_owned(kind, {}, text(object, "metadata", "name"), text(object, "spec", "nodeName"));
    }
  };
  put_owned(ObjectKind::volumeattachment, attachments);
  put_owned(ObjectKind::resourceslice, slices);
  return graph;
}

Request::Request(std::string_view node, std::string_view group, std::string_view resource, std::string_view namespace_,
                 std::string_view name) {
  subject.name = "system:node:" + std::string(node);
  subject.groups = {"system:nodes"};
  attributes.verb = "get";
  attributes.resource_request = true;
  attributes.api_group = group;
  attributes.resource = resource;
  attributes.namespace_ = namespace_;
  attributes.name = name;
}

std::string Request::line() const {
  std::string out;
  for (const std::string& column : {attributes.verb, attributes.api_group, attributes.resource, attributes.subresource,
                                    attributes.namespace_, attributes.name}) {
    out += column + '\t';
  }
  return out + subject.name.substr(std::string_view("system:node:").size());
}

std::vector<NamedRequest> upstream_requests() {
  const PodNames own(0, 0);
  const PodNames other(1, 0);
  const auto ask = [&](std::string_view resource, const std::string& name) {
    return Request(own.node, "", resource, own.namespace_, name);
  };
  const auto ask_attachment = [&](const std::string& name) {
    return Request(own.node, "storage.k8s.io", "volumeattachments", "", name);
  };
  return {{"allowed configmap", ask("configmaps", own.configmap)},
          {"allowed secret via pod", ask("secrets", own.secret)},
          {"allowed shared secret via pod", ask("secrets", std::string(shared_secret))},
          {"disallowed configmap", ask("configmaps", other.configmap)},
          {"disallowed secret via pod", ask("secrets", other.secret)},
          {"disallowed shared secret via pvc", ask("secrets", other.volume_secret)},
          {"disallowed pvc", ask("persistentvolumeclaims", other.claim)},
          {"disallowed pv", Request(own.node, "", "persistentvolumes", "", other.volume)},
          {"disallowed attachment - no relationship", ask_attachment("attachment0-node1")},
          {"allowed attachment", ask_attachment("attachment0-node0")}};
}

namespace {

void sample_pod(const PodNames& names, std::string_view node, std::vector<Request>& requests) {
  const auto ask = [&](std::string_view resource, std::string_view name) {
    requests.emplace_back(node, "", resource, names.namespace_, name);
  };
  ask("configmaps", names.configmap);
  ask("secrets", names.secret);
  ask("secrets", shared_secret);
  ask("secrets", names.volume_secret);
  ask("secrets", names.configmap);  // a name of another kind
  ask("persistentvolumeclaims", names.claim);
  ask("serviceaccounts", names.service_account);
  ask("pods", names.pod);
  requests.emplace_back(node, "", "persistentvolumes", "", names.volume);
  requests.emplace_back(node, "", "configmaps", "elsewhere", names.configmap);
  Request token(node, "", "serviceaccounts", names.namespace_, names.service_account);
  token.attributes.verb = "create";
  token.attributes.subresource = "token";
  requests.push_back(token);
  Request list(node, "", "secrets", names.namespace_, names.secret);
  list.attributes.verb = "list";
  requests.push_back(list);
}

}  // namespace

std::vector<Request> sampled_requests() {
  std::vector<Request> requests;
  for (int pod = 0; pod < Topology::nodes * Topology::pods_per_node; pod += 97) {
    const int node = pod / Topology::pods_per_node;
    const PodNames names(node, pod % Topology::pods_per_node);
    // The pod's own node, another node, one that may be either, and one that is not in the cluster.
    for (const int asking : {node, (node + 1) % Topology::nodes, pod % Topology::nodes, Topology::nodes}) {
      sample_pod(names, numbered("node", asking), requests);
    }
  }
  for (int node = 0; node < Topology::nodes; node += 7) {
    for (const int asking : {node, node + 1}) {
      const std::string attachment = numbered("attachment", node % Topology::attachments_per_node) + "-";
      requests.emplace_back(numbered("node", asking), "storage.k8s.io", "volumeattachments", "",
                            attachment + numbered("node", node));
      requests.emplace_back(numbered("node", asking), "resource.k8s.io", "resourceslices", "",
                            numbered("slice0-node", node));
    }
  }
  return requests;
}

}  // namespace nodebound
