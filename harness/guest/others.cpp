#include "harness/guest/others.h"

#include <algorithm>

#include "harness/guest/unrunnable.h"

namespace nodebound::guest {
namespace {

constexpr const char* most_counted = "500";

// A name as Names gives it to objects: nb-bcdfgh-12-web.
bool is_name_of_a_run(std::string_view name) {
  static constexpr std::string_view shape = "nb-xxxxxx-";
  if (name.size() <= shape.size()) return false;
  const bool fits = std::equal(shape.begin(), shape.end(), name.begin(), [](char expected, char c) {
    return expected == 'x' ? c >= 'a' && c <= 'z' : c == expected;
  });
  return fits && name[shape.size()] >= '0' && name[shape.size()] <= '9';
}

bool is_of_a_run(const Object& object) {
  return member(object, "metadata", "labels").contains(journal::run_label) ||
         is_name_of_a_run(text(object, "metadata", "name")) || is_name_of_a_run(text(object, "metadata", "namespace"));
}

void count(Endpoint& endpoint, const std::string& path, std::size_t& found, OthersThere& out) {
  const auto answer = endpoint.open_session()->send(endpoint.administrator(), {"GET", path, "", "", false});
  if (!answer || answer->status != 200) {
    out.not_known = answer ? "GET " + path + ": HTTP " + std::to_string(answer->status) : answer.error().text();
    return;
  }
  const Object list = Object::parse(answer->body, nullptr, false);
  if (!list.is_object() || !member(list, "items").is_array()) {
    out.not_known = "GET " + path + " was not answered with a list";
    return;
  }
  for (const Object& one : member(list, "items")) {
    if (is_of_a_run(one)) continue;
    ++found;
    const std::string_view in = text(one, "metadata", "namespace");
    out.example = std::string(in) + (in.empty() ? "" : "/") + std::string(text(one, "metadata", "name"));
  }
  out.more = out.more || !text(list, "metadata", "continue").empty();
}

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

std::string OthersThere::text() const {
  if (!not_known.empty()) return "nobody can see what else there is: " + not_known;
  return std::string(more ? "more than " : "") + counted(nodes, "Node") + " and " + counted(pods, "pod") +
         " outside of kube-system" + (example.empty() ? "" : " (" + example + " among them)");
}

OthersThere others_at(Endpoint& endpoint) {
  OthersThere out;
  const std::string limit = std::string("?limit=") + most_counted;
  count(endpoint, "/api/v1/nodes" + limit, out.nodes, out);
  count(endpoint, "/api/v1/pods" + limit + "&fieldSelector=metadata.namespace%21%3Dkube-system", out.pods, out);
  return out;
}

std::map<std::string, std::size_t> made_by(const std::vector<Scenario>& scenarios, bool widens) {
  std::map<std::string, std::size_t> out;
  for (const Scenario& scenario : scenarios) {
    ++out["namespaces"];
    if (widens) ++out["clusterrolebindings"];
    if (!scenario.nodes.empty()) out["nodes"] += scenario.nodes.size();
    const auto perform = [&](const Action& action) {
      if (action.kind == Action::Kind::create) ++out[action.target.resource];
    };
    for (const Action& action : scenario.given) perform(action);
    for (const Step& step : scenario.steps) {
      for (const Action& action : step.actions) perform(action);
      const bool makes = step.check && step.check->keep && step.check->request.verb == "create";
      if (makes && step.check->request.subresource.empty()) ++out[step.check->request.resource];
    }
  }
  return out;
}

std::string in_words(const std::map<std::string, std::size_t>& made) {
  std::string out;
  for (const auto& [resource, number] : made) {
    out += (out.empty() ? "" : ", ") + std::to_string(number) + " " + resource;
  }
  return out;
}

}  // namespace nodebound::guest
