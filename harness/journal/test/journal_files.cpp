#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/journal/journal.h"
#include "harness/journal/journal_file.h"
#include "harness/journal/stored_path.h"
#include "harness/test/command_line.h"

BOOST_AUTO_TEST_SUITE(journal_files)

using command_line::Folder;
using namespace nodebound;
using namespace nodebound::journal;

namespace {

const JournalHeader header{"bcdfgh", {"uid-of-kube-system", "0123abcd", "https://192.0.2.1:6443"}};

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void append(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::app) << text;
}

// A journal with these lines after the header, as anybody could have written it.
Result<JournalFile> read(const Folder& folder, const std::string& lines) {
  const std::filesystem::path file = folder.path / journal_name(header.run);
  std::filesystem::remove(file);
  append(file, to_line(header) + lines);
  ::chmod(file.c_str(), S_IRUSR | S_IWUSR);
  return JournalFile::open(file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_journal_tells_what_a_run_has_made) {
  const Folder folder;
  std::filesystem::path file;
  {
    const auto journal = Journal::create(folder.path / "out", header);
    BOOST_REQUIRE(journal);
    file = (*journal)->file();
    BOOST_TEST(file == folder.path / "out" / "journal-bcdfgh.jsonl");
    struct stat found {};
    BOOST_REQUIRE(::stat(file.c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 0777U) == 0600U);
    const auto made = (*journal)->write_down("/api/v1/nodes/a", Manner::create, true);
    const auto refused = (*journal)->write_down("/api/v1/nodes/b", Manner::create, true);
    const auto gone = (*journal)->write_down("/api/v1/nodes/c", Manner::create, true);
    const auto unclear = (*journal)->write_down("/api/v1/nodes/d", Manner::upsert, false);
    const auto unnamed = (*journal)->write_down("/api/v1/namespaces/shop/pods", Manner::create, true);
    BOOST_REQUIRE((made && refused && gone && unclear && unnamed));
    (*journal)->note_made(*made, "uid-a");
    (*journal)->note_not_made(*refused);
    (*journal)->note_made(*gone, "uid-c");
    (*journal)->note_gone(*gone);
    (*journal)->note_made(*unnamed, "uid-p", "/api/v1/namespaces/shop/pods/p-x1");
    BOOST_REQUIRE((*journal)->write_down_finalizer("example.com/held"));
    BOOST_TEST((*journal)->left() == 3U);
    BOOST_TEST(!JournalFile::open(file), "its run goes on");
    BOOST_TEST(!Journal::create(folder.path / "out", header), "there is one already");
    (*journal)->finish();
    BOOST_TEST(std::filesystem::exists(file), "something is left");
  }
  auto read = JournalFile::open(file);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->header().run == header.run);
  BOOST_TEST((read->header().cluster == header.cluster));
  BOOST_TEST(read->ledger().finalizers().contains("example.com/held"));
  const std::vector<LedgerEntry> expected = {{5, "/api/v1/namespaces/shop/pods/p-x1", Manner::create, true, "uid-p"},
                                             {4, "/api/v1/nodes/d", Manner::upsert, false, ""},
                                             {1, "/api/v1/nodes/a", Manner::create, true, "uid-a"}};
  BOOST_TEST((read->ledger().open() == expected));
  BOOST_TEST(!JournalFile::open(file), "it is held by who cleans up");
  BOOST_TEST((find_journals(folder.path / "out").front().state == FoundJournal::State::in_use));
  read->remove();
  BOOST_TEST(!std::filesystem::exists(file));
}

BOOST_AUTO_TEST_CASE(a_run_that_leaves_nothing_leaves_no_journal) {
  const Folder folder;
  const auto journal = Journal::create(folder.path, header);
  BOOST_REQUIRE(journal);
  const auto number = (*journal)->write_down("/api/v1/nodes/a", Manner::create, true);
  (*journal)->note_made(*number, "uid");
  (*journal)->note_gone(*number);
  (*journal)->finish();
  BOOST_TEST(find_journals(folder.path).empty());
}

BOOST_AUTO_TEST_CASE(a_journal_that_cannot_be_written_takes_nothing_more) {
  const Folder folder;
  const auto journal = Journal::create(folder.path, header);
  BOOST_REQUIRE(journal);
  const auto first = (*journal)->write_down("/api/v1/nodes/a", Manner::create, true);
  BOOST_REQUIRE(first);
  const auto default_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = std::filesystem::file_size((*journal)->file()) + 10;
  ::setrlimit(RLIMIT_FSIZE, &full);
  const auto refused = (*journal)->write_down("/api/v1/nodes/b", Manner::create, true);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, default_action);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().what.find("nothing more") != std::string::npos, refused.error().text());
  BOOST_TEST((*journal)->failure().has_value());
  BOOST_TEST(!(*journal)->write_down("/api/v1/nodes/c", Manner::create, true), "though there is room again");
  (*journal)->note_made(*first, "uid");
  BOOST_TEST((*journal)->left() == 1U);
  const std::filesystem::path file = (*journal)->file();
  journal.value()->finish();
  BOOST_TEST(std::filesystem::exists(file));
}

BOOST_AUTO_TEST_CASE(a_line_that_a_crash_has_cut_off_does_not_count) {
  const Folder folder;
  const std::string asked = to_line(JournalRecord{.number = 1, .path = "/api/v1/nodes/a", .uid = {}, .finalizer = {}});
  for (std::size_t length = 0; length <= asked.size(); ++length) {
    const auto journal = read(folder, asked.substr(0, length));
    BOOST_REQUIRE(journal);
    BOOST_TEST(journal->ledger().size() == (length == asked.size() ? 1U : 0U));
  }
  const std::filesystem::path file = folder.path / journal_name(header.run);
  std::filesystem::resize_file(file, to_line(header).size() - 1);
  const auto blank = JournalFile::open(file);
  BOOST_REQUIRE(blank);
  BOOST_TEST(blank->is_blank());
}

BOOST_AUTO_TEST_CASE(what_no_run_writes_is_refused_with_its_line) {
  const Folder folder;
  const std::string good = R"({"asked":1,"path":"/api/v1/nodes/a"})"
                           "\n";
  const char* forged[] = {
      "/api/v1/namespaces/foreign/secrets/s",
      "{",
      "[]",
      R"({"asked":2})",
      R"({"asked":2,"path":7})",
      R"({"asked":-2,"path":"/api/v1/nodes/b"})",
      R"({"asked":2.5,"path":"/api/v1/nodes/b"})",
      R"({"asked":1,"path":"/api/v1/nodes/b"})",
      R"({"asked":2,"path":"/api/v1/nodes/b","more":1})",
      R"({"asked":2,"path":"/api/v1/nodes/b","manner":"delete"})",
      R"({"asked":2,"path":"/api/v1/namespaces/foreign?x=/y"})",
      R"({"asked":2,"path":"/api/v1/nodes/b/status"})",
      R"({"made":2,"uid":"x"})",
      R"({"made":1,"uid":""})",
      R"({"made":1,"uid":"a b"})",
      R"({"made":1,"uid":"x","path":"/api/v1/nodes/b"})",
      R"({"gone":9})",
      R"({"finalizer":"a\nb"})",
      R"({"finalizer":""})",
      R"({"unknown":1})",
  };
  BOOST_REQUIRE(read(folder, good));
  for (const char* line : forged) {
    const auto journal = read(folder, good + line + "\n");
    BOOST_REQUIRE_MESSAGE(!journal, line);
    BOOST_TEST((journal.error().kind == Error::Kind::input));
    BOOST_TEST(journal.error().where.ends_with("journal-bcdfgh.jsonl:3"), journal.error().text());
  }
  BOOST_TEST(!read(folder, std::string(1 << 17, 'x')), "a line without end");
  std::string deep = R"({"asked":)" + std::string(3000, '[') + std::string(3000, ']') + "}\n";
  BOOST_TEST(!read(folder, good + deep));
}

BOOST_AUTO_TEST_CASE(a_header_of_another_run_is_refused) {
  const Folder folder;
  for (const std::string& text :
       {to_line(JournalHeader{"another", header.cluster}), std::string("{}\n"),
        std::string(R"({"nodebound-journal":2,"run":"bcdfgh","cluster":{"kube-system":"","authority":"","server":""}})"
                    "\n"),
        std::string(R"({"nodebound-journal":1,"run":"../x","cluster":{"kube-system":"","authority":"","server":""}})"
                    "\n")}) {
    const std::filesystem::path file = folder.path / journal_name(header.run);
    std::filesystem::remove(file);
    append(file, text);
    ::chmod(file.c_str(), S_IRUSR | S_IWUSR);
    const auto journal = JournalFile::open(file);
    BOOST_REQUIRE_MESSAGE(!journal, text);
    BOOST_TEST(journal.error().where.ends_with(":1"));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_of_ours_is_not_read) {
  const Folder folder;
  const std::filesystem::path file = folder.path / journal_name(header.run);
  const std::filesystem::path elsewhere = folder.path / "elsewhere";
  append(elsewhere, to_line(header));
  std::filesystem::create_symlink(elsewhere, file);
  BOOST_TEST(!JournalFile::open(file), "a symbolic link");
  BOOST_TEST((find_journals(folder.path).front().state == FoundJournal::State::unreadable));
  BOOST_TEST(!Journal::create(folder.path, header), "nor is it written through");
  BOOST_TEST(text_of(elsewhere) == to_line(header));
  std::filesystem::remove(file);

  BOOST_REQUIRE(::mkfifo(file.c_str(), S_IRUSR | S_IWUSR) == 0);
  BOOST_TEST(!JournalFile::open(file), "a pipe");
  std::filesystem::remove(file);

  std::filesystem::create_directory(file);
  BOOST_TEST(!JournalFile::open(file), "a folder");
  std::filesystem::remove(file);

  append(file, to_line(header));
  ::chmod(file.c_str(), 0666);
  BOOST_TEST(!JournalFile::open(file), "others may write it");
  ::chmod(file.c_str(), 0600);
  BOOST_TEST(JournalFile::open(file).has_value());
}

BOOST_AUTO_TEST_CASE(only_paths_of_single_stored_objects_are_taken) {
  for (const char* path : {"/api/v1/nodes/nb-x-0-a", "/api/v1/namespaces/shop", "/api/v1/namespaces/shop/pods/web",
                           "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
                           "/apis/resource.k8s.io/v1beta2/resourceslices/a",
                           "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a.b"}) {
    BOOST_TEST(is_object_path(path), path);
    BOOST_TEST(!is_collection_path(path), path);
  }
  for (const char* path : {"",
                           "/",
                           "//",
                           "/api",
                           "/api/v1",
                           "/api/v1/nodes",
                           "/api/v1/nodes/",
                           "/api/v1/nodes//a",
                           "api/v1/nodes/a",
                           "/api/v1/namespaces/foreign?x=/y",
                           "/api/v1/nodes/a?x=y",
                           "/api/v1/nodes/a#x",
                           "/api/v1/nodes/a/status",
                           "/api/v1/namespaces/shop/pods/web/binding",
                           "/api/v1/namespaces/foreign/finalize/x",
                           "/api/v1/namespaces/../pods/x",
                           "/api/v1/nodes/..",
                           "/api/v1/nodes/.",
                           "/api/v1/nodes/%2e%2e",
                           "/api/v1/nodes/a%2Fb",
                           "/api/v1/nodes/a%2fb",
                           "/api/v1/nodes/%61",
                           "/api/v1/nodes/a%00",
                           "/api/v1/nodes/a b",
                           "/api/v1/nodes/a\n",
                           "/api/v2/nodes/a",
                           "/apis/v1/nodes/a",
                           "/apis/g/v/nodes/a",
                           "/apis/G/v1/nodes/a",
                           "/apis/../v1/nodes/a",
                           "/api/v1/NODES/a",
                           "/healthz",
                           "https://elsewhere/api/v1/nodes/a",
                           "/api/v1/pods/shop/web/x",
                           "/api/v1/nodes/\xC3\xA9"}) {
    BOOST_TEST(!is_object_path(path), path);
  }
  BOOST_TEST(is_collection_path("/api/v1/namespaces/shop/pods"));
  BOOST_TEST(is_collection_path("/api/v1/nodes"));
  BOOST_TEST(stored_path("/api/v1/nodes", "system:x") == "/api/v1/nodes/system%3Ax");
  for (const char* name : {"", ".", "..", "a/b", "a%b", "a\nb"}) BOOST_TEST(stored_path("/api/v1/nodes", name).empty());
  BOOST_TEST(is_namespace_path("/api/v1/namespaces/shop"));
  BOOST_TEST(!is_namespace_path("/api/v1/namespaces/shop/pods/web"));
}

BOOST_AUTO_TEST_CASE(one_cluster_is_told_from_another) {
  const ClusterIdentity one = header.cluster;
  BOOST_TEST(difference(one, one).empty());
  ClusterIdentity other = one;
  other.server = "https://another-way-in";
  BOOST_TEST(difference(one, other).empty());
  other = one;
  other.uid = "another";
  BOOST_TEST(!difference(one, other).empty());
  other = one;
  other.authority = "ffff";
  BOOST_TEST(!difference(one, other).empty());
  other = one;
  other.uid.clear();
  BOOST_TEST(difference(one, other).empty());
  other.server = "https://elsewhere";
  BOOST_TEST(!difference(one, other).empty());
}

BOOST_AUTO_TEST_SUITE_END()
