#include "harness/lint/apiserver_flags_lint.h"

#include <algorithm>
#include <array>

namespace nodebound::lint {
namespace {

constexpr std::array<std::string_view, 6> modes_known = {"AlwaysAllow", "AlwaysDeny", "ABAC",
                                                         "Webhook",     "RBAC",       "Node"};

template <typename List>
bool among(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class FlagLint {
 public:
  FlagLint(const ApiServerFlags& flags, const std::string& file, const RuleSet& rules)
      : flags_(flags), file_(file), rules_(rules) {}

  Remarks remarks() && {
    gates();
    if (const ApiServerFlag* configuration = flags_.find("authorization-config")) {
      authorization_configuration(*configuration);
    } else {
      authorizers();
    }
    plugins();
    kubelets();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string place(const ApiServerFlag* flag) const {
    return flag == nullptr ? file_ : file_ + ":" + std::to_string(flag->line);
  }
  void add(Remark::Kind kind, const ApiServerFlag* flag, std::string what, std::string advice = {}) {
    out_.push_back({kind, place(flag), std::move(what), std::move(advice)});
  }

  void gates() {
    const ApiServerFlag* flag = flags_.find("feature-gates");
    GateSettings settings;
    for (const std::string& item : flags_.list("feature-gates")) {
      const std::size_t equals = item.find('=');
      const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
      if (value == "true" || value == "false") {
        settings[item.substr(0, equals)] = value == "true";
      } else {
        add(Remark::Kind::refused, flag, "\"" + item + "\" is not a setting of a feature gate",
            "write it as Gate=true");
      }
    }
    const auto release = Release::make(rules_.catalogue(), rules_.release().version, settings);
    if (!release) return add(Remark::Kind::refused, flag, release.error().what, release.error().hint);
    lost_rules(flag, RuleSet(rules_.catalogue(), *release));
  }

  // A gate that is turned off may take restrictions away.
  void lost_rules(const ApiServerFlag* flag, const RuleSet& set) {
    std::string lost;
    for (const RuleEntry& entry : rules_.catalogue().rules()) {
      const Rule rule = *rules_.catalogue().find(entry.id);
      if (entry.effect != Effect::restriction || !rules_.in_force(rule) || set.in_force(rule)) continue;
      lost += (lost.empty() ? "" : ", ") + entry.id;
    }
    if (lost.empty()) return;
    add(Remark::Kind::unsafe, flag, "the feature gates take these rules out of force: " + lost,
        "`nodebound rules ID` says what a rule is for");
  }

  void authorization_configuration(const ApiServerFlag& configuration) {
    for (const std::string_view other : {"authorization-mode", "authorization-webhook-"}) {
      if (const ApiServerFlag* flag = flags_.beginning_with(other)) {
        add(Remark::Kind::refused, flag,
            "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags "
            "are defined",
            "leave --" + flag->name + " out");
      }
    }
    if (configuration.value.empty()) add(Remark::Kind::refused, &configuration, "--authorization-config names no file");
  }

  void authorizers() {
    const ApiServerFlag* flag = flags_.find("authorization-mode");
    const std::vector<std::string> modes =
        flag == nullptr ? std::vector<std::string>{"AlwaysAllow"} : flags_.list("authorization-mode");
    for (auto mode = modes.begin(); mode != modes.end(); ++mode) {
      if (!among(modes_known, *mode)) {
        add(Remark::Kind::refused, flag, "authorization-mode \"" + *mode + "\" is not a valid mode");
      }
      if (std::find(modes.begin(), mode, *mode) != mode) {
        add(Remark::Kind::refused, flag, "authorization-mode " + *mode + " is specified more than once");
      }
    }
    files_of_modes(modes, flag);
    chain(modes, flag);
  }

  void files_of_modes(const std::vector<std::string>& modes, const ApiServerFlag* flag) {
    struct Needed {
      std::string_view mode;
      std::string_view file;
      const char* missing;
    };
    for (const Needed& each :
         {Needed{"ABAC", "authorization-policy-file", "authorization-mode ABAC's authorization policy file not passed"},
          Needed{"Webhook", "authorization-webhook-config-file",
                 "authorization-mode Webhook's authorization config file not passed"}}) {
      const ApiServerFlag* file = flags_.find(each.file);
      const bool used = among(modes, each.mode);
      const std::string name = "--" + std::string(each.file);
      if (used && file == nullptr) add(Remark::Kind::refused, flag, each.missing, "add " + name);
      if (!used && file != nullptr) {
        add(Remark::Kind::refused, file, "cannot specify " + name + " without mode " + std::string(each.mode));
      }
    }
  }

  void chain(const std::vector<std::string>& modes, const ApiServerFlag* flag) {
    const std::string fix = "use --authorization-mode=Node,RBAC";
    if (among(modes, "AlwaysAllow")) {
      const std::string why = flag == nullptr ? "without --authorization-mode, " : "with the mode AlwaysAllow, ";
      return add(Remark::Kind::unsafe, flag, why + "every user and every node may do everything", fix);
    }
    const auto node = std::find(modes.begin(), modes.end(), "Node");
    if (node == modes.end()) {
      return add(Remark::Kind::unsafe, flag,
                 "there is no Node authorizer, so a node gets what the other modes grant the group system:nodes: all "
                 "Secrets, or none",
                 fix);
    }
    if (std::find(modes.begin(), node, "Webhook") != node) {
      add(Remark::Kind::unsafe, flag,
          "Webhook stands before Node, so what it allows a node is allowed, and a node that it denies does not work",
          "let Node stand first, or let the webhook have no opinion on users of system:nodes");
    }
    if (among(modes, "ABAC")) {
      add(Remark::Kind::unsafe, flag, "ABAC may allow a node what Node does not", "lint the policy file, too");
    }
  }

  void plugins() {
    const ApiServerFlag* all = flags_.find("admission-control");
    std::vector<std::string> on = flags_.list("enable-admission-plugins");
    for (std::string& plugin : flags_.list("admission-control")) on.push_back(std::move(plugin));
    const std::vector<std::string> off = flags_.list("disable-admission-plugins");
    const ApiServerFlag* disabled = flags_.find("disable-admission-plugins");
    if (among(on, "NodeRestriction") && among(off, "NodeRestriction")) {
      add(Remark::Kind::refused, disabled,
          "NodeRestriction in enable-admission-plugins and disable-admission-plugins overlapped",
          "leave it in --enable-admission-plugins alone");
    } else if (!among(on, "NodeRestriction")) {
      add(Remark::Kind::unsafe, all != nullptr ? all : flags_.find("enable-admission-plugins"),
          "NodeRestriction is not on, so a node may change other Nodes and the pods of other nodes, and give itself "
          "any label",
          "add NodeRestriction to --enable-admission-plugins");
    }
    const bool owners_guarded =
        rules_.in_force(Rule::node_owner_references) || among(on, "OwnerReferencesPermissionEnforcement");
    if (among(on, "NodeRestriction") && !owners_guarded) {
      add(Remark::Kind::unsafe, flags_.find("enable-admission-plugins"),
          "a node may give its Node an owner that does not exist, be deleted with it, and come back with any labels "
          "and "
          "taints (CVE-2025-5187)",
          "upgrade to 1.31.12, 1.32.8, 1.33.4 or later, or add OwnerReferencesPermissionEnforcement to "
          "--enable-admission-plugins");
    }
    static constexpr std::array<std::string_view, 4> guards = {"ServiceAccount", "CertificateApproval",
                                                               "CertificateSigning", "CertificateSubjectRestriction"};
    for (const std::string_view plugin : guards) {
      if (!among(off, plugin)) continue;
      add(Remark::Kind::unsafe, disabled, std::string(plugin) + " is turned off",
          "take it out of --disable-admission-plugins");
    }
  }

  void kubelets() {
    if (flags_.find("kubelet-certificate-authority") == nullptr) {
      add(Remark::Kind::unsafe, flags_.find("kubelet-client-certificate"),
          "the API server does not verify the certificates of kubelets: whoever answers at a Node's address gets what "
          "it "
          "sends, such as the input of exec",
          "set --kubelet-certificate-authority");
    }
  }

  const ApiServerFlags& flags_;
  const std::string& file_;
  const RuleSet& rules_;
  Remarks out_;
};

}  // namespace

Remarks lint_apiserver_flags(const ApiServerFlags& flags, const std::string& file, const RuleSet& rules) {
  return FlagLint(flags, file, rules).remarks();
}

}  // namespace nodebound::lint
