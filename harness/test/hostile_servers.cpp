#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fcntl.h>
#include <httplib.h>
#include <iostream>
#include <map>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/observe.h"
#include "harness/endpoint/signals.h"
#include "harness/test/command_line.h"
#include "harness/test/hostile_server.h"
#include "harness/test/sanitizers.h"
#include "reference/release/version.h"
#include "reference/test/project_paths.h"
#include "reports/text.h"

BOOST_AUTO_TEST_SUITE(hostile_servers)

using namespace nodebound;
using namespace hostile;
using std::chrono::milliseconds;

namespace {

// From 0.18 on (Debian 13) cpp-httplib refuses some heads before our own limits are reached.
const bool library_checks_more = std::stoi(std::string(CPPHTTPLIB_VERSION).substr(sizeof "0." - 1)) >= 18;

constexpr long most_memory_kib = 64 * 1024;
constexpr RequestLimits hasty{milliseconds(300), milliseconds(300)};
constexpr RequestLimits patient{milliseconds(10'000), milliseconds(10'000)};

const hostile::Behaviour& named(const std::string& name) {
  for (const hostile::Behaviour& one : behaviours()) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument(name);
}

ServerAddress address_of(const Server& server) {
  ServerAddress out;
  out.tls = false;
  out.host = "127.0.0.1";
  out.port = server.port();
  return out;
}

std::unique_ptr<HttpClient> client_of(const Server& server, const RequestLimits& limits = hasty) {
  auto client = make_http_client(address_of(server), {}, limits);
  BOOST_REQUIRE(client);
  return std::move(*client);
}

struct Process {
  pid_t id = 0;
  std::string output_file;
};

struct Ending {
  int code = 0;  ///< negative: the signal that ended it
  long memory_kib = 0;
  std::string output;
};

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Process start(const std::vector<std::string>& arguments, const std::string& output_file) {
  std::vector<std::string> all = {project::nodebound_program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& one : all) pointers.push_back(one.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  Process out{0, output_file};
  BOOST_REQUIRE(posix_spawn(&out.id, project::nodebound_program, &files, nullptr, pointers.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&files);
  return out;
}

bool has_ended(const Process& process) {
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(process.id), &ended, WEXITED | WNOHANG | WNOWAIT);
  return ended.si_pid == process.id;
}

// 0 once it has ended.
long peak_memory_kib(const Process& process) {
  const std::string status = text_of("/proc/" + std::to_string(process.id) + "/status");
  const std::string field = "VmHWM:";
  const std::size_t at = status.find(field);
  return at == std::string::npos ? 0 : std::stol(status.substr(at + field.size()));
}

// The kernel's ru_maxrss would not do: it begins with the memory of whoever started the process.
Ending end_of(const Process& process) {
  Ending out;
  for (; !has_ended(process); std::this_thread::sleep_for(milliseconds(2))) {
    out.memory_kib = std::max(out.memory_kib, peak_memory_kib(process));
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(process.id, &status, 0) == process.id);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  out.output = text_of(process.output_file);
  return out;
}

/// A command that contacts the server.
struct Entry {
  const char* name;
  bool well_at_first;
  std::vector<std::string> arguments;  ///< TARGET, OUT and URL are replaced
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"run", false, {"run", "--target", "TARGET", "--i-may-write-to", "c", "--focus", "node-taints", "--out", "OUT"}},
      {"run, later",
       true,
       {"run", "--target", "TARGET", "--i-may-write-to", "c", "--focus", "node-", "--jobs", "8", "--out", "OUT"}},
      {"compare",
       false,
       {"compare", "1.36.3", "TARGET", "--i-may-write-to", "c", "--focus", "node-taints", "--out", "OUT"}},
      {"compare, later",
       true,
       {"compare", "1.36.3", "TARGET", "--i-may-write-to", "c", "--focus", "node-taints", "--out", "OUT"}},
      {"explore", false, {"explore", "1.36.3", "TARGET", "--i-may-write-to", "c", "--requests", "60", "--out", "OUT"}},
      {"explore, later",
       true,
       {"explore", "1.36.3", "TARGET", "--i-may-write-to", "c", "--requests", "60", "--jobs", "4", "--out", "OUT"}},
      {"kubelet",
       false,
       {"run", "--target", "kubelet:URL", "--release", "1.36.3", "--focus", "fine-grained", "--out", "OUT"}},
  };
  return all;
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

std::vector<std::string> filled_in(std::vector<std::string> arguments, const Server& server,
                                   const command_line::Folder& folder) {
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
  folder.write("config", "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: c, cluster: {server: '" +
                             url + "'}}]\nusers: [{name: u, user: {token: t}}]\n" +
                             "contexts: [{name: c, context: {cluster: c, user: u}}]\n");
  for (std::string& one : arguments) {
    replace(one, "TARGET", "kubeconfig:" + (folder.path / "config").string());
    replace(one, "OUT", (folder.path / "out").string());
    replace(one, "URL", url);
  }
  return arguments;
}

Ending meet(const Entry& entry, const Server& server, const std::vector<std::string>& more) {
  const command_line::Folder folder;
  std::vector<std::string> arguments = filled_in(entry.arguments, server, folder);
  arguments.insert(arguments.end(), more.begin(), more.end());
  return end_of(start(arguments, (folder.path / "output").string()));
}

bool answers_in_http(const hostile::Behaviour& behaviour) {
  for (const char* of_transport : {"no answer within", "closed before", "not HTTP", "a line of", "headers are longer",
                                   "interim", "longer than the", "its body has no end", "nested deeper"}) {
    if (behaviour.says.find(of_transport) != std::string::npos) return false;
  }
  return true;
}

/// Anything that a terminal would interpret.
bool is_raw(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    if (c == U'\n') continue;
    if (obeyed_by_terminals(c)) return true;
  }
  return false;
}

void check(const Entry& entry, const hostile::Behaviour& behaviour, const Ending& end) {
  const std::string what = std::string(entry.name) + ", a server that " + behaviour.name + ": ended with " +
                           std::to_string(end.code) + " and said: " + printable(end.output);
  // A server that allows everything to everybody, or nothing, may be reported as not conforming.
  const bool may_fail = entry.well_at_first && answers_in_http(behaviour);
  BOOST_TEST((end.code == 3 || (may_fail && end.code == 1)), what);
  BOOST_TEST(!is_raw(end.output), what);
  BOOST_TEST(valid_utf8(end.output) == end.output, what);
  BOOST_TEST(end.output.find("\nnodebound: everything conforms") == std::string::npos, what);
  BOOST_TEST(end.output.find("defect") == std::string::npos, what);
  BOOST_TEST(end.memory_kib > 0, what);
  if (!sanitized) BOOST_TEST(end.memory_kib < most_memory_kib, what << end.memory_kib << " KiB");
}

/// Every command against every behaviour, which takes minutes, or a few commands against each.
bool is_thorough() {
  return std::getenv("NODEBOUND_HOSTILE_SERVERS") != nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(there_are_at_least_sixty_of_them) {
  std::map<std::string, int> names;
  for (const hostile::Behaviour& one : behaviours()) ++names[one.name];
  BOOST_TEST(names.size() >= 60U);
  BOOST_TEST(names.size() == behaviours().size());
}

BOOST_AUTO_TEST_CASE(whatever_a_server_does_looking_at_it_ends_with_an_error_that_says_what) {
  for (const hostile::Behaviour& behaviour : behaviours()) {
    const Server server(behaviour, false);
    auto seen = observe(*client_of(server), "it");
    // On a busy machine a server that does answer may be late.
    const bool answers = behaviour.says.find("no answer within") == std::string::npos;
    const bool late = !seen && seen.error().text().find("no answer within") != std::string::npos;
    if (answers && late) seen = observe(*client_of(server, patient), "it");
    for (int tries = 0; server.met() == 0 && tries < 20; ++tries) seen = observe(*client_of(server), "it");
    BOOST_TEST(server.met() > 0, behaviour.name);
    if (behaviour.says.empty()) continue;  // odd but harmless
    if (seen) {
      // Its version is examined later.
      BOOST_TEST(!Version::parse(seen->version), behaviour.name << ": " << seen->version);
      BOOST_TEST(behaviour.says == "is not a Kubernetes version", behaviour.name);
      continue;
    }
    const std::string said = seen.error().text();
    if (library_checks_more && said.find("the answer is not HTTP/1.1") != std::string::npos) continue;
    BOOST_TEST(said.find(behaviour.says) != std::string::npos,
               behaviour.name << ": expected \"" << behaviour.says << "\", found " << printable(said));
    BOOST_TEST((seen.error().kind == Error::Kind::unreachable), behaviour.name);
  }
}

BOOST_AUTO_TEST_CASE(every_command_ends_with_3_in_little_memory) {
  std::map<std::string, std::pair<int, long>> figures;
  std::size_t number = 0;
  for (const hostile::Behaviour& behaviour : behaviours()) {
    for (const Entry& entry : entries()) {
      if (!is_thorough() && ++number % (sanitized ? 88 : 11) != 0) continue;
      const Server server(behaviour, entry.well_at_first);
      const Ending end = meet(entry, server, {"--request-timeout", "300ms", "--timeout", "4s"});
      check(entry, behaviour, end);
      auto& [count, most] = figures[std::string(entry.name) + ", exit code " + std::to_string(end.code)];
      ++count;
      most = std::max(most, end.memory_kib);
    }
  }
  for (const auto& [what, figure] : figures) {
    std::cout << what << ": " << figure.first << " servers, at most " << figure.second / 1024 << " MiB\n";
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_was_not_asked_for_is_not_taken_for_one) {
  const Server server(named("answers what nobody has asked"), false);
  const auto client = client_of(server, patient);
  const auto version = client->send({"GET", "/version", "", ""});
  BOOST_REQUIRE(version);
  BOOST_TEST(version->status == 200);
  const auto next = client->send({"GET", "/api", "", ""});
  BOOST_REQUIRE(next);
  BOOST_TEST(next->status == 200);
  BOOST_TEST(next->body == R"({"versions":["v1"]})");
}

BOOST_AUTO_TEST_CASE(lists_may_be_longer_than_objects_and_have_bounds_too) {
  // 2 MiB in few values, then in many.
  const std::string few = R"({"items":[")" + std::string(2 * 1024 * 1024, 'x') + "\"]}";
  std::string many = R"({"items":[0)";
  for (int i = 0; i < 200'000; ++i) many += ",[0]";
  many += "]}";
  for (const auto& [body, expected] : {std::pair{few, ""}, {many, "holds more than"}}) {
    const hostile::Behaviour lists{
        "lists", "",
        [&](Peer& peer) {
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        },
        ""};
    const Server server(lists, false);
    const auto answer = client_of(server, {})->send({"GET", "/api/v1/pods", "", ""});
    BOOST_TEST(answer.has_value() == std::string(expected).empty());
    if (!answer) BOOST_TEST(answer.error().what.find(expected) != std::string::npos, answer.error().what);
    RequestLimits small;
    small.list = std::size_t{64} * 1024;
    const auto limited = client_of(server, small)->send({"GET", "/api/v1/pods", "", ""});
    BOOST_REQUIRE(!limited);
    BOOST_TEST(limited.error().what.find("longer than the 64 KiB") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(of_endless_metrics_the_feature_gates_are_kept) {
  std::string metrics;
  for (int i = 0; i < 100'000; ++i) metrics += "apiserver_request_total{code=\"200\"} 1\n";
  metrics += "kubernetes_feature_enabled{name=\"A\",stage=\"\"} 1\n" + std::string(20'000, 'x') + "\n";
  metrics += "kubernetes_feature_enabled{name=\"B\",stage=\"\"} 0";
  const hostile::Behaviour busy{
      "is busy", "/metrics",
      [&](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(metrics.size()) + "\r\n\r\n" + metrics);
      },
      ""};
  const Server server(busy, false);
  const auto seen = observe(*client_of(server, {}), "it");
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->feature_gates.size() == 2U);
  BOOST_TEST(seen->feature_gates.at("A"));
  BOOST_TEST(!seen->feature_gates.at("B"));
}

BOOST_AUTO_TEST_CASE(a_signal_ends_what_is_waited_for) {
  for (const char* name : {"is silent", "sends its head byte by byte", "sends its body byte by byte"}) {
    for (const Entry& entry : entries()) {
      const Server server(named(name), entry.well_at_first);
      const command_line::Folder folder;
      std::vector<std::string> arguments = filled_in(entry.arguments, server, folder);
      arguments.insert(arguments.end(), {"--request-timeout", "1h"});
      const Process process = start(arguments, (folder.path / "output").string());
      // Each further signal ends the current request of the clean-up.
      for (int met = 0; !has_ended(process); std::this_thread::sleep_for(milliseconds(5))) {
        if (server.met() == met) continue;
        met = server.met();
        kill(process.id, SIGINT);
      }
      const Ending end = end_of(process);
      BOOST_TEST(end.code == 3, entry.name << ", a server that " << name << ": " << end.code << "\n" << end.output);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_time_of_a_run_is_up_whatever_a_request_may_take) {
  for (const Entry& entry : entries()) {
    if (entry.well_at_first) continue;  // the clean-up's requests have their own time limit
    const Server server(named("is silent"), false);
    const Ending end = meet(entry, server, {"--request-timeout", "1h", "--timeout", "300ms"});
    BOOST_TEST(end.code == 3, entry.name << ": " << end.output);
    BOOST_TEST(end.output.find("--timeout gives the run was up") != std::string::npos, entry.name << end.output);
  }
}

BOOST_AUTO_TEST_CASE(times_and_sizes_are_read_as_kubectl_reads_them) {
  for (const char* wrong : {"--request-timeout 0", "--request-timeout 5", "--request-timeout x", "--timeout -1s",
                            "--list-limit 1", "--list-limit 8Gi", "--list-limit x", "--request-timeout 99999h"}) {
    const auto ended = command_line::nodebound(std::string("run --dry-run --focus node-taints ") + wrong);
    BOOST_TEST(ended.code == 2, wrong << ": " << ended.output);
    BOOST_TEST(command_line::says(ended, "expected one like"), wrong << ": " << ended.output);
  }
  const auto right = command_line::nodebound(
      "run --dry-run --focus node-taints --request-timeout 1m30s --timeout 0s --list-limit 64Mi");
  BOOST_TEST(right.code == 0, right.output);
}

BOOST_AUTO_TEST_CASE(output_that_is_not_written_is_no_success) {
  const command_line::Folder folder;
  for (const std::string& arguments : {std::string("rules"), std::string("--version"), std::string("run --help"),
                                       "run --focus secret-through-pod --out " + folder.path.string()}) {
    const auto full =
        command_line::run_shell(std::string(project::nodebound_program) + " " + arguments + " 2>&1 >/dev/full");
    BOOST_TEST(full.code == 3, arguments << " ended with " << full.code);
    BOOST_TEST(command_line::says(full, "standard output could not be written"), arguments << full.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()
