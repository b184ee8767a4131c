#include "harness/journal/journaled_session.h"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <sys/resource.h>

#include "harness/journal/cleaning.h"
#include "harness/journal/stored_path.h"
#include "harness/journal/target_probe.h"
#include "harness/test/command_line.h"
#include "harness/test/late_endpoint.h"

BOOST_AUTO_TEST_SUITE(journaled_session)

using command_line::Folder;
using namespace nodebound;
using namespace nodebound::journal;

namespace {

/// What a network or cluster does to a request: returns its own answer, or nothing.
using Meddle = std::function<std::optional<Result<HttpResponse>>(Session& cluster, const Subject&, const HttpRequest&)>;

/// A session to a cluster that others use, over an unreliable network.
struct Meddling final : Session {
  explicit Meddling(std::unique_ptr<Session> session) : inner(std::move(session)) {}
  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (meddle) {
      if (auto answer = meddle(*inner, subject, request)) return std::move(*answer);
    }
    return inner->send(subject, request);
  }
  std::unique_ptr<Session> inner;
  Meddle meddle;
};

struct Shared {
  Shared()
      : endpoint(make_shared_endpoint(rules,
                                      [this](const Subject&, const HttpRequest& request) {
                                        sent.push_back(request.method + " " + request.target);
                                        return true;
                                      })),
        line(endpoint->open_session()) {
    journal = std::move(*Journal::create(folder.path, {"mine", identify(*endpoint)}));
    session = std::make_unique<JournaledSession>(*endpoint, line, *journal, "mine");
    sent.clear();
  }

  Result<HttpResponse> send(const std::string& method, const std::string& target, const Object& body = {},
                            const std::string& content_type = "application/json") {
    return session->send(endpoint->administrator(),
                         {method, target, content_type, body.is_null() ? "" : body.dump(), false});
  }
  Result<HttpResponse> make(const std::string& name) {
    return send("POST", "/api/v1/nodes", {{"metadata", {{"name", name}}}});
  }

  // Requests of others.
  HttpResponse others(const std::string& method, const std::string& target, const Object& body = {},
                      const std::string& content_type = "application/json") {
    return *line.inner->send(endpoint->administrator(),
                             {method, target, content_type, body.is_null() ? "" : body.dump(), false});
  }
  Object stored(const std::string& path) {
    const HttpResponse response = others("GET", path);
    return response.status == 200 ? Object::parse(response.body) : Object();
  }
  [[nodiscard]] bool deleted(const std::string& path) const {
    return std::find(sent.begin(), sent.end(), "DELETE " + path) != sent.end();
  }

  // Simulates a killed run: its journal stays unchanged and unlocked.
  void kill() {
    const std::filesystem::path file = journal->file();
    session.reset();
    journal.reset();
    sent.clear();
    killed = file;
  }
  Result<Cleaned> clean() {
    auto file = JournalFile::open(killed);
    if (!file) return tl::unexpected<Error>(file.error());
    return clean_up_after(*file, *endpoint);
  }

  RuleSet rules{Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {})};
  Folder folder;
  std::vector<std::string> sent;
  std::unique_ptr<Endpoint> endpoint;
  Meddling line;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<JournaledSession> session;
  std::filesystem::path killed;
};

/// A cluster that stores what is sent with dryRun=All.
struct StoringEndpoint final : Endpoint {
  explicit StoringEndpoint(Endpoint& shared) : inner(shared) {}
  [[nodiscard]] std::string name() const override { return "storing"; }
  [[nodiscard]] const Observation& observed() const override { return inner.observed(); }
  [[nodiscard]] const Subject& administrator() const override { return inner.administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return false; }
  [[nodiscard]] bool disposable() const override { return false; }
  std::unique_ptr<Session> open_session() override {
    auto session = std::make_unique<Meddling>(inner.open_session());
    session->meddle = [](Session& cluster, const Subject& subject,
                         const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
      HttpRequest wet = request;
      const std::size_t dry = wet.target.find("?dryRun=All");
      if (dry == std::string::npos) return std::nullopt;
      wet.target.erase(dry);
      return cluster.send(subject, wet);
    };
    return session;
  }
  Endpoint& inner;
};

const std::string node = "/api/v1/nodes/n";

std::optional<Result<HttpResponse>> no_answer() {
  return Result<HttpResponse>(unreachable_error("", "no answer"));
}

// The cluster gets the request, but its answer is lost.
Meddle lose_answers(std::string method, int times = 1) {
  return
      [method = std::move(method), left = std::make_shared<int>(times)](
          Session& cluster, const Subject& subject, const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
        if (request.method != method || (*left)-- <= 0) return std::nullopt;
        static_cast<void>(cluster.send(subject, request));
        return no_answer();
      };
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_made_carries_the_label_and_goes_by_its_uid, Shared) {
  BOOST_TEST(make("n")->status == 201);
  BOOST_TEST(stored(node)["metadata"]["labels"]["nodebound.dev/run"] == "mine");
  BOOST_TEST(session->uid_of(node) == stored(node)["metadata"]["uid"].get<std::string>());
  BOOST_TEST(journal->left() == 1U);
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST(stored(node).is_null());
  BOOST_TEST(journal->left() == 0U);
}

BOOST_FIXTURE_TEST_CASE(what_others_were_first_to_make_is_not_touched, Shared) {
  others("POST", "/api/v1/nodes", {{"metadata", {{"name", "n"}}}});
  const Object before = stored(node);
  BOOST_TEST(make("n")->status == 409);
  BOOST_TEST(journal->left() == 0U);
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST(!session->remove(node), "nor when it is asked for by name");
  BOOST_TEST((stored(node) == before));
  BOOST_TEST(!deleted(node));
}

BOOST_FIXTURE_TEST_CASE(what_others_have_made_in_its_place_is_not_touched, Shared) {
  BOOST_TEST(make("n")->status == 201);
  others("DELETE", node);
  others("POST", "/api/v1/nodes", {{"metadata", {{"name", "n"}}}});
  const Object before = stored(node);
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST((stored(node) == before));
  BOOST_TEST(journal->left() == 0U);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_is_lost_loses_no_object, Shared) {
  line.meddle = lose_answers("POST");
  BOOST_TEST(!make("n"));
  BOOST_TEST(!stored(node).is_null());
  BOOST_TEST(journal->left() == 1U);
  BOOST_TEST(make("n")->status == 409);
  BOOST_TEST(session->uid_of(node) == stored(node)["metadata"]["uid"].get<std::string>(),
             "the label tells whose it is");
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST(stored(node).is_null());
}

BOOST_FIXTURE_TEST_CASE(a_run_that_is_killed_before_the_answer_is_cleaned_up_after, Shared) {
  line.meddle = lose_answers("POST");
  BOOST_TEST(!make("n"));
  kill();
  const auto cleaned = clean();
  BOOST_REQUIRE(cleaned);
  BOOST_TEST(cleaned->left.empty());
  BOOST_TEST(stored(node).is_null());
  BOOST_TEST(!std::filesystem::exists(killed));
}

BOOST_FIXTURE_TEST_CASE(nothing_is_sent_that_cannot_be_written_down, Shared) {
  BOOST_TEST(make("n")->status == 201);
  const auto default_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = std::filesystem::file_size(journal->file());
  ::setrlimit(RLIMIT_FSIZE, &full);
  sent.clear();
  const auto refused = make("m");
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, default_action);
  BOOST_TEST(!refused);
  BOOST_TEST(sent.empty());
  BOOST_TEST(!make("o"));
  BOOST_TEST(sent.empty(), "nothing more is made");
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST(stored(node).is_null(), "what was made is removed all the same");
}

BOOST_FIXTURE_TEST_CASE(an_upsert_that_makes_something_is_removed_and_one_that_changes_others_is_not, Shared) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const auto lease = [](const char* name) {
    return Object{{"apiVersion", "coordination.k8s.io/v1"}, {"kind", "Lease"}, {"metadata", {{"name", name}}}};
  };
  BOOST_TEST(send("PUT", leases + "/own", lease("own"))->status == 201);
  BOOST_TEST(stored(leases + "/own")["metadata"]["labels"]["nodebound.dev/run"] == "mine");
  BOOST_TEST(others("POST", leases, lease("theirs")).status == 201);
  Object theirs = lease("theirs");
  theirs["metadata"]["resourceVersion"] = stored(leases + "/theirs")["metadata"]["resourceVersion"];
  BOOST_TEST(send("PUT", leases + "/theirs", theirs)->status == 200);
  BOOST_TEST(stored(leases + "/theirs")["metadata"].value("labels", Object::object()).empty(), "no label of ours");
  BOOST_TEST(session->clean_up().empty());
  BOOST_TEST(stored(leases + "/own").is_null());
  BOOST_TEST(!stored(leases + "/theirs").is_null());
}

BOOST_FIXTURE_TEST_CASE(an_upsert_without_an_answer_is_left_to_a_person, Shared) {
  const std::string lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
  line.meddle = lose_answers("PUT");
  BOOST_TEST(!send("PUT", lease,
                   {{"apiVersion", "coordination.k8s.io/v1"}, {"kind", "Lease"}, {"metadata", {{"name", "l"}}}}));
  kill();
  const auto cleaned = clean();
  BOOST_REQUIRE(cleaned);
  BOOST_TEST(cleaned->left.size() == 1U);
  BOOST_TEST(!stored(lease).is_null());
  BOOST_TEST(std::filesystem::exists(killed));
}

BOOST_FIXTURE_TEST_CASE(finalizers_of_the_run_go_and_those_of_others_stay, Shared) {
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const auto map = [](const char* name) {
    return Object{{"metadata", {{"name", name}, {"finalizers", {"example.com/own"}}}}};
  };
  BOOST_TEST(send("POST", maps, map("own"))->status == 201);
  BOOST_TEST(send("POST", maps, map("held"))->status == 201);
  others("PATCH", maps + "/held", {{"metadata", {{"finalizers", {"example.com/own", "example.org/theirs"}}}}},
         "application/merge-patch+json");
  const std::vector<Error> left = session->clean_up();
  BOOST_TEST(stored(maps + "/own").is_null());
  BOOST_REQUIRE(left.size() == 1U);
  BOOST_TEST(left.front().what.find("example.org/theirs") != std::string::npos, left.front().text());
  BOOST_TEST((stored(maps + "/held")["metadata"]["finalizers"] == Object{"example.org/theirs"}));
  BOOST_TEST(journal->left() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_put_that_repeats_the_finalizers_of_others_does_not_make_them_ours, Shared) {
  const std::string map = "/api/v1/namespaces/default/configmaps/m";
  BOOST_TEST(send("POST", "/api/v1/namespaces/default/configmaps", {{"metadata", {{"name", "m"}}}})->status == 201);
  others("PATCH", map, {{"metadata", {{"finalizers", {"example.org/theirs"}}}}}, "application/merge-patch+json");
  Object whole = stored(map);
  whole["metadata"]["finalizers"].push_back("example.com/own");
  BOOST_TEST(send("PUT", map, whole)->status == 200);
  BOOST_TEST(session->clean_up().size() == 1U);
  BOOST_TEST((stored(map)["metadata"]["finalizers"] == Object{"example.org/theirs"}));
}

BOOST_FIXTURE_TEST_CASE(who_cleans_up_after_takes_finalizers_of_the_run_from_its_journal, Shared) {
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  BOOST_TEST(send("POST", maps, {{"metadata", {{"name", "own"}, {"finalizers", {"example.com/own"}}}}})->status == 201);
  kill();
  const auto cleaned = clean();
  BOOST_REQUIRE(cleaned);
  BOOST_TEST(cleaned->removed == 1U);
  BOOST_TEST(stored(maps + "/own").is_null());
}

BOOST_FIXTURE_TEST_CASE(what_has_lost_its_label_is_left_with_the_journal, Shared) {
  BOOST_TEST(make("n")->status == 201);
  kill();
  others("PATCH", node, {{"metadata", {{"labels", {{"nodebound.dev/run", nullptr}}}}}}, "application/merge-patch+json");
  const auto cleaned = clean();
  BOOST_REQUIRE(cleaned);
  BOOST_TEST(cleaned->left.size() == 1U);
  BOOST_TEST(!stored(node).is_null());
  BOOST_TEST(std::filesystem::exists(killed));
}

BOOST_FIXTURE_TEST_CASE(a_forged_journal_harms_nothing, Shared) {
  const std::string secret = "/api/v1/namespaces/default/secrets/s";
  others("POST", "/api/v1/namespaces/default/secrets",
         {{"metadata", {{"name", "s"}, {"finalizers", {"example.org/theirs"}}}}});
  others("POST", "/api/v1/namespaces", {{"metadata", {{"name", "foreign"}}}});
  const Object before = stored(secret);
  const Object foreign = stored("/api/v1/namespaces/foreign");
  kill();
  const std::string uid = before["metadata"]["uid"];
  std::ofstream(killed, std::ios::app) << R"({"finalizer":"example.org/theirs"})" << '\n'
                                       << R"({"asked":1,"path":")" << secret << R"("})" << '\n'
                                       << R"({"asked":2,"path":")" << secret << R"("})" << '\n'
                                       << R"({"made":2,"uid":")" << uid << R"("})" << '\n'
                                       << R"({"asked":3,"manner":"upsert","path":")" << secret << R"("})" << '\n'
                                       << R"({"asked":4,"path":"/api/v1/namespaces/foreign"})" << '\n'
                                       << R"({"asked":5,"path":"/api/v1/namespaces/default/secrets"})" << '\n';
  BOOST_REQUIRE(clean());
  BOOST_TEST((stored(secret) == before));
  BOOST_TEST((stored("/api/v1/namespaces/foreign") == foreign));
  for (const std::string& request : sent) BOOST_TEST(request.starts_with("GET "), request);
  std::ofstream(killed, std::ios::app) << R"({"asked":6,"path":"/api/v1/namespaces/foreign?x=/y"})" << '\n';
  sent.clear();
  BOOST_TEST(!clean());
  BOOST_TEST(sent.empty());
}

BOOST_FIXTURE_TEST_CASE(the_journal_of_another_cluster_is_refused_and_kept, Shared) {
  BOOST_TEST(make("n")->status == 201);
  const std::string uid = session->uid_of(node);
  kill();
  ClusterIdentity another = identify(*endpoint);
  BOOST_TEST(!another.uid.empty());
  another.uid = "of-another-cluster";
  std::ofstream(killed) << to_line(JournalHeader{"mine", another}) << R"({"asked":1,"path":"/api/v1/nodes/n"})" << '\n'
                        << R"({"made":1,"uid":")" << uid << R"("})" << '\n';
  const auto cleaned = clean();
  BOOST_REQUIRE(!cleaned);
  BOOST_TEST((cleaned.error().kind == Error::Kind::input));
  BOOST_TEST(cleaned.error().what.find("is not the cluster that run mine was on") != std::string::npos);
  BOOST_TEST(!stored(node).is_null());
  BOOST_TEST(std::filesystem::exists(killed));
}

BOOST_FIXTURE_TEST_CASE(a_target_that_keeps_dry_runs_is_seen_to, Shared) {
  BOOST_TEST((try_dry_run(*endpoint, *journal, "mine").value() == DryRuns::kept));
  BOOST_TEST(!journal->dry_runs_stick());
  BOOST_TEST(journal->left() == 0U);
  BOOST_TEST(send("POST", "/api/v1/nodes?dryRun=All", {{"metadata", {{"name", "n"}}}})->status == 201);
  BOOST_TEST(journal->left() == 0U);
}

BOOST_AUTO_TEST_CASE(what_a_target_stores_in_a_dry_run_is_removed) {
  const Shared shared;
  StoringEndpoint storing(*shared.endpoint);
  const Folder folder;
  const auto journal = Journal::create(folder.path, {"mine", {}});
  BOOST_REQUIRE(journal);
  BOOST_TEST((try_dry_run(storing, **journal, "mine").value() == DryRuns::stored));
  BOOST_TEST((*journal)->dry_runs_stick());
  BOOST_TEST((*journal)->left() == 0U, "the probe is gone");
  const auto inner = storing.open_session();
  JournaledSession session(storing, *inner, **journal, "mine");
  const auto ask = [&](const char* method, const std::string& target, const std::string& body) {
    return inner->send(storing.administrator(), {method, target, "application/json", body, false})->status;
  };
  const auto made = session.send(storing.administrator(), {"POST", "/api/v1/nodes?dryRun=All", "application/json",
                                                           R"({"metadata":{"name":"n"}})", false});
  BOOST_TEST(made->status == 201);
  const auto named =
      session.send(storing.administrator(), {"POST", "/api/v1/namespaces/default/configmaps?dryRun=All",
                                             "application/json", R"({"metadata":{"generateName":"m-"}})", false});
  BOOST_TEST(named->status == 201);
  BOOST_TEST(ask("GET", node, "") == 200);
  BOOST_TEST((*journal)->left() == 2U);
  BOOST_TEST(session.clean_up().empty());
  BOOST_TEST(ask("GET", node, "") == 404);
  BOOST_TEST((*journal)->left() == 0U);
}

BOOST_AUTO_TEST_CASE(a_name_that_the_server_chooses_is_found_by_its_label) {
  Shared shared;
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const Object unnamed = {{"metadata", {{"generateName", "m-"}}}};
  shared.line.meddle = lose_answers("POST");
  BOOST_TEST(!shared.send("POST", maps, unnamed));
  shared.others("POST", maps, {{"metadata", {{"name", "m-theirs"}}}});
  shared.kill();
  const auto cleaned = shared.clean();
  BOOST_REQUIRE(cleaned);
  BOOST_TEST(cleaned->removed == 1U);
  BOOST_TEST(!shared.stored(maps + "/m-theirs").is_null());
  BOOST_TEST(!std::filesystem::exists(shared.killed));
}

BOOST_FIXTURE_TEST_CASE(what_runs_left_is_found_by_its_label, Shared) {
  BOOST_TEST(make("n")->status == 201);
  BOOST_TEST(send("POST", "/api/v1/namespaces", {{"metadata", {{"name", "nb"}}}})->status == 201);
  BOOST_TEST(send("POST", "/api/v1/namespaces/nb/secrets", {{"metadata", {{"name", "s"}}}})->status == 201);
  others("POST", "/api/v1/nodes", {{"metadata", {{"name", "m"}, {"labels", {{"nodebound.dev/run", "another"}}}}}});
  others("POST", "/api/v1/nodes", {{"metadata", {{"name", "o"}}}});
  const Leavings all = find_leavings(*endpoint, "");
  BOOST_TEST(all.not_looked_at.empty());
  BOOST_TEST(all.objects.size() == 4U);
  const Leavings mine = find_leavings(*endpoint, "mine");
  BOOST_REQUIRE(mine.objects.size() == 3U);
  BOOST_TEST(is_namespace_path(mine.objects.back().entry.path), "what is in it goes first");
  const Cleaned cleaned = remove_leavings(mine.objects, *endpoint, "mine");
  BOOST_TEST(cleaned.removed == 3U);
  BOOST_TEST(stored(node).is_null());
  BOOST_TEST(!stored("/api/v1/nodes/m").is_null());
  BOOST_TEST(!stored("/api/v1/nodes/o").is_null());
}

BOOST_AUTO_TEST_SUITE_END()
