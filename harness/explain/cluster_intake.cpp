#include "harness/explain/cluster_intake.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

bool is(const ClusterObject& entry, std::string_view resource) {
  return entry.key.group.empty() && entry.key.resource == resource;
}

// The claims that a pod's volumes use, as `shop/data`.
std::vector<std::string> claims_of(const Object& pod) {
  std::vector<std::string> out;
  const std::string in = std::string(text(pod, "metadata", "namespace")) + "/";
  for (const Object& volume : member(pod, "spec", "volumes")) {
    const std::string_view claim = text(volume, "persistentVolumeClaim", "claimName");
    if (!claim.empty()) out.push_back(in + std::string(claim));
    if (!member(volume, "ephemeral").is_object()) continue;
    out.push_back(in + std::string(text(pod, "metadata", "name")) + "-" + std::string(text(volume, "name")));
  }
  return out;
}

// Of a pod that is not itself asked about only the references count: drops other fields of its status and containers.
void trim(Object& pod) {
  static const std::set<std::string, std::less<>> status = {"phase", "resourceClaimStatuses",
                                                            "extendedResourceClaimStatus"};
  static const std::set<std::string, std::less<>> container = {"name", "env", "envFrom"};
  const auto keep_only = [](Object& object, const std::set<std::string, std::less<>>& fields) {
    if (!object.is_object()) return;
    for (auto field = object.begin(); field != object.end();) {
      field = fields.contains(field.key()) ? std::next(field) : object.erase(field);
    }
  };
  if (pod.contains("status")) keep_only(pod["status"], status);
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    if (!member(pod, "spec", list).is_array()) continue;
    for (Object& one : pod["spec"][list]) keep_only(one, container);
  }
}

// The fields that count of a pod to which a volume's claim leads.
Object way_through(const Object& pod) {
  Object out = {{"apiVersion", "v1"}, {"kind", "Pod"}};
  const auto copy = [&](const char* at, const char* field) {
    const Object& value = member(pod, at, field);
    if (!value.is_null()) out[at][field] = value;
  };
  for (const char* field : {"name", "namespace", "uid", "annotations", "deletionTimestamp"}) copy("metadata", field);
  for (const char* field : {"nodeName", "volumes"}) copy("spec", field);
  copy("status", "phase");
  return out;
}

}  // namespace

ClusterIntake::ClusterIntake(Question& question)
    : question_(question),
      asked_name_(Object(question.attributes.name).dump(-1, ' ', false, Object::error_handler_t::replace)) {
  const std::string& user = question.subject.name;
  if (user.starts_with(node_user_prefix)) node_ = user.substr(node_user_prefix.size());
  // What a pod references is in its own namespace, but a volume can lead to a claim in any other.
  namespaces_.insert(question.attributes.namespace_);
}

bool ClusterIntake::keep_pod(ClusterObject& entry) {
  question_.given.namespaces_of_pods.insert(entry.key.namespace_);
  const std::vector<std::string> claims = claims_of(entry.object);
  const bool on_node = !node_.empty() && text(entry.object, "spec", "nodeName") == node_;
  if (on_node) used_claims_.insert(claims.begin(), claims.end());
  if (entry.key.namespace_ == question_.attributes.namespace_) {
    if (entry.key.name != question_.attributes.name) trim(entry.object);
    return true;
  }
  if (!claims.empty()) {
    aside_.push_back({entry.key, {}, entry.where});
    Object::to_cbor(way_through(entry.object), aside_.back().pod);
  }
  return false;
}

bool ClusterIntake::keep(ClusterObject& entry) {
  GivenObjects& given = question_.given;
  ++given.count;
  if (entry.key.resource.ends_with("rolebindings")) given.bindings = true;
  if (is(entry, "pods")) return keep_pod(entry);
  if (!is(entry, "persistentvolumes")) return true;
  const std::string in(text(entry.object, "spec", "claimRef", "namespace"));
  bound_claims_.insert(in + "/" + std::string(text(entry.object, "spec", "claimRef", "name")));
  if (entry.key.name == question_.attributes.name) given.claim_namespace_of_asked_volume = in;
  if (entry.object.dump().find(asked_name_) != std::string::npos) namespaces_.insert(in);
  return true;
}

void ClusterIntake::finish(std::vector<ClusterObject> kept) {
  for (Aside& aside : aside_) {
    if (namespaces_.contains(aside.key.namespace_)) {
      kept.push_back({std::move(aside.key), Object::from_cbor(aside.pod), std::move(aside.where)});
    }
  }
  aside_.clear();
  question_.given.claims_without_volume.clear();
  std::set_difference(used_claims_.begin(), used_claims_.end(), bound_claims_.begin(), bound_claims_.end(),
                      std::back_inserter(question_.given.claims_without_volume));
  question_.objects = std::move(kept);
}

void Question::set_cluster(std::vector<ClusterObject> all) {
  given = {};
  ClusterIntake intake(*this);
  std::erase_if(all, [&](ClusterObject& entry) { return !intake.keep(entry); });
  intake.finish(std::move(all));
}

}  // namespace nodebound::explain
