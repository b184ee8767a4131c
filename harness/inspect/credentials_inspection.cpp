#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "harness/inspect/inspections.h"
#include "harness/inspect/pod_spec.h"

namespace nodebound::inspect {
namespace {

using Credential = InspectionKnowledge::Credential;

/// A folder or file of the node that a pod mounts.
struct HostMount {
  std::string volume;
  std::string host;     ///< path on the node
  std::string pointer;  ///< of the volume
};

// Without a slash at the end, double ones, and what leads nowhere or back.
std::string tidy(std::string_view path) {
  std::string out = std::filesystem::path(path).lexically_normal().string();
  if (out.size() > 1 && out.back() == '/') out.pop_back();
  return out;
}

// Whether `path` is `folder`, or lies in it.
bool is_within(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Whether `path` is in `folder` of the node, perhaps below where the node's disk is mounted: `/host/etc/…`.
bool leads_to(std::string_view path, std::string_view folder) {
  const std::size_t at = path.find(folder);
  return at != std::string_view::npos && is_within(path.substr(at), folder);
}

std::vector<HostMount> host_mounts(const PodSpec& pod) {
  std::vector<HostMount> out;
  const Object& volumes = member(pod.spec, "volumes");
  for (std::size_t i = 0; volumes.is_array() && i < volumes.size(); ++i) {
    const std::string_view path = text(volumes[i], "hostPath", "path");
    if (path.empty()) continue;
    out.push_back({std::string(text(volumes[i], "name")), tidy(path), pod.pointer + "/volumes/" + std::to_string(i)});
  }
  return out;
}

// The absolute paths in a text, and in it `--kubeconfig=/a` and `sh -c "x /a"`.
std::vector<std::string> paths_in(std::string_view text) {
  const auto in_path = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+@~").find(c) != std::string_view::npos;
  };
  std::vector<std::string> out;
  for (std::size_t at = text.find('/'); at != std::string_view::npos && at < text.size(); at = text.find('/', at)) {
    std::size_t end = at;
    while (end < text.size() && in_path(text[end])) ++end;
    const bool begins = at == 0 || !in_path(text[at - 1]);
    if (begins) out.push_back(tidy(text.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  return out;
}

/// Looks at one workload.
class CredentialLook {
 public:
  CredentialLook(const InspectionRun& run, const PodSpec& pod) : run_(run), pod_(pod), mounts_(host_mounts(pod)) {}

  void look() {
    for (const InspectedContainer& container : containers_of(pod_)) {
      for (const ContainerText& text : texts_of(container)) look_at(container, text);
    }
    for (const HostMount& mount : mounts_) look_at(mount);
  }

 private:
  [[nodiscard]] const Credential* credential_at(const std::string& host_path) const {
    for (const Credential& credential : run_.knowledge.credentials) {
      if (is_within(host_path, credential.path)) return &credential;
    }
    return nullptr;
  }

  // The path on the node behind a path in the container; the same path if the container runs on the node's files.
  [[nodiscard]] std::vector<std::string> host_paths(const InspectedContainer& container,
                                                    const std::string& path) const {
    std::vector<std::string> out;
    std::size_t longest = 0;
    const Object& mounts = member(container.container, "volumeMounts");
    for (const Object& mount : mounts.is_array() ? mounts : Object::array()) {
      const std::string at = tidy(text(mount, "mountPath"));
      if (at.empty() || at.size() < longest || !is_within(path, at)) continue;
      const auto volume = std::find_if(mounts_.begin(), mounts_.end(),
                                       [&](const HostMount& one) { return one.volume == text(mount, "name"); });
      longest = at.size();
      out.clear();
      if (volume == mounts_.end()) continue;
      const std::string_view below = text(mount, "subPath");
      const std::string rest = at == "/" ? path : path.substr(at.size());
      out.push_back(tidy(volume->host + (below.empty() ? "" : "/" + std::string(below)) + "/" + rest));
    }
    // Commands that enter the node (nsenter, chroot) name its paths as they are there.
    const bool on_node = is_true(pod_.spec, "hostPID") ||
                         std::any_of(mounts_.begin(), mounts_.end(), [](const auto& one) { return one.host == "/"; });
    if (longest == 0 && on_node) out.push_back(path);
    return out;
  }

  void look_at(const InspectedContainer& container, const ContainerText& text) {
    for (const std::string& path : paths_in(text.text)) {
      for (const std::string& host : host_paths(container, path)) {
        const Credential* credential = credential_at(host);
        if (credential == nullptr || !named_.insert(host).second) continue;
        add("kubelet-credentials", text.pointer,
            "is started with " + host + ", the kubelet's credentials of " + credential->of);
        used_.insert(credential->path);
      }
    }
  }

  void look_at(const HostMount& mount) {
    const Credential* exact = credential_at(mount.host);
    if (exact != nullptr) {
      if (!used_.contains(exact->path)) {
        add("kubelet-credentials", mount.pointer,
            "mounts " + mount.host + ", the kubelet's credentials of " + exact->of);
      }
      return;
    }
    std::string reach;
    for (const Credential& credential : run_.knowledge.credentials) {
      if (is_within(credential.path, mount.host) && !used_.contains(credential.path)) {
        reach += (reach.empty() ? "" : ", ") + credential.path;
      }
    }
    if (!reach.empty() && used_.empty()) {
      // Of the whole disk, what lies on it is no news.
      const std::string what =
          mount.host == "/" ? "mounts all of the node's disk" : "mounts " + mount.host + ", with " + reach;
      add("kubelet-credentials-in-reach", mount.pointer, what);
    }
  }

  void add(const char* inspection, const std::string& pointer, std::string what) {
    Found found{.inspection = inspection, .object = &pod_.workload, .field = pointer, .what = std::move(what)};
    for (const InspectionKnowledge::Agent& agent : run_.knowledge.agents) {
      if (std::string_view(inspection) != "kubelet-credentials" || !is(agent)) continue;
      found.what += "; a workload of that name was hit before: " + agent.did;
      found.seen_at.insert(found.seen_at.end(), agent.seen_at.begin(), agent.seen_at.end());
    }
    run_.found.add(std::move(found));
  }

  [[nodiscard]] bool is(const InspectionKnowledge::Agent& agent) const {
    std::string names(pod_.workload.name());
    for (const InspectedContainer& container : containers_of(pod_)) {
      names += " " + std::string(text(container.container, "image"));
    }
    return std::any_of(agent.words.begin(), agent.words.end(),
                       [&](const std::string& word) { return names.find(word) != std::string::npos; });
  }

  const InspectionRun& run_;
  const PodSpec& pod_;
  std::vector<HostMount> mounts_;
  std::set<std::string> named_;  ///< paths on the node that were found already
  std::set<std::string> used_;   ///< credentials that the workload is started with
};

// Scripts and configurations for workloads may name the credentials, too.
void look_at_config_map(const InspectionRun& run, const InspectedObject& object) {
  const Object& data = member(object.object, "data");
  if (!data.is_object()) return;
  for (const auto& [key, value] : data.items()) {
    if (!value.is_string()) continue;
    for (const std::string& path : paths_in(value.get_ref<const std::string&>())) {
      const auto found = std::find_if(run.knowledge.credentials.begin(), run.knowledge.credentials.end(),
                                      [&](const Credential& one) { return leads_to(path, one.path); });
      if (found == run.knowledge.credentials.end()) continue;
      std::string step;
      for (const char c : key) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      run.found.add({.inspection = "kubelet-credentials",
                     .object = &object,
                     .field = "/data/" + step,
                     .what = key + " names " + path + ", the kubelet's credentials of " + found->of});
      break;
    }
  }
}

}  // namespace

void inspect_credentials(const InspectionRun& run) {
  for (const InspectedObject& object : run.inspected.objects) {
    with_pod_spec(object, [&](const PodSpec& pod) { CredentialLook(run, pod).look(); });
    if (object.kind() == "ConfigMap") look_at_config_map(run, object);
  }
}

}  // namespace nodebound::inspect
