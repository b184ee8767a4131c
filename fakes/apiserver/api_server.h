#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "fakes/apiserver/routes.h"
#include "fakes/store/store.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/attributes.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The reference as an API server, in process: a request goes through authorization, admission and validation to the
/// store, as in kube-apiserver, and is answered with the same status codes and messages. Not thread-safe.
class ApiServer {
 public:
  struct Options {
    std::set<std::string> disabled_plugins;  ///< of ServiceAccount and NodeRestriction
    /// What it serves; where it is null, all that the release can. Servers of one release may share it.
    std::shared_ptr<const ApiResources> resources = nullptr;
  };

  explicit ApiServer(const RuleSet& rules) : ApiServer(rules, Options()) {}
  ApiServer(const RuleSet& rules, const Options& options);
  ~ApiServer();

  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// Answers a request of an authenticated subject. The header `x-nodebound-rule` of the answer names the rule that
  /// decided.
  HttpResponse handle(const Subject& authenticated, const HttpRequest& request);

 private:
  /// A request on its way through the server.
  struct Call {
    const Subject& subject;
    const HttpRequest& request;
    Attributes attributes;
    bool dry_run = false;
    const ApiResource* resource = nullptr;
    const ApiSubresource* subresource = nullptr;

    [[nodiscard]] ObjectKey key() const;
    [[nodiscard]] ObjectKey key(std::string_view name) const;
  };

  HttpResponse handle_non_resource(const Call& call);
  HttpResponse handle_resource(Call& call);
  HttpResponse serve(Call& call);
  HttpResponse connect(const Call& call);

  // rest.cpp
  HttpResponse get(const Call& call);
  HttpResponse list(const Call& call);
  HttpResponse create(const Call& call);
  HttpResponse update(const Call& call);
  HttpResponse patch(const Call& call);
  HttpResponse remove(const Call& call);
  HttpResponse remove_collection(const Call& call);
  HttpResponse create_object(const Call& call, Object object);
  HttpResponse create_by_update(const Call& call, Object object);
  HttpResponse replace_object(const Call& call, const Object& before, Object submitted);
  [[nodiscard]] bool selected(const Call& call, const Object& object) const;
  void erase(const ObjectKey& key);

  // subresources.cpp
  HttpResponse create_subresource(const Call& call);
  HttpResponse bind(const Call& call, const Object& pod, const Object& binding);
  HttpResponse evict(const Call& call, const Object& pod, const Object& eviction);
  HttpResponse issue_token(const Call& call, const Object& token_request);

  // reviews.cpp
  HttpResponse review(const Call& call, Object review);
  static HttpResponse review_rules(Object review);

  [[nodiscard]] HttpResponse forbidden(const Subject& subject, const Attributes& attributes,
                                       const Decision& decision) const;

  /// The first refusal of admission, then of validation; nothing if the write may go on.
  Admission refused(const AdmissionRequest& request) const;
  AdmissionRequest admission_request(const Call& call, Operation operation, const Object& object,
                                     const Object& old_object) const;
  static HttpResponse refusal_response(const AdmissionRequest& request, const Refusal& refusal, const RuleSet& rules);

  const RuleSet& rules_;
  std::shared_ptr<const ApiResources> resources_;
  Store store_;
  std::vector<std::unique_ptr<Authorizer>> authorizers_;
  std::unique_ptr<AuthorizerChain> chain_;
  std::vector<std::unique_ptr<AdmissionPlugin>> plugins_;
  bool assigns_service_accounts_;
};

}  // namespace nodebound
