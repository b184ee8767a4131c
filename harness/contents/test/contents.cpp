// What is wrong with the contents of answers and of stored objects.
#include "harness/contents/contents.h"

#include <boost/test/unit_test.hpp>

#include "fakes/apiserver/api_server.h"
#include "harness/test/project.h"

BOOST_AUTO_TEST_SUITE(contents)

using namespace nodebound;

namespace {

using Mistakes = std::vector<std::string>;

/// A server with three ConfigMaps and a Node. Its administrator sees the truth; everybody else sees and stores what
/// `answer` makes of it.
struct World {
  RuleSet rules{catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
  std::shared_ptr<const ApiResources> resources = std::make_shared<const ApiResources>(rules.release());
  ApiServer server{rules, options()};
  Subject administrator{"admin", {"system:masters"}, "", {}};

  World() {
    for (const char* name : {"a", "b", "c"})
      make("/api/v1/namespaces/shop/configmaps", {{"metadata", {{"name", name}}}});
    make("/api/v1/nodes", {{"metadata", {{"name", "n"}}}});
  }

  ApiServer::Options options() const {
    ApiServer::Options out;
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

const std::string configmaps = "/api/v1/namespaces/shop/configmaps";

HttpRequest put(const std::string& target, const Object& object) {
  return {"PUT", target, "application/json", object.dump()};
}

HttpRequest merge(const std::string& target, const Object& change) {
  return {"PATCH", target, "application/merge-patch+json", change.dump()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_honest_answer_has_no_mistake) {
  World world;
  const auto honest = [](HttpResponse response) { return response; };
  for (const char* target :
       {"", "/a", "?labelSelector=x", "?fieldSelector=metadata.name%3Da", "?limit=2", "?watch=true"}) {
    BOOST_TEST_CONTEXT(target) BOOST_TEST(world.of_read(configmaps + target, honest).empty());
  }
  BOOST_TEST(world.of_read("/livez", honest).empty());
}

BOOST_AUTO_TEST_CASE(every_form_of_a_list_shows_all) {
  World world;
  // Leaves out the last object, where the body is of that kind.
  const auto shortened = [](const std::string& kind, const char* items) {
    return [=](HttpResponse response) {
      Object body = Object::parse(response.body, nullptr, false);
      if (text(body, "kind") != kind || body[items].size() < 3) return response;
      body[items].erase(body[items].size() - 1);
      response.body = body.dump();
      return response;
    };
  };
  const std::string left_out = R"(configmaps "c" in namespace "shop" is left out)";
  BOOST_TEST(world.of_read(configmaps, shortened("ConfigMapList", "items")).others == Mistakes{left_out});
  BOOST_TEST(world.of_read(configmaps, shortened("Table", "rows")).others == Mistakes{left_out + " in a Table"});
  BOOST_TEST(world.of_read(configmaps, shortened("PartialObjectMetadataList", "items")).others ==
             Mistakes{left_out + " as metadata"});
  const auto one_page = [](HttpResponse response) {
    Object body = Object::parse(response.body, nullptr, false);
    if (!text(body, "metadata", "continue").empty()) body["metadata"].erase("continue");
    if (body.is_object()) response.body = body.dump();
    return response;
  };
  BOOST_TEST(world.of_read(configmaps, one_page).others == Mistakes{left_out + " in pages"});
}

BOOST_AUTO_TEST_CASE(pages_end_and_no_object_is_shown_twice) {
  World world;
  std::string token;
  const auto endless = [&](HttpResponse response) {
    Object body = Object::parse(response.body, nullptr, false);
    if (text(body, "kind") != "ConfigMapList") return response;
    const std::string next(text(body, "metadata", "continue"));
    if (!next.empty()) token = next;
    if (!token.empty()) body["metadata"]["continue"] = token;
    response.body = body.dump();
    return response;
  };
  BOOST_TEST(world.of_read(configmaps, endless).others == Mistakes{"the pages of a list have no end"});
  const auto twice = [](HttpResponse response) {
    Object body = Object::parse(response.body, nullptr, false);
    if (text(body, "kind") != "ConfigMapList" || body["items"].size() < 3) return response;
    body["items"].push_back(Object(body["items"][0]));
    response.body = body.dump();
    return response;
  };
  BOOST_TEST(world.of_read(configmaps, twice).others ==
             Mistakes{R"(configmaps "a" in namespace "shop" is shown twice)"});
}

BOOST_AUTO_TEST_CASE(what_was_made_is_missed_though_nobody_is_shown_it) {
  World world;
  const SendRequest without_b = [&](const HttpRequest& asked) {
    HttpResponse response = *world.ask(asked);
    Object body = Object::parse(response.body, nullptr, false);
    if (text(body, "kind") == "ConfigMapList") {
      Object& items = body["items"];
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (text(items[i], "metadata", "name") == "b") items.erase(i);
      }
      response.body = body.dump();
    }
    return response;
  };
  const auto others = [&](const std::string& query, std::vector<std::string> made) {
    const HttpRequest list{"GET", configmaps + query, "", ""};
    ReadJudge judge(*world.resources, true, without_b, [&] { return made; });
    return judge.mistakes(list, *without_b(list), without_b)->others;
  };
  const std::vector<std::string> made = {configmaps + "/a", configmaps + "/b", configmaps + "/gone", "/api/v1/nodes/n"};
  BOOST_TEST(others("", {}).empty());
  BOOST_TEST(others("", made).front() == R"(configmaps "b" in namespace "shop" is left out)");
  BOOST_TEST(others("?labelSelector=x", made).empty());
  BOOST_TEST(others("?fieldSelector=metadata.name%3Da", made).empty());
}

BOOST_AUTO_TEST_CASE(a_page_keeps_to_its_limit_and_one_object_is_all) {
  World world;
  const auto others = [&](const std::string& query, const SendRequest& as_subject) {
    const HttpRequest list{"GET", configmaps + query, "", ""};
    ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
    return judge.mistakes(list, *world.ask(list), as_subject)->others;
  };
  const SendRequest unlimited = [&](const HttpRequest& asked) {
    const bool is_page = asked.target.find("limit=") != std::string::npos;
    return world.ask(is_page ? HttpRequest{"GET", configmaps, "", ""} : asked);
  };
  BOOST_TEST(others("", unlimited) == Mistakes{"a page of a list holds more than its limit"});
  const SendRequest more = [&](const HttpRequest& asked) -> Result<HttpResponse> {
    const std::size_t page = asked.target.find("&limit=");
    if (page == std::string::npos) return world.ask(asked);
    const bool is_first = asked.target.find("continue=") == std::string::npos;
    Object body = Object::parse(world.ask({"GET", asked.target.substr(0, page), "", ""})->body);
    if (is_first) body["metadata"]["continue"] = "next";
    if (!is_first) body["items"] = Object::array();
    return HttpResponse{200, "application/json", body.dump(), {}};
  };
  BOOST_TEST(others("?fieldSelector=metadata.name%3Da", more) ==
             Mistakes{"a list of one object says that there are more"});
}

BOOST_AUTO_TEST_CASE(changes_since_an_earlier_version_are_those_of_the_selected_objects) {
  World world;
  const HttpRequest watch{"GET", configmaps + "?watch=true", "", "", true};
  world.make("/api/v1/namespaces/vault/configmaps", {{"metadata", {{"name", "z"}}}});
  const SendRequest careless = [&](const HttpRequest& asked) {
    const std::size_t query = asked.target.find("?watch=true&resourceVersion=");
    if (query == std::string::npos) return world.ask(asked);
    return world.ask({"GET", "/api/v1/configmaps" + asked.target.substr(query), "", "", true});
  };
  ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
  BOOST_TEST(judge.mistakes(watch, *world.ask(watch), careless)->leaked ==
             Mistakes{R"(configmaps "z" in namespace "vault" from an earlier version)"});
}

BOOST_AUTO_TEST_CASE(a_form_that_is_refused_is_a_mistake_and_one_that_is_not_answered_is_told) {
  World world;
  const auto answers = [&](const std::string& only, int status) {
    const HttpRequest list{"GET", configmaps, "", ""};
    const SendRequest as_subject = [&, only, status](const HttpRequest& asked) -> Result<HttpResponse> {
      const bool is_form = asked.accept.find(only) != std::string::npos || asked.target.find(only) != std::string::npos;
      return is_form ? HttpResponse{status, "", "", {}} : world.ask(asked);
    };
    ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
    return judge.mistakes(list, *world.ask(list), as_subject);
  };
  BOOST_TEST(answers("as=Table", 400)->others == Mistakes{"the same read is answered with HTTP 400 in a Table"});
  BOOST_TEST(answers("limit=", 403)->others == Mistakes{"the same read is answered with HTTP 403 in pages"});
  BOOST_TEST(answers("resourceVersionMatch=Exact", 410)->empty());
  const auto broken = answers("resourceVersion=", 500);
  BOOST_REQUIRE(!broken);
  BOOST_TEST(broken.error().text().find("HTTP 500") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_only_the_watch_cache_shows_is_seen) {
  World world;
  const auto read = [&](const char* parameter) {
    const HttpRequest list{"GET", configmaps + "?fieldSelector=metadata.name%3Da", "", ""};
    const SendRequest as_subject = [&, parameter](const HttpRequest& asked) {
      return asked.target.find(parameter) == std::string::npos ? world.ask(asked)
                                                               : world.ask({"GET", configmaps, "", ""});
    };
    ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
    return judge.mistakes(list, *world.ask(list), as_subject)->leaked;
  };
  BOOST_TEST(read("resourceVersion=").front() == R"(configmaps "b" in namespace "shop" from the watch cache)");
  BOOST_TEST(read("resourceVersionMatch=Exact").front() == R"(configmaps "b" in namespace "shop" at its version)");
}

BOOST_AUTO_TEST_CASE(a_watch_by_path_takes_no_other_name) {
  World world;
  const HttpRequest watch{"GET", "/api/v1/watch/namespaces/shop/configmaps/a?watch=true", "", "", true};
  const SendRequest careless = [&](const HttpRequest& asked) {
    const bool is_other = asked.target.find("fieldSelector") != std::string::npos;
    return world.ask(is_other ? HttpRequest{"GET", configmaps + "?watch=true", "", "", true} : asked);
  };
  ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
  const ContentMistakes found = *judge.mistakes(watch, *world.ask(watch), careless);
  BOOST_TEST(found.leaked.front() == R"(configmaps "b" in namespace "shop" by the name of another)");
  BOOST_TEST(found.others.front() == "a watch of one object takes the name of another in its fieldSelector");
}

BOOST_AUTO_TEST_CASE(a_watch_begins_with_all) {
  World world;
  const HttpRequest watch{"GET", configmaps + "?watch=true", "", "", true};
  const auto as_administrator = [&](const HttpRequest& asked) { return world.ask(asked); };
  // Leaves out the event that holds the text, in watches with sendInitialEvents or in others.
  const auto others_without = [&](const std::string& text, bool of_lists) {
    const SendRequest as_subject = [&](const HttpRequest& asked) {
      Result<HttpResponse> response = world.ask(asked);
      if (response->stream == nullptr || (asked.target.find("sendInitialEvents") != std::string::npos) != of_lists) {
        return response;
      }
      response->stream->take(response->body);
      const std::size_t at = response->body.find(text);
      BOOST_REQUIRE(at != std::string::npos);
      const std::size_t begin = response->body.rfind('\n', at) + 1;
      response->body.erase(begin, response->body.find('\n', at) + 1 - begin);
      return response;
    };
    ReadJudge judge(*world.resources, true, as_administrator);
    return judge.mistakes(watch, *as_subject(watch), as_subject)->others;
  };
  const std::string left_out = R"(configmaps "b" in namespace "shop" is left out)";
  BOOST_TEST(others_without(R"("name":"b")", false) == (Mistakes{left_out, left_out + " from an earlier version"}));
  BOOST_TEST(others_without(R"("name":"b")", true) == Mistakes{left_out + " in a watch with sendInitialEvents"});
  BOOST_TEST(others_without("initial-events-end", true) == Mistakes{"the initial events of a watch have no end"});
}

BOOST_AUTO_TEST_CASE(a_watch_of_one_object_is_compared_with_that_object) {
  World world;
  const auto honest = [](HttpResponse response) { return response; };
  const auto nothing = [](HttpResponse response) {
    if (response.stream != nullptr) response.stream = nullptr;
    return response;
  };
  const std::string old = "/api/v1/watch/namespaces/shop/configmaps/a?watch=true";
  BOOST_TEST(world.of_read(old, honest).empty());
  BOOST_TEST(world.of_read(old, nothing).others.front() == R"(configmaps "a" in namespace "shop" is left out)");
}

BOOST_AUTO_TEST_CASE(a_form_is_asked_for_once_where_it_proves_nothing_new) {
  World world;
  std::size_t asked = 0;
  const SendRequest as_subject = [&](const HttpRequest& request) {
    ++asked;
    return world.ask(request);
  };
  ReadJudge judge(*world.resources, true, as_subject);
  const auto cost = [&](const std::string& target) {
    const HttpRequest request{"GET", target, "", ""};
    const HttpResponse first = *world.ask(request);
    asked = 0;
    BOOST_TEST(judge.mistakes(request, first, as_subject)->empty());
    return asked;
  };
  BOOST_TEST(cost(configmaps + "/a") == 5U, "the administrator's reading and four forms");
  BOOST_TEST(cost(configmaps + "/b") == 1U);
  BOOST_TEST(cost("/api/v1/nodes/n") == 5U);
  const std::size_t list = cost(configmaps);
  BOOST_TEST(list > 5U);
  BOOST_TEST(cost(configmaps) == 1U);
  world.make(configmaps, {{"metadata", {{"name", "d"}}}});
  BOOST_TEST(cost(configmaps) == list);
}

BOOST_AUTO_TEST_CASE(protobuf_shows_nothing_else) {
  World world;
  bool is_protobuf = false;
  const auto all = [&](HttpResponse response) {
    if (!response.content_type.ends_with("protobuf")) return response;
    is_protobuf = true;
    HttpRequest list{"GET", configmaps, "", ""};
    list.accept = "application/vnd.kubernetes.protobuf";
    return *world.ask(list);
  };
  const ContentMistakes mistakes = world.of_read(configmaps + "?fieldSelector=metadata.name%3Da", all);
  BOOST_TEST(is_protobuf);
  BOOST_TEST(mistakes.leaked == (Mistakes{R"(configmaps "b" in namespace "shop" in protobuf)",
                                          R"(configmaps "c" in namespace "shop" in protobuf)"}));
}

BOOST_AUTO_TEST_CASE(an_object_is_shown_as_it_is_stored) {
  World world;
  const auto changed = [](HttpResponse response) {
    Object body = Object::parse(response.body, nullptr, false);
    if (body.is_object()) body["data"] = {{"k", "v"}};
    if (text(body, "kind") == "ConfigMap") response.body = body.dump();
    return response;
  };
  BOOST_TEST(world.of_read(configmaps + "/a", changed).others ==
             Mistakes{R"(configmaps "a" in namespace "shop" is not what is stored)"});
}

BOOST_AUTO_TEST_CASE(what_is_refused_or_dry_stores_nothing) {
  World world;
  const HttpRequest change = merge(configmaps + "/a", {{"data", {{"k", "v"}}}});
  const auto store = [&](int status) {
    return [&world, &change, status] {
      HttpResponse response = *world.ask(change);
      response.status = status;
      return response;
    };
  };
  BOOST_TEST(world.of_write(change, false, store(200)).empty());
  BOOST_TEST(world.of_write(merge(configmaps + "/a", {}), false, [] { return HttpResponse{403, "", "", {}}; }).empty());
  (void)world.ask(merge(configmaps + "/a", {{"data", nullptr}}));
  BOOST_TEST(world.of_write(change, false, store(403)) == Mistakes{"a refused request changed the object"});
  (void)world.ask(merge(configmaps + "/a", {{"data", nullptr}}));
  BOOST_TEST(world.of_write(change, true, store(200)) == Mistakes{"a dry run changed the object"});

  const HttpRequest create{"POST", configmaps, "application/json", Object{{"metadata", {{"name", "new"}}}}.dump()};
  const auto makes = [&] {
    (void)world.ask(create);
    return HttpResponse{403, "", "", {}};
  };
  BOOST_TEST(world.of_write(create, false, makes) == Mistakes{"a refused request made the object"});
  const HttpRequest remove{"DELETE", configmaps + "/new", "", ""};
  const auto removes = [&] {
    (void)world.ask(remove);
    return HttpResponse{403, "", "", {}};
  };
  BOOST_TEST(world.of_write(remove, false, removes) == Mistakes{"a refused request deleted the object"});
}

BOOST_AUTO_TEST_CASE(what_is_allowed_is_stored_and_no_more) {
  World world;
  const auto nothing = [] { return HttpResponse{200, "application/json", "{}", {}}; };
  const HttpRequest create{"POST", configmaps, "application/json", Object{{"metadata", {{"name", "new"}}}}.dump()};
  BOOST_TEST(world.of_write(create, false, nothing) == Mistakes{"nothing is stored"});
  BOOST_TEST(world.of_write({"DELETE", configmaps + "/a", "", ""}, false, nothing) ==
             Mistakes{"the object is not deleted"});
  BOOST_TEST(world.of_write(merge(configmaps + "/a", {{"metadata", {{"labels", {{"x", "1"}}}}}}), false, nothing) ==
             Mistakes{"not all labels are stored as they were sent"});
  BOOST_TEST(world.of_write(merge(configmaps + "/a", {{"data", {{"x", "1"}}}}), false, nothing) ==
             Mistakes{"not all data are stored as sent"});

  const Object taint = {{"key", "k"}, {"effect", "NoSchedule"}};
  const auto change_rest = [&] { return *world.ask(merge("/api/v1/nodes/n", {{"spec", {{"taints", {taint}}}}})); };
  BOOST_TEST(world.of_write(merge("/api/v1/nodes/n/status", Object::object()), false, change_rest) ==
             Mistakes{"a write of the status changed the rest"});
  const auto change_status = [&] {
    return *world.ask(merge("/api/v1/nodes/n/status", {{"status", {{"phase", "Running"}}}}));
  };
  BOOST_TEST(world.of_write(merge("/api/v1/nodes/n", Object::object()), false, change_status) ==
             Mistakes{"a write beside the status changed the status"});
}

BOOST_AUTO_TEST_CASE(the_status_of_a_pod_changes_no_owners) {
  World world;
  const std::string pods = "/api/v1/namespaces/shop/pods";
  const Object container = {{"name", "main"}, {"image", "none"}};
  world.make(pods, {{"metadata", {{"name", "p"}}}, {"spec", {{"containers", {container}}}}});
  const Object owner = {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "n"}, {"uid", "u"}};
  const auto change = [&] {
    return *world.ask(merge(pods + "/p", {{"metadata", {{"labels", {{"a", "b"}}}, {"ownerReferences", {owner}}}}}));
  };
  BOOST_TEST(world.of_write(merge(pods + "/p/status", Object::object()), false, change) ==
             Mistakes{"a write of the status changed the ownerReferences"});
}

BOOST_AUTO_TEST_CASE(a_dry_run_shows_what_it_would_store) {
  World world;
  const auto answer = [&](const Object& node) {
    return [node] { return HttpResponse{200, "application/json", node.dump(), {}}; };
  };
  const Object before = Object::parse(world.ask({"GET", "/api/v1/nodes/n", "", ""})->body);
  Object other_status = before;
  other_status["status"]["phase"] = "Running";
  Object other_spec = before;
  other_spec["spec"]["unschedulable"] = true;
  const HttpRequest beside = merge("/api/v1/nodes/n?dryRun=All", Object::object());
  const HttpRequest status = merge("/api/v1/nodes/n/status?dryRun=All", Object::object());
  BOOST_TEST(world.of_write(beside, true, answer(other_spec)).empty());
  BOOST_TEST(world.of_write(status, true, answer(other_status)).empty());
  BOOST_TEST(world.of_write(beside, true, answer(other_status)) ==
             Mistakes{"a write beside the status changed the status"});
  BOOST_TEST(world.of_write(status, true, answer(other_spec)) == Mistakes{"a write of the status changed the rest"});
}

BOOST_AUTO_TEST_CASE(nonsense_is_no_mistake_of_a_server) {
  World world;
  const auto gone = [](const HttpRequest&) -> Result<HttpResponse> { return unreachable_error("", "gone"); };
  const HttpRequest list{"GET", configmaps, "", ""};
  ReadJudge reads(*world.resources, true, gone);
  const auto nowhere = [](const HttpRequest&) -> Result<HttpResponse> { return HttpResponse{404, "", "", {}}; };
  BOOST_TEST(reads.mistakes(list, {200, "application/json", "[1,2", {}}, nowhere)->empty());
  WriteJudge judge(put(configmaps + "/a", "no object"), false, *world.resources, gone);
  BOOST_TEST(judge.mistakes({200, "", "", {}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
