#include "harness/inspect/cluster_reader.h"

#include <array>
#include <memory>
#include <utility>

#include "fakes/wire/requests.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/observe.h"
#include "reference/encoding/json_depth.h"
#include "reports/text.h"

namespace nodebound::inspect {
namespace {

/// A collection that is read.
struct Collection {
  const char* group_version;
  const char* resource;
  const char* kind;
};

constexpr std::array<Collection, 21> kCollections = {
    {{"v1", "nodes", "Node"},
     {"v1", "pods", "Pod"},
     {"v1", "configmaps", "ConfigMap"},
     {"v1", "persistentvolumes", "PersistentVolume"},
     {"apps/v1", "daemonsets", "DaemonSet"},
     {"apps/v1", "deployments", "Deployment"},
     {"apps/v1", "statefulsets", "StatefulSet"},
     {"batch/v1", "jobs", "Job"},
     {"batch/v1", "cronjobs", "CronJob"},
     {"storage.k8s.io/v1", "csidrivers", "CSIDriver"},
     {"rbac.authorization.k8s.io/v1", "clusterroles", "ClusterRole"},
     {"rbac.authorization.k8s.io/v1", "clusterrolebindings", "ClusterRoleBinding"},
     {"rbac.authorization.k8s.io/v1", "roles", "Role"},
     {"rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding"},
     {"admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"},
     {"admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"},
     {"admissionregistration.k8s.io/v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"},
     {"admissionregistration.k8s.io/v1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
     {"admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"},
     {"admissionregistration.k8s.io/v1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding"},
     {"v1", "replicationcontrollers", "ReplicationController"}}};

constexpr const char* page_size = "limit=250";
constexpr std::size_t most_objects = 1'000'000;
constexpr std::size_t deepest_answer = 200;

std::string group_of(const Collection& collection) {
  const std::string_view version = collection.group_version;
  const std::size_t slash = version.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(version.substr(0, slash));
}

// Pods and Jobs that a controller makes are like their template, which is read, too.
bool is_copy(const Object& object) {
  const Object& owners = member(object, "metadata", "ownerReferences");
  if (!owners.is_array() || owners.empty()) return false;
  for (const Object& owner : owners) {
    const std::string_view kind = text(owner, "kind");
    if (kind == "DaemonSet" || kind == "ReplicaSet" || kind == "StatefulSet" || kind == "Job" || kind == "CronJob")
      return true;
  }
  return false;
}

/// Reads one collection after the other over one connection.
class ClusterReading {
 public:
  ClusterReading(HttpClient& client, std::string server, Inspected& out)
      : client_(client), server_(std::move(server)), out_(out) {}

  Result<void> read(const Collection& collection) {
    std::string more;
    do {
      std::string target = with_parameter(api_path(collection.group_version, collection.resource, ""), page_size);
      if (!more.empty()) target = with_parameter(std::move(target), "continue=" + encoded(more));
      const Result<HttpResponse> answer = client_.send({"GET", target, "", "", false, "application/json"});
      if (!answer) return tl::unexpected<Error>(answer.error());
      if (answer->status == 404) return {};  // an older server
      if (answer->status != 200) return trouble(collection, "HTTP " + std::to_string(answer->status));
      if (json_depth(answer->body) > deepest_answer) return trouble(collection, "the answer is nested too deeply");
      const Object list = Object::parse(answer->body, nullptr, false);
      if (list.is_discarded() || !member(list, "items").is_array()) {
        return trouble(collection, "the answer is no list of objects");
      }
      if (Result<void> taken = take(collection, list); !taken) return taken;
      more = text(list, "metadata", "continue");
    } while (!more.empty());
    return {};
  }

 private:
  static std::string encoded(const std::string& text) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      const bool plain =
          (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
      if (plain) {
        out += c;
      } else {
        out += {'%', digits[byte >> 4U], digits[byte & 0xfU]};
      }
    }
    return out;
  }

  Result<void> take(const Collection& collection, const Object& list) {
    for (const Object& item : member(list, "items")) {
      if (!item.is_object() || is_copy(item)) continue;
      if (out_.objects.size() >= most_objects) {
        return unreachable_error(server_, "has more than " + std::to_string(most_objects) + " objects to inspect");
      }
      InspectedObject object;
      object.object = item;
      object.object["kind"] = collection.kind;
      object.object["apiVersion"] = collection.group_version;
      if (Object& metadata = object.object["metadata"]; metadata.is_object()) metadata.erase("managedFields");
      out_.objects.push_back(std::move(object));
    }
    return {};
  }

  Result<void> trouble(const Collection& collection, std::string what) {
    out_.troubles.push_back({server_ + " " + collection.resource, std::move(what)});
    return {};
  }

  HttpClient& client_;
  std::string server_;
  Inspected& out_;
};

}  // namespace

guest::Rights rights_to_inspect() {
  guest::Rights out;
  for (const Collection& collection : kCollections) out.insert({"list", group_of(collection), collection.resource});
  for (const char* path : {"/version", "/api", "/apis", "/metrics"}) out.insert({"get", "", "", "", path});
  return out;
}

Result<InspectedCluster> read_cluster(const std::string& kubeconfig, const RequestLimits& limits) {
  const auto config = load_kubeconfig(kubeconfig);
  if (!config) return tl::unexpected<Error>(config.error());
  const auto credentials = credentials_of(*config);
  if (!credentials) return tl::unexpected<Error>(credentials.error());
  const auto client = make_http_client(config->server, *credentials, limits);
  if (!client) return tl::unexpected<Error>(client.error());
  const auto seen = observe(**client, url_of(config->server));
  if (!seen) return tl::unexpected<Error>(seen.error());
  InspectedCluster out;
  out.version = seen->version;
  ClusterReading reading(**client, url_of(config->server), out.inspected);
  for (const Collection& collection : kCollections) {
    if (Result<void> read = reading.read(collection); !read) return tl::unexpected<Error>(read.error());
  }
  return out;
}

}  // namespace nodebound::inspect
