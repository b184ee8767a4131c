// Nodebound's reference as a C++17 library: nodebound.h with values and exceptions. It is all inline, so that it works
// with any compiler; what it links is C.
#ifndef NODEBOUND_HPP
#define NODEBOUND_HPP

#include <memory>
#include <nodebound.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodebound::library {

/// Wrong input; `what()` says where and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Outcome { allow, deny, no_opinion };

/// nodebound_request, which explains the members.
struct Request {
  std::string user;
  std::vector<std::string> groups = {};
  std::string verb;
  std::string api_group = {};
  std::string resource = {};
  std::string subresource = {};
  std::string namespace_ = {};
  std::string name = {};
  std::string field_selector = {};
  std::string path = {};
};

struct Decision {
  Outcome outcome = Outcome::no_opinion;
  std::string_view rule;  ///< id in the rule catalogue; empty: no rule is about the request
  [[nodiscard]] bool allowed() const { return outcome == Outcome::allow; }
};

/// The rules of a release and the objects of a cluster. Several threads may use it at a time. All members throw
/// `Error`.
class Reference {
 public:
  /// nodebound_open, which explains the arguments.
  explicit Reference(const std::string& release, const std::string& feature_gates = {},
                     const std::string& authorization_modes = "Node,RBAC")
      : handle_(opened(release, feature_gates, authorization_modes), nodebound_close) {}

  /// Objects in YAML or JSON, as kubectl prints them. Returns how many were taken.
  long put(std::string_view objects) { return counted(nodebound_put, objects); }
  /// Returns how many of them there were.
  long remove(std::string_view objects) { return counted(nodebound_remove, objects); }

  [[nodiscard]] Decision decide(const Request& request) const {
    nodebound_decision decision{};
    char* error = nullptr;
    const AsC as_c(request);
    const nodebound_request asked = as_c.request();
    if (nodebound_decide(handle_.get(), &asked, &decision, &error) != 0) fail(error);
    return {static_cast<Outcome>(decision.outcome), decision.rule == nullptr ? "" : decision.rule};
  }

  /// The reason that kube-apiserver would give; often empty.
  [[nodiscard]] std::string reason(const Request& request) const {
    char* error = nullptr;
    const AsC as_c(request);
    const nodebound_request asked = as_c.request();
    return taken(nodebound_reason(handle_.get(), &asked, &error), error);
  }

  /// Answers a SubjectAccessReview or AdmissionReview, in JSON.
  [[nodiscard]] std::string review(std::string_view review) const {
    char* error = nullptr;
    return taken(nodebound_review(handle_.get(), review.data(), review.size(), &error), error);
  }

  /// What `nodebound explain --format json` prints.
  [[nodiscard]] std::string explain(const std::string& as, const std::string& verb, const std::string& target,
                                    const std::string& namespace_ = {}, const std::string& body = {}) const {
    char* error = nullptr;
    return taken(nodebound_explain(handle_.get(), as.c_str(), verb.c_str(), target.c_str(), namespace_.c_str(),
                                   body.c_str(), &error),
                 error);
  }

  /// A rule in JSON.
  [[nodiscard]] std::string rule(const std::string& id) const {
    char* error = nullptr;
    return taken(nodebound_rule(handle_.get(), id.c_str(), &error), error);
  }

  /// All rules, as a JSON list.
  [[nodiscard]] std::string rules() const {
    char* error = nullptr;
    return taken(nodebound_rules(handle_.get(), &error), error);
  }

 private:
  /// A request as C has it.
  class AsC {
   public:
    explicit AsC(const Request& request) : request_(request) {
      for (const std::string& group : request.groups) groups_.push_back(group.c_str());
      groups_.push_back(nullptr);
    }
    [[nodiscard]] nodebound_request request() const {
      return {request_.user.c_str(),           groups_.data(),
              request_.verb.c_str(),           request_.api_group.c_str(),
              request_.resource.c_str(),       request_.subresource.c_str(),
              request_.namespace_.c_str(),     request_.name.c_str(),
              request_.field_selector.c_str(), request_.path.c_str()};
    }

   private:
    const Request& request_;
    std::vector<const char*> groups_;
  };

  [[noreturn]] static void fail(char* error) {
    const std::unique_ptr<char, void (*)(char*)> owned(error, nodebound_string_free);
    throw Error(error == nullptr ? "out of memory" : error);
  }

  /// `error` is read after the call whose result `text` is, whatever the order of arguments.
  static std::string taken(char* text, char* const& error) {
    if (text == nullptr) fail(error);
    const std::unique_ptr<char, void (*)(char*)> owned(text, nodebound_string_free);
    return text;
  }

  static nodebound_reference* opened(const std::string& release, const std::string& feature_gates,
                                     const std::string& authorization_modes) {
    char* error = nullptr;
    nodebound_reference* out =
        nodebound_open(release.c_str(), feature_gates.c_str(), authorization_modes.c_str(), &error);
    if (out == nullptr) fail(error);
    return out;
  }

  using Change = long (*)(nodebound_reference*, const char*, size_t, char**);
  long counted(Change change, std::string_view objects) {
    char* error = nullptr;
    const long count = change(handle_.get(), objects.data(), objects.size(), &error);
    if (count < 0) fail(error);
    return count;
  }

  std::unique_ptr<nodebound_reference, void (*)(nodebound_reference*)> handle_;
};

}  // namespace nodebound::library

#endif
