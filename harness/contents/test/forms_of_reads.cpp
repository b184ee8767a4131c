// What the other forms of a read show that the plain answer does not.
#include "harness/contents/test/contents_world.h"

BOOST_AUTO_TEST_SUITE(forms_of_reads)

using namespace nodebound;
using namespace nodebound::contents_test;

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

BOOST_AUTO_TEST_CASE(a_name_in_all_namespaces_may_be_that_of_several) {
  World world;
  world.make("/api/v1/namespaces/vault/configmaps", {{"metadata", {{"name", "a"}}}});
  world.make("/api/v1/namespaces/attic/configmaps", {{"metadata", {{"name", "a"}}}});
  const auto as_given = [](HttpResponse response) { return response; };
  BOOST_TEST(world.of_read("/api/v1/configmaps?fieldSelector=metadata.name%3Da", as_given).empty());
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

BOOST_AUTO_TEST_CASE(of_a_long_history_the_end_is_read) {
  World world;
  for (int i = 0; i < 1100; ++i)
    world.make("/api/v1/namespaces/vault/configmaps", {{"metadata", {{"name", "z" + std::to_string(i)}}}});
  world.make(configmaps, {{"metadata", {{"name", "last"}}}});
  const HttpRequest watch{"GET", configmaps + "?watch=true", "", "", true};
  ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
  std::string asked_since;
  const SendRequest careless = [&](const HttpRequest& asked) {
    const std::size_t query = asked.target.find("?watch=true&resourceVersion=");
    if (query == std::string::npos) return world.ask(asked);
    asked_since = asked.target.substr(query);
    return world.ask({"GET", "/api/v1/configmaps" + asked_since, "", "", true});
  };
  const Mistakes leaked = judge.mistakes(watch, *world.ask(watch), careless)->leaked;
  BOOST_TEST(!asked_since.empty());
  BOOST_REQUIRE(!leaked.empty());
  BOOST_TEST(leaked.front().ends_with(R"(in namespace "vault" from an earlier version)"));
  BOOST_TEST(leaked.size() <= 1000U);
  BOOST_TEST(
      judge.mistakes(watch, *world.ask(watch), [&](const HttpRequest& asked) { return world.ask(asked); })->empty(),
      "what is older is not missed");
}

BOOST_AUTO_TEST_CASE(a_cache_that_is_behind_shows_what_it_has) {
  World world;
  const auto read = [&](const std::string& cached) {
    const HttpRequest list{"GET", configmaps + "?fieldSelector=metadata.name%3Da", "", ""};
    const SendRequest as_subject = [&, cached](const HttpRequest& asked) -> Result<HttpResponse> {
      if (asked.target.find("resourceVersion=") == std::string::npos) return world.ask(asked);
      if (asked.target.ends_with("resourceVersion=0")) return world.ask({"GET", cached, "", ""});
      return HttpResponse{504, "", R"({"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})", {}};
    };
    ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
    return *judge.mistakes(list, *world.ask(list), as_subject);
  };
  BOOST_TEST(read(configmaps).leaked.front() == R"(configmaps "b" in namespace "shop" from the watch cache)");
  BOOST_TEST(read(configmaps + "?fieldSelector=metadata.name%3Dnone").empty(), "it may be behind");
}

BOOST_AUTO_TEST_CASE(a_form_that_is_refused_is_a_mistake_and_one_that_is_not_answered_is_told) {
  World world;
  const auto answers = [&](const std::string& only, int status, const char* body = "") {
    const HttpRequest list{"GET", configmaps, "", ""};
    const SendRequest as_subject = [&, only, status, body](const HttpRequest& asked) -> Result<HttpResponse> {
      const bool is_form = asked.accept.find(only) != std::string::npos || asked.target.find(only) != std::string::npos;
      return is_form ? HttpResponse{status, "", body, {}} : world.ask(asked);
    };
    ReadJudge judge(*world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); });
    return judge.mistakes(list, *world.ask(list), as_subject);
  };
  BOOST_TEST(answers("as=Table", 400)->others == Mistakes{"the same read is answered with HTTP 400 in a Table"});
  BOOST_TEST(answers("limit=", 403)->others == Mistakes{"the same read is answered with HTTP 403 in pages"});
  BOOST_TEST(answers("resourceVersionMatch=Exact", 410)->empty());
  BOOST_TEST(
      answers("resourceVersion=", 504, R"({"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})")->empty());
  BOOST_TEST(!answers("resourceVersion=", 504));
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

BOOST_AUTO_TEST_CASE(bookmarks_end_no_initial_events_that_were_not_asked_for) {
  World world;
  const HttpRequest watch{"GET", configmaps + "?watch=true", "", "", true};
  int asked_for_bookmarks = 0;
  const SendRequest misleading = [&](const HttpRequest& asked) {
    HttpResponse response = *world.ask(asked);
    const bool has_bookmarks = asked.target.find("allowWatchBookmarks") != std::string::npos &&
                               asked.target.find("sendInitialEvents") == std::string::npos;
    if (!has_bookmarks || response.stream == nullptr) return response;
    ++asked_for_bookmarks;
    response.stream->take(response.body);
    response.stream = nullptr;
    const Object end = {{"metadata", {{"annotations", {{"k8s.io/initial-events-end", "true"}}}}}};
    response.body += Object{{"type", "BOOKMARK"}, {"object", end}}.dump() + "\n";
    return response;
  };
  std::atomic<bool> judged = false;
  const auto others = [&] {
    ReadJudge judge(
        *world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); },
        [] { return std::vector<std::string>(); }, [&] { return !judged.exchange(true); });
    return judge.mistakes(watch, *world.ask(watch), misleading)->others;
  };
  BOOST_TEST(others() == Mistakes{"a bookmark of a watch ends initial events that were not asked for"});
  BOOST_TEST(asked_for_bookmarks == 2);
  BOOST_TEST(others().empty());
  BOOST_TEST(asked_for_bookmarks == 2, "once in a run is enough");
}

BOOST_AUTO_TEST_CASE(a_watch_that_breaks_off_with_bookmarks_is_a_mistake_the_second_time) {
  World world;
  const HttpRequest watch{"GET", configmaps + "?watch=true", "", "", true};
  const auto others = [&](int breaks) {
    const SendRequest breaking = [&, breaks](const HttpRequest& asked) mutable -> Result<HttpResponse> {
      const bool has_bookmarks = asked.target.find("allowWatchBookmarks") != std::string::npos &&
                                 asked.target.find("sendInitialEvents") == std::string::npos;
      HttpResponse response = *world.ask(asked);
      if (!has_bookmarks || response.stream == nullptr) return response;
      // As on the network, where a second request reads the events of a watch.
      if (!asked.watch && breaks-- > 0) {
        Error closed{Error::Kind::unreachable, asked.target, "the connection was closed", ""};
        closed.connection = Error::Connection::closed;
        return tl::unexpected<Error>(closed);
      }
      if (!asked.watch) response.stream->take(response.body);
      response.stream = nullptr;
      return response;
    };
    ReadJudge judge(
        *world.resources, true, [&](const HttpRequest& asked) { return world.ask(asked); },
        [] { return std::vector<std::string>(); }, [] { return true; });
    return judge.mistakes(watch, *world.ask(watch), breaking)->others;
  };
  BOOST_TEST(others(1).empty());
  BOOST_TEST(others(2) == Mistakes{"a watch with bookmarks breaks off"});
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

BOOST_AUTO_TEST_SUITE_END()
