#include <boost/test/unit_test.hpp>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/storage/sqlite.h"
#include "fakes/storage/sqlite_journal.h"
#include "fakes/test/whole_pod.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(storage)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::storage;
using nodebound::test::rules_of;

namespace {

namespace fs = std::filesystem;

const Subject admin{"admin", {"system:masters"}, "", {}};
const Subject node{"system:node:n", {"system:nodes"}, "", {}};
const std::string maps = "/api/v1/namespaces/default/configmaps";

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "nodebound-storage-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

/// A server on a folder; it can be restarted.
struct Kept {
  void start(unsigned most_pages = 0, std::shared_ptr<StoreJournal> journal = nullptr) {
    server.reset();
    if (!journal) journal = SqliteJournal::open(folder.path, most_pages).value();
    ApiServer::Options options;
    options.history = 8;
    options.namespaces_first = true;
    options.journal = std::move(journal);
    server = std::make_unique<ApiServer>(rules, options);
  }
  HttpResponse call(const char* method, const std::string& target, const std::string& body = {},
                    const Subject& subject = admin) const {
    const bool patch = std::string_view(method) == "PATCH";
    return server->handle(subject, {method, target, patch ? "application/merge-patch+json" : "application/json",
                                    whole_pod(method, target, body)});
  }
  Object json(const char* method, const std::string& target, const std::string& body = {}) const {
    return Object::parse(call(method, target, body).body);
  }
  int make(const std::string& name, const std::string& data = "x") const {
    return call("POST", maps, R"({"metadata":{"name":")" + name + R"("},"data":{"a":")" + data + R"("}})").status;
  }
  std::string version() const { return json("GET", maps)["metadata"]["resourceVersion"].get<std::string>(); }
  /// The error of opening the folder's database.
  std::string refusal(Error::Kind kind) const {
    const auto opened = SqliteJournal::open(folder.path);
    if (opened) return "";
    BOOST_TEST((opened.error().kind == kind));
    BOOST_TEST(!opened.error().hint.empty());
    return opened.error().text();
  }
  void sql(const char* text) const {
    sqlite3* made = nullptr;
    sqlite3_open((folder.path / "nodebound.db").c_str(), &made);
    const sqlite::Connection database(made);
    BOOST_TEST(sqlite3_exec(made, text, nullptr, nullptr, nullptr) == SQLITE_OK);
  }

  RuleSet rules = rules_of("1.36.3");
  Folder folder;
  std::unique_ptr<ApiServer> server;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Accepts a number of entries, then fails.
struct FullJournal final : StoreJournal {
  explicit FullJournal(int room_for) : room(room_for) {}
  StoreState recovered() override { return {}; }
  Result<void> append(const JournalEntry&) override {
    if (room-- > 0) return {};
    return unreachable_error("somewhere", "no room is left");
  }
  int room;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(durable, Kept)

BOOST_AUTO_TEST_CASE(what_is_stored_outlives_the_server) {
  start();
  BOOST_TEST(make("a") == 201);
  make("b");
  call("PATCH", maps + "/a", R"({"data":{"a":"y"}})");
  call("DELETE", maps + "/b");
  const Object before = json("GET", maps);
  start();
  BOOST_TEST(json("GET", maps) == before);
  BOOST_TEST(before["items"].size() == 1U);
  const Object next = json("POST", maps, R"({"metadata":{"name":"c"}})");
  BOOST_TEST(std::stoi(next["metadata"]["resourceVersion"].get<std::string>()) == std::stoi(version()));
  BOOST_TEST(std::stoi(version()) == std::stoi(before["metadata"]["resourceVersion"].get<std::string>()) + 1);
  BOOST_TEST(next["metadata"]["uid"] != before["items"][0]["metadata"]["uid"]);
  BOOST_TEST(json("GET", "/api/v1/namespaces")["items"].size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_dry_run_leaves_nothing) {
  start();
  const std::string then = version();
  BOOST_TEST(call("POST", maps + "?dryRun=All", R"({"metadata":{"name":"a"}})").status == 201);
  start();
  BOOST_TEST(version() == then);
  BOOST_TEST(call("GET", maps + "/a").status == 404);
}

BOOST_AUTO_TEST_CASE(a_watch_goes_on_over_a_restart) {
  start();
  make("a");
  const std::string then = version();
  make("b");
  call("PATCH", maps + "/b", R"({"data":{"a":"y"}})");
  call("DELETE", maps + "/a");
  start();
  std::string text;
  call("GET", maps + "?watch=1&resourceVersion=" + then).stream->take(text);
  BOOST_TEST(says(text, R"({"type":"ADDED")"));
  BOOST_TEST(says(text, R"({"type":"MODIFIED")"));
  BOOST_TEST(says(text, R"({"type":"DELETED")"));
  const Object earlier = json("GET", maps + "?resourceVersionMatch=Exact&resourceVersion=" + then);
  BOOST_REQUIRE(earlier["items"].size() == 1U);
  BOOST_TEST(earlier["items"][0]["metadata"]["name"] == "a");
}

BOOST_AUTO_TEST_CASE(a_watch_from_what_is_forgotten_is_expired) {
  start();
  make("a");
  const std::string then = version();
  for (int i = 0; i < 30; ++i) {
    call("PATCH", maps + "/a", R"({"data":{"a":")" + std::to_string(i) + R"("}})");
    if (i % 7 == 0) start();
  }
  start();
  std::string text;
  BOOST_TEST(!call("GET", maps + "?watch=1&resourceVersion=" + then).stream->take(text));
  BOOST_TEST(says(text, R"("reason":"Expired")"));
  std::string recent;
  const std::string near = std::to_string(std::stoi(version()) - 8);
  BOOST_TEST(call("GET", maps + "?watch=1&resourceVersion=" + near).stream->take(recent));
  BOOST_TEST(says(recent, R"("data":{"a":"22"})"));
  server.reset();
  // Of 31 changes, those are kept that a watch can go back to, and the revisions that the oldest of them replaced.
  const auto journal = SqliteJournal::open(folder.path).value();
  std::size_t revisions = 0;
  for (const Revision& revision : journal->recovered().revisions) {
    if (revision.key.resource == "configmaps") ++revisions;
  }
  BOOST_TEST(revisions <= 11U);
  BOOST_TEST(revisions >= 9U);
}

BOOST_AUTO_TEST_CASE(what_could_not_be_stored_did_not_happen) {
  start(0, std::make_shared<FullJournal>(4));  // the first objects take one entry
  const std::string pods = "/api/v1/namespaces/default/pods";
  const std::string secret = "/api/v1/namespaces/default/secrets/s";
  const std::string bound = R"("spec":{"nodeName":"n","serviceAccountName":"d",)";
  BOOST_TEST(call("POST", "/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"d"}})").status == 201);
  BOOST_TEST(call("POST", pods, R"({"metadata":{"name":"p"},)" + bound + R"("containers":[]}})").status == 201);
  make("a");
  const std::string then = version();
  const auto stream = call("GET", maps + "?watch=1&resourceVersion=" + then).stream;

  const HttpResponse refused = call("POST", pods, R"({"metadata":{"name":"q"},)" + bound + R"("containers":[],
      "volumes":[{"name":"v","secret":{"secretName":"s"}}]}})");
  BOOST_TEST(refused.status == 500);
  BOOST_TEST(Object::parse(refused.body)["message"] == "Internal error occurred: somewhere: no room is left");
  BOOST_TEST(Object::parse(refused.body)["reason"] == "InternalError");
  BOOST_TEST(call("GET", pods + "/q").status == 404);
  BOOST_TEST(call("GET", secret, "", node).status == 403);
  BOOST_TEST(call("DELETE", maps + "/a").status == 500);
  BOOST_TEST(call("GET", maps + "/a").status == 200);
  BOOST_TEST(call("PATCH", maps + "/a", R"({"data":{"a":"y"}})").status == 500);
  BOOST_TEST(json("GET", maps + "/a")["data"]["a"] == "x");
  BOOST_TEST(version() == then);
  std::string text;
  BOOST_TEST(stream->take(text));
  BOOST_TEST(text.empty());
  // A request without a write needs no room.
  BOOST_TEST(call("POST", maps + "?dryRun=All", R"({"metadata":{"name":"b"}})").status == 201);
  BOOST_TEST(call("DELETE", maps + "/none").status == 404);
}

BOOST_AUTO_TEST_CASE(a_database_that_is_full_keeps_what_it_has) {
  start(120);
  const std::string large(8000, 'x');
  int made = 0;
  while (made < 100 && make("m" + std::to_string(made), large) == 201) ++made;
  BOOST_TEST(made > 0);
  BOOST_TEST(made < 100);
  BOOST_TEST(make("another", large) == 500);
  const Object before = json("GET", maps);
  BOOST_TEST(before["items"].size() == static_cast<std::size_t>(made));
  start();
  BOOST_TEST(json("GET", maps) == before);
  BOOST_TEST(make("another", large) == 201);
}

BOOST_AUTO_TEST_CASE(writers_at_the_same_time_lose_nothing) {
  start();
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 25; ++i) {
        const std::string name = std::to_string(t) + "-" + std::to_string(i);
        make(name);
        if (i % 5 == 0) call("DELETE", maps + "/" + name);
        call("GET", maps + "/" + name);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Object before = json("GET", maps);
  BOOST_TEST(before["items"].size() == 120U);
  start();
  BOOST_TEST(json("GET", maps) == before);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(folders, Kept)

BOOST_AUTO_TEST_CASE(one_server_has_it_at_a_time) {
  start();
  BOOST_TEST(says(refusal(Error::Kind::unreachable), "another process has it open"));
  BOOST_TEST(make("a") == 201);
  server.reset();
  BOOST_TEST(refusal(Error::Kind::unreachable) == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_database_stays_as_it_is) {
  const std::string text(5000, 'n');
  std::ofstream(folder.path / "nodebound.db") << text;
  BOOST_TEST(says(refusal(Error::Kind::input), "is damaged, or no database at all"));
  std::ifstream in(folder.path / "nodebound.db");
  BOOST_TEST((std::string(std::istreambuf_iterator<char>(in), {}) == text));
}

BOOST_AUTO_TEST_CASE(the_database_of_another_program_stays_as_it_is) {
  sql("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
  BOOST_TEST(says(refusal(Error::Kind::input), "is a database of another program"));
  sql("INSERT INTO theirs VALUES (2)");
}

BOOST_AUTO_TEST_CASE(a_newer_schema_is_for_a_newer_nodebound) {
  start();
  server.reset();
  sql("PRAGMA user_version = 7");
  BOOST_TEST(says(refusal(Error::Kind::input), "its schema is 7, this one knows up to 2"));
}

BOOST_AUTO_TEST_CASE(damage_is_found_before_anything_is_served) {
  start();
  for (int i = 0; i < 40; ++i) make("m" + std::to_string(i), std::string(500, 'x'));
  server.reset();
  std::fstream file(folder.path / "nodebound.db", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 * 3);
  file << std::string(4096, '\xff');
  file.close();
  BOOST_TEST(says(refusal(Error::Kind::input), "is damaged"));
}

BOOST_AUTO_TEST_CASE(an_object_that_is_not_what_was_written_is_damage) {
  start();
  make("a");
  server.reset();
  sql("UPDATE revisions SET object = '{' WHERE name = 'a'");
  BOOST_TEST(says(refusal(Error::Kind::input), "is not what was written"));
}

BOOST_AUTO_TEST_CASE(a_row_that_is_another_is_damage) {
  const char* const damages[] = {
      "UPDATE revisions SET object = replace(object, '\"x\"', '\"y\"') WHERE name = 'a'",
      "UPDATE revisions SET name = 'b' WHERE name = 'a'",
      "UPDATE revisions SET namespace = 'other' WHERE name = 'a'",
      "UPDATE revisions SET deleted = 1 WHERE name = 'a'",
      "UPDATE revisions SET version = 1 WHERE name = 'a'",
      "UPDATE revisions SET digest = digest + 1 WHERE name = 'a'",
      "DELETE FROM revisions WHERE name = 'a'",
      R"(INSERT INTO revisions SELECT version + 1, api_group, resource, namespace, name, deleted, object, digest
         FROM revisions WHERE name = 'a')",
      "UPDATE counters SET version = version + 1",
      "UPDATE counters SET uids = uids - 1",
      "UPDATE counters SET rows = rows + 1",
      "UPDATE forgotten SET version = version - 1",
      "DELETE FROM forgotten",
  };
  for (const char* const damage : damages) {
    fs::remove(folder.path / "nodebound.db");
    start();
    for (int i = 0; i < 20; ++i) make("m" + std::to_string(i));
    make("a");
    server.reset();
    BOOST_TEST(refusal(Error::Kind::input) == "");
    sql(damage);
    BOOST_TEST(says(refusal(Error::Kind::input), "is damaged"), damage);
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_others_are_found_or_mean_nothing) {
  start();
  for (int i = 0; i < 60; ++i) make("m" + std::to_string(i), std::string(300, static_cast<char>('a' + i % 26)));
  for (int i = 0; i < 20; ++i) call("DELETE", maps + "/m" + std::to_string(i));
  server.reset();
  const auto read = [&] {
    std::string all;
    const auto opened = SqliteJournal::open(folder.path);
    if (!opened) return all;
    const StoreState state = (*opened)->recovered();
    all = std::to_string(state.version) + " " + std::to_string(state.uids);
    for (const auto& [resource, version] : state.forgotten) all += "\n" + resource + " " + std::to_string(version);
    for (const Revision& each : state.revisions) {
      all += "\n" + std::to_string(each.version) + (each.deleted ? " deleted " : " ") + each.key.resource + " " +
             each.key.name + " " + each.object->dump();
    }
    return all;
  };
  const std::string whole = read();
  BOOST_REQUIRE(!whole.empty());
  std::string bytes;
  {
    std::ifstream in(folder.path / "nodebound.db", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::minstd_rand drawn(1);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    for (int n = 0; n < 1 + i % 4; ++n) damaged[drawn() % damaged.size()] ^= static_cast<char>(1U << (drawn() % 8));
    fs::remove(folder.path / "nodebound.db-wal");
    std::ofstream(folder.path / "nodebound.db", std::ios::binary) << damaged;
    const std::string now = read();
    BOOST_TEST((now.empty() || now == whole), "damage " << i << " went unnoticed");
    found += now.empty() ? 1 : 0;
  }
  BOOST_TEST(found > 100);
}

BOOST_AUTO_TEST_CASE(a_log_that_has_lost_its_end_is_damage) {
  start();
  for (int i = 0; i < 5; ++i) make("m" + std::to_string(i));
  // The state that a killed server leaves.
  const Folder killed;
  fs::copy(folder.path, killed.path);
  const fs::path log = folder.path / "nodebound.db-wal";
  const auto leave = [&] {
    server.reset();
    fs::remove_all(folder.path);
    fs::copy(killed.path, folder.path);
    fs::permissions(folder.path, fs::perms::owner_all);
  };
  leave();
  start();
  BOOST_TEST(json("GET", maps)["items"].size() == 5U);
  leave();
  fs::resize_file(log, fs::file_size(log) - 1);
  BOOST_TEST(says(refusal(Error::Kind::input), "was acknowledged"));
  leave();
  fs::resize_file(log, 0);
  BOOST_TEST(says(refusal(Error::Kind::input), "was acknowledged"));
  // Changes a byte, so that SQLite ends the log there.
  leave();
  std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(fs::file_size(log)) / 2);
  file << "damage";
  file.close();
  BOOST_TEST(says(refusal(Error::Kind::input), "was acknowledged"));
}

BOOST_AUTO_TEST_CASE(a_mark_is_right_or_missing) {
  start();
  make("a");
  server.reset();
  const fs::path mark = folder.path / "nodebound.db-last";
  std::string text;
  std::getline(std::ifstream(mark), text);
  // After a power failure the mark may be of an earlier commit.
  start();
  make("b");
  server.reset();
  std::ofstream(mark) << text << '\n';
  BOOST_TEST(refusal(Error::Kind::input) == "");
  text[0] = '1';
  std::ofstream(mark) << text << '\n';
  BOOST_TEST(says(refusal(Error::Kind::input), "is damaged"));
  fs::remove(mark);
  BOOST_TEST(refusal(Error::Kind::input) == "");
  BOOST_TEST(fs::exists(mark));
}

BOOST_AUTO_TEST_CASE(a_database_that_is_moved_away_is_begun_anew_and_an_empty_one_is_damaged) {
  start();
  make("a");
  server.reset();
  fs::resize_file(folder.path / "nodebound.db", 0);
  BOOST_TEST(says(refusal(Error::Kind::input), "was acknowledged"));
  fs::remove(folder.path / "nodebound.db");
  start();
  BOOST_TEST(json("GET", maps)["items"].empty());
}

BOOST_AUTO_TEST_CASE(a_database_without_digests_gets_them) {
  start();
  make("a");
  const Object before = json("GET", maps);
  server.reset();
  sql("ALTER TABLE revisions DROP COLUMN digest; ALTER TABLE forgotten DROP COLUMN digest;"
      "ALTER TABLE counters DROP COLUMN digest; ALTER TABLE counters DROP COLUMN rows; PRAGMA user_version = 1");
  start();
  BOOST_TEST(json("GET", maps) == before);
  make("b");
  server.reset();
  BOOST_TEST(refusal(Error::Kind::input) == "");
  sql("UPDATE revisions SET name = 'c' WHERE name = 'a'");
  BOOST_TEST(says(refusal(Error::Kind::input), "is damaged"));
}

BOOST_AUTO_TEST_CASE(only_its_user_may_read_it) {
  const mode_t before = umask(0);
  fs::remove_all(folder.path);
  start();
  make("a");
  umask(before);
  const auto mode = [&](const char* name) { return fs::status(folder.path / name).permissions(); };
  const fs::perms ours = fs::perms::owner_read | fs::perms::owner_write;
  BOOST_TEST((mode("") == fs::perms::owner_all));
  BOOST_TEST((mode("nodebound.db") == ours));
  BOOST_TEST((mode("nodebound.db-wal") == ours));
  server.reset();
  fs::permissions(folder.path / "nodebound.db", fs::perms::others_read, fs::perm_options::add);
  start();
  BOOST_TEST((mode("nodebound.db") == ours));
  server.reset();
  fs::rename(folder.path / "nodebound.db", folder.path / "moved");
  fs::create_symlink(folder.path / "moved", folder.path / "nodebound.db");
  BOOST_TEST(says(refusal(Error::Kind::input), "it is a link"));
}

BOOST_AUTO_TEST_CASE(a_file_is_no_folder) {
  const fs::path file = folder.path / "file";
  std::ofstream(file) << "x";
  const auto opened = SqliteJournal::open(file);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(says(opened.error().text(), "is no folder"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
