#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "fakes/apiserver/resources/pods/images.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/resources/workload_columns.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/store/change.h"
#include "fakes/validation/object.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

constexpr std::string_view apps = "apps";

// decoding -----------------------------------------------------------------------------------------------------------

void decode_template(Object& pod) {
  if (!member(pod, "spec").is_object()) return;
  Object& spec = pod["spec"];
  for (const char* list : {"containers", "initContainers"}) {
    each_item(spec, list, [](Object& container) {
      if (!text(container, "imagePullPolicy").empty()) return;
      container["imagePullPolicy"] = pull_policy_of(text(container, "image"));
    });
  }
  // The field's old name; conversion still reads and writes it.
  if (text(spec, "serviceAccountName").empty() && !text(spec, "serviceAccount").empty()) {
    spec["serviceAccountName"] = spec["serviceAccount"];
  }
  if (!text(spec, "serviceAccountName").empty()) spec["serviceAccount"] = spec["serviceAccountName"];
}

void decode_workload(const WriteContext&, Object& object) {
  if (member(object, "spec", "template").is_object()) decode_template(object["spec"]["template"]);
}

void decode_pod_template(const WriteContext&, Object& object) {
  if (member(object, "template").is_object()) decode_template(object["template"]);
}

// The kind of a claim in a list of claims is implied (pkg/apis/apps/v1/conversion.go).
void decode_stateful_set(const WriteContext& write, Object& object) {
  decode_workload(write, object);
  if (!member(object, "spec").is_object()) return;
  each_item(object["spec"], "volumeClaimTemplates", [](Object& claim) {
    claim["apiVersion"] = "v1";
    claim["kind"] = "PersistentVolumeClaim";
    if (text(claim, "status", "phase").empty()) claim["status"]["phase"] = "Pending";
  });
}

Object labels_of_pods(const Object& workload) {
  return member(member(workload, "spec", "template"), "metadata", "labels");
}

// A Job or ReplicationController without labels has those of its pods.
void label_as_pods(Object& object) {
  const Object labels = labels_of_pods(object);
  if (!labels.empty() && member(object, "metadata", "labels").empty()) object["metadata"]["labels"] = labels;
}

// A controller without selector has the labels of its pods.
void decode_replication_controller(const WriteContext& write, Object& object) {
  decode_workload(write, object);
  const Object labels = labels_of_pods(object);
  if (!labels.empty() && member(object, "spec", "selector").empty()) object["spec"]["selector"] = labels;
  label_as_pods(object);
}

constexpr const char* template_generation = "deprecated.daemonset.template.generation";

void set_template_generation(Object& object, const std::string& generation) {
  object["metadata"]["annotations"][template_generation] = generation;
}

std::string template_generation_of(const Object& object) {
  return std::string(text(member(object, "metadata", "annotations"), template_generation));
}

void decode_job(const WriteContext& write, Object& object) {
  decode_workload(write, object);
  label_as_pods(object);
}

// Unless somebody selects by hand, the Job's pods are those with its UID (generateSelector in
// pkg/registry/batch/job/strategy.go).
void select_pods_of_job(const WriteContext& write, Object& object) {
  if (!member(object, "spec").is_object() || is_true(object, "spec", "manualSelector")) return;
  const std::string uid(text(object, "metadata", "uid"));
  const std::string name(text(object, "metadata", "name"));
  const bool prefixed = write.defaults.does(Behaviour::job_labels_prefixed);
  Object& labels = object["spec"]["template"]["metadata"]["labels"];
  for (const std::string prefix : {"", "batch.kubernetes.io/"}) {
    if (!prefix.empty() && !prefixed) continue;
    if (!labels.contains(prefix + "job-name")) labels[prefix + "job-name"] = name;
    if (!labels.contains(prefix + "controller-uid")) labels[prefix + "controller-uid"] = uid;
  }
  Object& selected = object["spec"]["selector"]["matchLabels"];
  const std::string key = prefixed ? "batch.kubernetes.io/controller-uid" : "controller-uid";
  if (!selected.contains(key)) selected[key] = uid;
  label_as_pods(object);
}

void decode_cron_job(const WriteContext&, Object& object) {
  if (!member(object, "spec", "jobTemplate", "spec").is_object()) return;
  Object& job = object["spec"]["jobTemplate"]["spec"];
  if (member(job, "template").is_object()) decode_template(job["template"]);
}

void decode_daemon_set(const WriteContext& write, Object& object) {
  decode_workload(write, object);
  if (template_generation_of(object).empty()) set_template_generation(object, "0");
}

void prepare_daemon_set(const WriteContext&, Object& object) {
  set_template_generation(object, "1");
}

void prepare_daemon_set_change(const WriteContext&, const Object& before, Object& submitted) {
  const bool same = member(before, "spec", "template") == member(submitted, "spec", "template");
  const int last = std::atoi(template_generation_of(before).c_str());
  set_template_generation(submitted, std::to_string(last + (same ? 0 : 1)));
}

// validation ---------------------------------------------------------------------------------------------------------

bool label_matches(const Object& labels, const Object& expression) {
  const std::string_view op = text(expression, "operator");
  const Object& own = member(labels, std::string(text(expression, "key")).c_str());
  const Object& values = member(expression, "values");
  const bool listed = std::find(values.begin(), values.end(), own) != values.end();
  if (op == "In") return listed;
  if (op == "NotIn") return !listed;
  return own.is_null() == (op == "DoesNotExist");
}

bool selects_labels(const Object& selector, const Object& labels) {
  const Object& wanted = member(selector, "matchLabels");
  const Object& expressions = member(selector, "matchExpressions");
  const auto has = [&](const auto& label) { return member(labels, label.key().c_str()) == label.value(); };
  const auto items = wanted.items();
  return std::all_of(items.begin(), items.end(), has) &&
         std::all_of(expressions.begin(), expressions.end(),
                     [&](const Object& expression) { return label_matches(labels, expression); });
}

validation::FieldMistakes wrong_replicas(const Object& object) {
  const Object& replicas = member(object, "spec", "replicas");
  if (!replicas.is_number_integer() || replicas >= 0) return {};
  return {validation::invalid_field("spec.replicas", replicas, "must be greater than or equal to 0")};
}

validation::FieldMistakes wrong_new_workload(const Object& object) {
  validation::FieldMistakes out;
  const Object& spec = member(object, "spec");
  const Object& selector = member(spec, "selector");
  const Object& labels = member(member(spec, "template"), "metadata", "labels");
  if (!selector.is_object()) {
    out.push_back(validation::required_field("spec.selector", ""));
  } else if (member(selector, "matchLabels").empty() && member(selector, "matchExpressions").empty()) {
    out.push_back(validation::invalid_field("spec.selector", selector, "empty selector is invalid for workloads"));
  }
  if (out.empty() && selects_labels(selector, labels)) return out;
  out.push_back(validation::invalid_field("spec.template.metadata.labels", labels.is_null() ? Object() : labels,
                                          "`selector` does not match template `labels`"));
  return out;
}

validation::FieldMistakes wrong_selector_change(const Object& object, const Object& before) {
  const Object& selector = member(object, "spec", "selector");
  if (validation::means_the_same(selector, member(before, "spec", "selector"))) return {};
  return {validation::invalid_field("spec.selector", selector, "field is immutable")};
}

// What may change of the spec, in the order in which a refusal names it.
std::vector<std::string> changeable_of_stateful_sets(const Release& release) {
  std::vector<std::string> out = {"replicas"};
  if (release.does(Behaviour::ordinals_of_stateful_sets)) out.emplace_back("ordinals");
  out.insert(out.end(), {"template", "updateStrategy"});
  if (release.does(Behaviour::history_of_stateful_sets)) out.emplace_back("revisionHistoryLimit");
  if (release.does(Behaviour::claims_of_stateful_sets_retained)) {
    out.insert(out.end(), {"persistentVolumeClaimRetentionPolicy", "minReadySeconds"});
  }
  return out;
}

validation::FieldMistakes wrong_stateful_set_change(const Object& object, const Object& before,
                                                    const Release& release) {
  const std::vector<std::string> changeable = changeable_of_stateful_sets(release);
  Object now = member(object, "spec");
  Object was = member(before, "spec");
  for (Object* spec : {&now, &was}) {
    if (!spec->is_object()) continue;
    for (const std::string& field : changeable) spec->erase(field);
  }
  if (validation::means_the_same(now, was)) return {};
  std::string all;
  for (const std::string& field : changeable) {
    const char* const last = changeable.size() == 3 ? ", and " : " and ";
    if (!all.empty()) all += field == changeable.back() ? last : ", ";
    all += "'" + field + "'";
  }
  return {validation::forbidden_field("spec",
                                      "updates to statefulset spec for fields other than " + all + " are forbidden")};
}

// the subresource scale ----------------------------------------------------------------------------------------------

Object scale_of(const WriteContext&, const Object& object) {
  Object metadata = Object::object();
  for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    const Object& own = member(object, "metadata", field);
    if (!own.is_null()) metadata[field] = own;
  }
  const Object& replicas = member(object, "status", "replicas");
  Object out = {{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}, {"metadata", std::move(metadata)}};
  out["spec"] = Object::object();
  const Object& wanted = member(object, "spec", "replicas");
  if (wanted.is_number_integer() && wanted != 0) out["spec"]["replicas"] = wanted;
  out["status"]["replicas"] = replicas.is_number_integer() ? replicas : Object(0);
  const std::string selector = selector_text(member(object, "spec", "selector"));
  if (!selector.empty()) out["status"]["selector"] = selector;
  return out;
}

Object scaled(const Object& before, const Object& scale) {
  Object out = before;
  const Object& replicas = member(scale, "spec", "replicas");
  out["spec"]["replicas"] = replicas.is_number_integer() ? replicas : Object(0);
  for (const char* field : {"resourceVersion", "uid"}) {
    const std::string_view named = text(scale, "metadata", field);
    if (!named.empty()) out["metadata"][field] = named;
  }
  if (text(scale, "metadata", "resourceVersion").empty()) out["metadata"].erase("resourceVersion");
  return out;
}

Object prepared_scale(const WriteContext&, const Object&, Object submitted) {
  return submitted;
}

constexpr SubresourceStrategy scale_told_of(std::string_view group) {
  return {.name = "scale",
          .prepared = prepared_scale,
          .view = scale_of,
          .from_view = scaled,
          .wrong_view = wrong_replicas,
          .group_of_missing = group};
}

constexpr std::array scaled_replica_sets = {scale_told_of(apps)};
constexpr std::array scaled_stateful_sets = {scale_told_of("")};
constexpr std::array scaled_replication_controllers = {scale_told_of("autoscaling")};
constexpr std::array deployment_subresources = {
    scale_told_of(apps), SubresourceStrategy{.name = "status", .prepared = prepared_status, .out_of_reach = [] {
                                               return FieldSet{{"f:spec"}, {"f:metadata", "f:labels"}};
                                             }}};

constexpr validation::KindChecks workload_checks = {
    .object = wrong_replicas, .created = wrong_new_workload, .change = wrong_selector_change, .metadata_checks = 3};
constexpr std::string_view early_apps = "v1beta1 v1beta2";

}  // namespace

std::span<const Strategy> strategies::workloads() {
  static const std::array kinds = {
      Strategy{.group = apps,
               .resource = "deployments",
               .columns = deployment_columns,
               .subresources = deployment_subresources,
               .decode = decode_workload,
               .checks = workload_checks,
               .orphaning = early_apps},
      Strategy{.group = apps,
               .resource = "replicasets",
               .columns = replica_columns,
               .subresources = scaled_replica_sets,
               .decode = decode_workload,
               .checks = workload_checks,
               .orphaning = early_apps},
      Strategy{.group = apps,
               .resource = "statefulsets",
               .columns = stateful_set_columns,
               .subresources = scaled_stateful_sets,
               .decode = decode_stateful_set,
               .checks = {.object = wrong_replicas,
                          .created = wrong_new_workload,
                          .change_in_release = wrong_stateful_set_change,
                          .metadata_checks = 3},
               .orphaning = early_apps},
      Strategy{.group = apps,
               .resource = "daemonsets",
               .columns = daemon_set_columns,
               .decode = decode_daemon_set,
               .checks = workload_checks,
               .prepare_for_create = prepare_daemon_set,
               .prepare_for_update = prepare_daemon_set_change,
               .orphaning = early_apps},
      Strategy{.group = "batch",
               .resource = "jobs",
               .decode = decode_job,
               .checks = {.change = wrong_selector_change},
               .prepare_for_create = select_pods_of_job,
               .orphaning = "v1"},
      Strategy{.group = "batch",
               .resource = "cronjobs",
               .decode = decode_cron_job,
               .checks = {.metadata_checks = 3},
               .orphaning = "v1beta1"},
      Strategy{.resource = "podtemplates",
               .decode = decode_pod_template,
               .checks = {.metadata_checks = 3},
               .new_generation =
                   [](const Object& before, const Object& after) {
                     return member(before, "template") != member(after, "template");
                   }},
      Strategy{.resource = "replicationcontrollers",
               .columns = replica_columns,
               .subresources = scaled_replication_controllers,
               .decode = decode_replication_controller,
               .checks = {.object = wrong_replicas, .metadata_checks = 3},
               .orphaning = "v1"},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
