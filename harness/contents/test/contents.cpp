// What is wrong with the contents of answers and of stored objects.
#include "harness/contents/contents.h"

#include "harness/contents/test/contents_world.h"

BOOST_AUTO_TEST_SUITE(contents)

using namespace nodebound;
using namespace nodebound::contents_test;

BOOST_AUTO_TEST_CASE(an_honest_answer_has_no_mistake) {
  World world;
  const auto honest = [](HttpResponse response) { return response; };
  for (const char* target :
       {"", "/a", "?labelSelector=x", "?fieldSelector=metadata.name%3Da", "?limit=2", "?watch=true"}) {
    BOOST_TEST_CONTEXT(target) BOOST_TEST(world.of_read(configmaps + target, honest).empty());
  }
  BOOST_TEST(world.of_read("/livez", honest).empty());
}

BOOST_AUTO_TEST_CASE(a_watch_sends_events_and_nothing_else) {
  World world;
  // As a handler's panic shows after the answer has begun.
  const auto panics = [](HttpResponse response) {
    if (response.stream == nullptr) return response;
    response.stream->take(response.body);
    response.stream = nullptr;
    response.body += "This request caused apiserver to panic. Look in the logs for details.\n";
    return response;
  };
  const std::string other = "a watch sends a line that is no event";
  BOOST_TEST(world.of_read(configmaps + "?watch=true", panics).others ==
             (Mistakes{other, other + " from an earlier version"}));
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
