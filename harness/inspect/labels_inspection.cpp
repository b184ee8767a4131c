#include <algorithm>
#include <optional>

#include "harness/explain/authorizers.h"
#include "harness/inspect/inspections.h"
#include "reference/admission/node_restriction.h"

namespace nodebound::inspect {
namespace {

constexpr std::string_view flag_name = "node-labels";

/// Says which labels a node may not set when it makes its Node, by asking NodeRestriction.
class LabelJudge {
 public:
  explicit LabelJudge(const RuleSet& rules)
      : cluster_(rules), authorizers_(rules, cluster_), plugin_(rules, cluster_, authorizers_.chain) {}

  /// The rule that refuses a label; nothing if a node may set it.
  [[nodiscard]] std::optional<Rule> refusal(const std::string& key, const std::string& value) const {
    const Object none;
    const Object node = {
        {"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "a"}, {"labels", {{key, value}}}}}};
    const Admission refused = plugin_.admit({Operation::create, subject_, "", "nodes", "", "", "a", node, none});
    return refused ? std::optional(refused->rule) : std::nullopt;
  }

 private:
  Cluster cluster_;
  explain::Authorizers authorizers_;
  NodeRestriction plugin_;
  Subject subject_{"system:node:a", {"system:nodes", "system:authenticated"}, "", {}};
};

bool ends_label(char c) {
  return std::string_view(", \t\r\n\"'\\;").find(c) != std::string_view::npos;
}

/// Finds labels in texts and fields of one object.
class LabelLook {
 public:
  LabelLook(const InspectionRun& run, const LabelJudge& judge, const InspectedObject* object)
      : run_(run), judge_(judge), object_(object) {}

  /// Every value of the object, however deep.
  void walk(const Object& value, const std::string& pointer) {
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) walk(value[i], pointer + "/" + std::to_string(i));
    } else if (value.is_string()) {
      look_at_text(value.get_ref<const std::string&>(), pointer);
    } else if (value.is_object()) {
      // kubeadm's v1beta4 has arguments as {name, value}.
      if (text(value, "name") == flag_name) judge_list(std::string(text(value, "value")), pointer + "/value");
      for (const auto& [key, child] : value.items()) walk_member(key, child, pointer);
    }
  }

  /// Flags in a file that is no document.
  void look_at_file(const InspectedFile& file) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < file.text.size(); ++line) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
      place_ = Finding::Place{file.name, line, "", ""};
      look_at_text(std::string_view(file.text).substr(at, end - at), "");
      at = end + 1;
    }
  }

  void look_at_fields() {
    for (const InspectionKnowledge::LabelField& field : run_.knowledge.label_fields) {
      const bool named = (field.kind.empty() || object_->kind() == field.kind) &&
                         (field.group.empty() || object_->group() == field.group);
      if (named) look_at_field(object_->object, "", field.path, 0);
    }
  }

 private:
  static std::string step(const std::string& key) {
    std::string out = "/";
    for (const char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return out;
  }

  void walk_member(const std::string& key, const Object& child, const std::string& pointer) {
    const std::string at = pointer + step(key);
    if (key == flag_name && child.is_string()) return judge_list(child.get<std::string>(), at);
    // K3s and RKE2: `node-label` of their configuration, a text or a list.
    if (key == "node-label" && child.is_string()) return judge_list(child.get<std::string>(), at);
    if (key == "node-label" && child.is_array()) {
      for (std::size_t i = 0; i < child.size(); ++i) {
        if (child[i].is_string()) judge_list(child[i].get<std::string>(), at + "/" + std::to_string(i));
      }
      return;
    }
    walk(child, at);
  }

  // `--node-labels=a=b,c=d`, and `node-labels: "a=b"` in a document within a text, as kind's patches are.
  void look_at_text(std::string_view text, const std::string& pointer) {
    for (std::size_t at = text.find(flag_name); at != std::string_view::npos; at = text.find(flag_name, at)) {
      at += flag_name.size();
      if (at >= text.size() || (text[at] != '=' && text[at] != ':' && text[at] != ' ')) continue;
      ++at;
      while (at < text.size() && (text[at] == ' ' || text[at] == '"' || text[at] == '\'')) ++at;
      std::size_t end = at;
      while (end < text.size() && (text[end] == ',' || !ends_label(text[end]))) ++end;
      judge_list(std::string(text.substr(at, end - at)), pointer);
      at = end;
    }
  }

  void look_at_field(const Object& value, const std::string& pointer, const std::vector<std::string>& path,
                     std::size_t depth) {
    if (depth == path.size()) {
      if (!value.is_object()) return;
      for (const auto& [key, label] : value.items()) {
        judge_label(key, label.is_string() ? label.get<std::string>() : "", pointer + step(key));
      }
    } else if (path[depth] == "*") {
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
        look_at_field(value[i], pointer + "/" + std::to_string(i), path, depth + 1);
      }
    } else {
      look_at_field(member(value, path[depth]), pointer + step(path[depth]), path, depth + 1);
    }
  }

  void judge_list(const std::string& list, const std::string& pointer) {
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      const std::string label = list.substr(at, end - at);
      const std::size_t equal = std::min(label.find('='), label.size());
      judge_label(label.substr(0, equal), equal < label.size() ? label.substr(equal + 1) : "", pointer);
      at = end + 1;
    }
  }

  void judge_label(const std::string& key, const std::string& value, const std::string& pointer) {
    const std::optional<Rule> rule = judge_.refusal(key, value);
    if (!rule) return;
    Found found{.inspection = "node-labels", .object = object_, .field = pointer};
    found.what = "a node may not give itself the label " + key;
    found.rules = {run_.rules.catalogue()[*rule].id};
    if (object_ == nullptr) {
      found.place = place_;
      found.who = place_.file;
    }
    run_.found.add(std::move(found));
  }

  const InspectionRun& run_;
  const LabelJudge& judge_;
  const InspectedObject* object_;
  Finding::Place place_;
};

}  // namespace

void inspect_node_labels(const InspectionRun& run) {
  const LabelJudge judge(run.rules);
  for (const InspectedObject& object : run.inspected.objects) {
    LabelLook look(run, judge, &object);
    look.walk(object.object, "");
    look.look_at_fields();
  }
  for (const auto& file : run.inspected.texts) LabelLook(run, judge, nullptr).look_at_file(*file);
}

}  // namespace nodebound::inspect
