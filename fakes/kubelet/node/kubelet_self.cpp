#include "fakes/kubelet/node/kubelet_self.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "fakes/wire/timestamp.h"

namespace nodebound::fake_kubelet {
namespace {

// FNV-1a: the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

KubeletSelf::KubeletSelf(std::shared_ptr<const KubeletTraits> own_traits, std::shared_ptr<const KubeletOptions> started,
                         std::string own_name, std::unique_ptr<KubeletLine> own_line, std::function<void()> wake,
                         std::shared_ptr<NodeMachine> own_machine)
    : traits(std::move(own_traits)),
      options(std::move(started)),
      name(std::move(own_name)),
      line(std::move(own_line)),
      bell(std::make_shared<KubeletBell>(std::move(wake))),
      machine(std::move(own_machine)),
      random_(hash_of(name) ^ options->seed) {}

ApiAnswer KubeletSelf::send(const HttpRequest& request) {
  ApiAnswer answer{line->send(credential, request)};
  refusals.note(request, answer.response, now);
  return answer;
}

ApiAnswer KubeletSelf::get(const std::string& target) {
  return send({"GET", target, "", ""});
}

ApiAnswer KubeletSelf::post(const std::string& target, const Object& object) {
  return send({"POST", target, "application/json", object.dump()});
}

ApiAnswer KubeletSelf::put(const std::string& target, const Object& object) {
  return send({"PUT", target, "application/json", object.dump()});
}

ApiAnswer KubeletSelf::patch(const std::string& target, const Object& patch) {
  return send({"PATCH", target, "application/strategic-merge-patch+json", patch.dump()});
}

ApiAnswer KubeletSelf::remove(const std::string& target, const Object& delete_options) {
  if (delete_options.is_null()) return send({"DELETE", target, "", ""});
  return send({"DELETE", target, "application/json", delete_options.dump()});
}

ApiAnswer KubeletSelf::watch(const std::string& target) {
  HttpRequest request{"GET", target, "", ""};
  request.watch = true;
  return send(request);
}

void KubeletSelf::tell(const Object& about, const std::string& namespace_, const char* reason,
                       const std::string& message) {
  if (!options->events) return;
  const std::string id = text(about, "name").empty() ? name : std::string(text(about, "name"));
  const std::string time = timestamp();
  const auto count = static_cast<std::uint64_t>(now.time_since_epoch().count()) + events_++;
  post("/api/v1/namespaces/" + namespace_ + "/events",
       {{"apiVersion", "v1"},
        {"kind", "Event"},
        {"metadata", {{"name", id + "." + std::to_string(count)}, {"namespace", namespace_}}},
        {"involvedObject", about},
        {"reason", reason},
        {"message", message},
        {"source", {{"component", "kubelet"}, {"host", name}}},
        {"firstTimestamp", time},
        {"lastTimestamp", time},
        {"count", 1},
        {"type", "Normal"}});
}

std::string KubeletSelf::timestamp() const {
  return timestamp_of(now);
}

std::string KubeletSelf::micro_time() const {
  return micro_timestamp_of(now);
}

// SplitMix64.
std::uint64_t KubeletSelf::draw() {
  std::uint64_t z = (random_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

std::chrono::milliseconds KubeletSelf::jittered(std::chrono::milliseconds least) {
  const auto spread = static_cast<std::uint64_t>(std::max<std::int64_t>(1, least.count()));
  return least + std::chrono::milliseconds(draw() % spread);
}

std::string short_hash(std::string_view text) {
  std::array<char, 17> out{};
  std::snprintf(out.data(), out.size(), "%016llx", static_cast<unsigned long long>(hash_of(text)));
  return out.data();
}

std::chrono::milliseconds BackOff::after(unsigned tries) const {
  return std::min(first * (std::int64_t{1} << std::min(tries, 20U)), most);
}

Object node_owner(const KubeletSelf& self) {
  return {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", self.name}, {"uid", self.node.uid}};
}

}  // namespace nodebound::fake_kubelet
