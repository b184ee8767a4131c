#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "harness/contents/contents.h"
#include "harness/test/project.h"

/// A server whose answers and writes tests spoil.
namespace nodebound::contents_test {

using Mistakes = std::vector<std::string>;

/// A server with three ConfigMaps and a Node. Its administrator sees the truth; everybody else sees and stores what
/// `answer` makes of it.
struct World {
  RuleSet rules{catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
  std::shared_ptr<const ApiResources> resources = std::make_shared<const ApiResources>(rules.release());
  apiserver::ApiServer server{rules, options()};
  Subject administrator{"admin", {"system:masters"}, "", {}};

  World() {
    for (const char* name : {"a", "b", "c"})
      make("/api/v1/namespaces/shop/configmaps", {{"metadata", {{"name", name}}}});
    make("/api/v1/nodes", {{"metadata", {{"name", "n"}}}});
  }

  apiserver::ApiServer::Options options() const {
    apiserver::ApiServer::Options out;
    out.resources = resources;
    return out;
  }

  void make(const std::string& collection, const Object& object) {
    BOOST_REQUIRE_EQUAL(ask({"POST", collection, "application/json", object.dump()})->status, 201);
  }

  Result<HttpResponse> ask(const HttpRequest& request) { return server.handle(administrator, request); }

  ContentMistakes of_read(const std::string& target, const std::function<HttpResponse(HttpResponse)>& answer) {
    const HttpRequest request{"GET", target, "", ""};
    const auto as_administrator = [&](const HttpRequest& asked) { return ask(asked); };
    const auto as_subject = [&](const HttpRequest& asked) -> Result<HttpResponse> { return answer(*ask(asked)); };
    ReadJudge judge(*resources, true, as_administrator);
    return *judge.mistakes(request, *as_subject(request), as_subject);
  }

  Mistakes of_write(const HttpRequest& request, bool is_dry, const std::function<HttpResponse()>& answer) {
    WriteJudge judge(request, is_dry, *resources, [&](const HttpRequest& asked) { return ask(asked); });
    return judge.mistakes(answer());
  }
};

inline const std::string configmaps = "/api/v1/namespaces/shop/configmaps";

inline HttpRequest put(const std::string& target, const Object& object) {
  return {"PUT", target, "application/json", object.dump()};
}

inline HttpRequest merge(const std::string& target, const Object& change) {
  return {"PATCH", target, "application/merge-patch+json", change.dump()};
}

}  // namespace nodebound::contents_test
