#include <atomic>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <thread>
#include <unistd.h>

#include "harness/test/served_cluster.h"

BOOST_AUTO_TEST_SUITE(serve_restart)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

const std::string maps = "/api/v1/namespaces/default/configmaps";

/// `nodebound serve` on a folder of its own, which can be killed and restarted.
struct Kept : ServedCluster {
  Kept() : ServedCluster("", {"--data-dir", "{folder}/data"}) {}

  json read(const std::string& target) const {
    return json::parse(client()->send({"GET", target, {}, {}}).value().body);
  }
};

/// What a client knows about its object: the last acknowledged state, and what an unanswered write may have changed.
struct Known {
  std::optional<std::string> acknowledged;               ///< its data; nothing if it was deleted
  std::optional<std::optional<std::string>> unanswered;  ///< what a write without an answer would leave
  std::uint64_t version = 0;                             ///< the newest that the client has seen
};

std::string body_of(const std::string& name, const std::string& data, const std::string& version = {}) {
  json object = {{"metadata", {{"name", name}}}, {"data", {{"a", data}}}};
  if (!version.empty()) object["metadata"]["resourceVersion"] = version;
  return object.dump();
}

/// Writes one object in all ways, including invalid ones, until the server is gone.
class Writer {
 public:
  Writer(const Kept& kept, int number, std::uint64_t seed)
      : client_(kept.client()), random_(seed), name_("w" + std::to_string(number)) {}

  void run(Known& known) {
    while (step(known, name_ + "." + std::to_string(random_()))) {
    }
  }

 private:
  bool step(Known& known, const std::string& data) {
    const bool there = known.acknowledged.has_value();
    switch (random_() % 5) {
      case 0:
        return write(known, "POST", maps, body_of(name_, data), there ? 409 : 201, data);
      case 1:
        return write(known, "PUT", maps + "/" + name_, body_of(name_, data, "1"), there ? 409 : 404, data);
      case 2:
        return write(known, "DELETE", maps + "/" + name_, {}, there ? 200 : 404, std::nullopt);
      default:
        return there ? write(known, "PUT", maps + "/" + name_, body_of(name_, data), 200, data)
                     : write(known, "POST", maps, body_of(name_, data), 201, data);
    }
  }

  bool write(Known& known, const char* method, const std::string& target, const std::string& body, int expected,
             const std::optional<std::string>& left) {
    const auto answer = client_->send({method, target, "application/json", body});
    const bool accepted = expected < 300;
    if (!answer) {
      if (accepted) known.unanswered = left;
      return false;
    }
    if (answer->status != expected) throw std::runtime_error(target + ": " + answer->body);
    if (!accepted) return true;
    known.acknowledged = left;
    const json object = json::parse(answer->body);
    if (left) known.version = std::stoull(object["metadata"]["resourceVersion"].get<std::string>());
    ++writes;
    return true;
  }

  std::unique_ptr<HttpClient> client_;
  std::mt19937_64 random_;
  std::string name_;

 public:
  int writes = 0;
};

/// Lets clients write until the server is killed. Returns the number of acknowledged writes.
int write_until_killed(Kept& kept, std::vector<Known>& known, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::thread> threads;
  std::atomic<int> writes = 0;
  std::atomic<int> confused = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    threads.emplace_back([&, i, own = random()] {
      Writer writer(kept, static_cast<int>(i), own);
      try {
        writer.run(known[i]);
      } catch (const std::exception& error) {
        ++confused;
        std::cerr << error.what() << '\n';
      }
      writes += writer.writes;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 200));
  kept.server->kill();
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(confused == 0);
  return writes;
}

void check(const Kept& kept, std::vector<Known>& known) {
  const json list = kept.read(maps);
  const std::uint64_t version = std::stoull(list["metadata"]["resourceVersion"].get<std::string>());
  std::map<std::string, json> there;
  for (const json& item : list["items"]) there[item["metadata"]["name"].get<std::string>()] = item;
  BOOST_TEST(there.size() <= known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    Known& own = known[i];
    const auto found = there.find("w" + std::to_string(i));
    std::optional<std::string> data;
    if (found != there.end()) data = found->second["data"]["a"].get<std::string>();
    const bool kept_it = data == own.acknowledged;
    BOOST_TEST((kept_it || (own.unanswered && data == *own.unanswered)), "w" << i << " is " << data.value_or("gone")
                                                                             << ", acknowledged was "
                                                                             << own.acknowledged.value_or("gone"));
    BOOST_TEST(version >= own.version);
    const std::string there_version = data ? found->second["metadata"]["resourceVersion"].get<std::string>() : "";
    // An unanswered write may have succeeded, with a version of its own.
    if (kept_it && data && !own.unanswered) BOOST_TEST(there_version == std::to_string(own.version));
    if (data) own.version = std::stoull(there_version);
    own.acknowledged = data;
    own.unanswered.reset();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_and_nothing_refused_appears) {
  Kept kept;
  std::vector<Known> known(8);
  int writes = 0;
  const char* const rounds = std::getenv("NODEBOUND_RESTARTS");
  const std::uint64_t last = rounds == nullptr ? 6 : std::stoull(rounds);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    writes += write_until_killed(kept, known, seed);
    kept.start();
    BOOST_TEST_CONTEXT("seed " << seed) check(kept, known);
  }
  BOOST_TEST(writes > 0);
  BOOST_TEST_MESSAGE(writes << " writes were acknowledged in " << last << " rounds");
}

BOOST_AUTO_TEST_CASE(tokens_and_versions_outlive_a_server_that_was_killed) {
  Kept kept;
  const std::string accounts = "/api/v1/namespaces/default/serviceaccounts";
  const auto admin = kept.client();
  admin->send({"POST", accounts, "application/json", R"({"metadata":{"name":"s"}})"}).value();
  const json issued =
      json::parse(admin->send({"POST", accounts + "/s/token", "application/json", R"({"spec":{}})"}).value().body);
  const std::string then = kept.read(maps)["metadata"]["resourceVersion"];
  admin->send({"POST", maps, "application/json", body_of("late", "x")}).value();
  kept.server->kill();
  kept.start();

  Credentials token;
  token.headers = {{"authorization", "Bearer " + issued["status"]["token"].get<std::string>()}};
  const auto holder = make_http_client(kept.admin.server, token, {}).value();
  const std::string review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const json who = json::parse(holder->send({"POST", review, "application/json", "{}"}).value().body);
  BOOST_TEST(who["status"]["userInfo"]["username"] == "system:serviceaccount:default:s");
  const std::string events =
      kept.client()->send({"GET", maps + "?watch=1&timeoutSeconds=1&resourceVersion=" + then, {}, {}}).value().body;
  BOOST_TEST(json::parse(events)["object"]["metadata"]["name"] == "late");
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_used_says_what_to_do) {
  Kept kept;
  const std::string data = (kept.folder.path / "data").string();
  const Ended second = command_line::nodebound("serve --secure-port 0 --data-dir " + data);
  BOOST_TEST(second.code == 3);
  BOOST_TEST(says(second, "another process has it open"));
  BOOST_TEST(says(second, "name another folder"));
  const Ended file = command_line::nodebound("serve --secure-port 0 --data-dir " + data + "/nodebound.db");
  BOOST_TEST(file.code == 2);
  BOOST_TEST(says(file, "is no folder"));
  kept.server->kill();

  // Root may write anything, so the test needs another user.
  const bool root = geteuid() == 0;
  if (root && run_shell("command -v setpriv").code != 0) return;
  const std::string as = root ? "setpriv --reuid=65534 --clear-groups " : "";
  if (root) run_shell("chown -R 65534 " + data);
  run_shell("chmod 755 " + kept.folder.path.string() + " && chmod 500 " + data + " && chmod 400 " + data + "/*");
  const Ended reading =
      run_shell(as + project::nodebound_program + " serve --secure-port 0 --data-dir " + data + " 2>&1");
  BOOST_TEST(reading.code == 2, reading.output);
  BOOST_TEST(says(reading, "let this user write the folder"), reading.output);
  // Otherwise no user but root could remove it.
  run_shell("chmod 700 " + data);
}

BOOST_AUTO_TEST_SUITE_END()
