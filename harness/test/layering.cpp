#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(layering)

namespace {

// Which files may include which; the first folder that contains a file counts.
const std::vector<std::pair<std::string, std::set<std::string>>> may_include = {
    {"reference/", {"reference/"}},
    {"fakes/store/", {"reference/", "fakes/store/"}},
    {"fakes/files/", {"reference/result.h", "fakes/files/"}},
    {"fakes/storage/", {"reference/", "fakes/files/", "fakes/store/", "fakes/storage/"}},
    {"fakes/wire/certificates/", {"reference/", "fakes/wire/certificates/"}},
    {"fakes/wire/resources/",
     {"reference/", "fakes/validation/metadata.h", "fakes/wire/media_type.h", "fakes/wire/resources/"}},
    {"fakes/wire/", {"reference/", "fakes/validation/quantity.h", "fakes/wire/"}},
    {"fakes/validation/",
     {"reference/cluster/object.h", "reference/cel/admission/", "reference/admission/certificate_signing_request.h",
      "reference/cluster/names.h", "reference/encoding/", "reference/release/behaviour_ids.h",
      "reference/release/refusal_text.h", "reference/release/release.h", "fakes/validation/"}},
    {"fakes/apiserver/", {"reference/", "fakes/store/", "fakes/wire/", "fakes/validation/", "fakes/apiserver/"}},
    {"fakes/http/",
     {"reference/result.h", "reference/encoding/ascii.h", "reference/release/refusal_text.h", "fakes/wire/http.h",
      "fakes/wire/timestamp.h", "fakes/http/"}},
    {"fakes/authentication/",
     {"reference/", "fakes/apiserver/", "fakes/wire/", "fakes/http/handler.h", "fakes/websocket/",
      "fakes/authentication/"}},
    {"fakes/authorization/", {"reference/", "fakes/wire/", "fakes/webhook/", "fakes/authorization/"}},
    {"fakes/kubelet/", {"reference/", "fakes/apiserver/", "fakes/wire/", "fakes/kubelet/"}},
    {"fakes/kubelet_api/",
     {"reference/", "fakes/apiserver/read/negotiation.h", "fakes/wire/", "fakes/http/duplex_stream.h",
      "fakes/http/handler.h", "fakes/http/serving_threads.h", "fakes/authentication/", "fakes/spdy/",
      "fakes/websocket/", "fakes/kubelet_api/"}},
    {"fakes/controllers/", {"reference/", "fakes/wire/", "fakes/controllers/"}},
    {"fakes/scheduler/", {"reference/cluster/object.h", "fakes/scheduler/"}},
    {"fakes/faults/", {"reference/", "fakes/wire/http.h", "fakes/apiserver/status.h", "fakes/faults/"}},
    {"fakes/serving/",
     {"reference/", "fakes/apiserver/", "fakes/wire/", "fakes/http/duplex_stream.h", "fakes/http/handler.h",
      "fakes/authentication/", "fakes/faults/", "fakes/files/", "fakes/websocket/", "fakes/serving/"}},
    {"fakes/spdy/", {"fakes/wire/http.h", "fakes/http/handler.h", "fakes/http/duplex_stream.h", "fakes/spdy/"}},
    {"fakes/websocket/",
     {"reference/", "fakes/wire/http.h", "fakes/wire/text_stream.h", "fakes/http/duplex_stream.h",
      "fakes/http/handler.h", "fakes/websocket/"}},
    {"fakes/proxy/",
     {"reference/", "fakes/wire/", "fakes/apiserver/status.h", "fakes/http/duplex_stream.h", "fakes/http/handler.h",
      "fakes/http/serving_threads.h", "fakes/websocket/", "fakes/proxy/"}},
    {"fakes/webhook/",
     {"reference/result.h", "reference/authorizer/attributes.h", "reference/cluster/object.h", "reference/encoding/",
      "fakes/wire/", "fakes/webhook/"}},
    {"fakes/", {"reference/", "fakes/"}},
    {"reports/", {"reports/", "reference/result.h", "reference/encoding/base64.h", "reference/encoding/utf8.h"}},
    {"harness/scenario/",
     {"reference/", "fakes/wire/resources/api_catalogue.h", "harness/objects/input_file.h",
      "fakes/authorization/abac_policy_file.h", "harness/endpoint/server_settings.h",
      "harness/endpoint/webhook/webhook_script.h", "harness/scenario/"}},
    {"harness/built_in/", {"reference/result.h", "fakes/wire/certificates/digest.h", "harness/built_in/"}},
    {"harness/objects/",
     {"reference/", "fakes/files/private_file.h", "fakes/wire/resources/api_catalogue.h", "reports/text.h",
      "harness/objects/"}},
    {"harness/explain/",
     {"reference/", "fakes/wire/resources/api_catalogue.h", "fakes/apiserver/review/access_control.h",
      "fakes/apiserver/review/kinds_of_owners.h", "fakes/apiserver/write/patch.h", "fakes/wire/yaml/yaml.h", "reports/",
      "harness/scenario/", "harness/objects/", "harness/explain/"}},
    {"harness/endpoint/credentials/reference_tokens",
     {"reference/", "fakes/apiserver/review/", "fakes/authentication/", "fakes/wire/", "harness/endpoint/"}},
    {"harness/endpoint/authorizer/",
     {"reference/", "fakes/wire/", "fakes/apiserver/", "fakes/authentication/", "fakes/authorization/", "fakes/files/",
      "fakes/http/", "fakes/serving/api_handler.h", "fakes/store/change.h", "fakes/webhook/", "harness/endpoint/"}},
    {"harness/endpoint/",
     {"reference/", "fakes/wire/", "fakes/apiserver/", "fakes/authorization/", "fakes/files/", "fakes/http/",
      "fakes/store/change.h", "harness/objects/input_file.h", "harness/endpoint/"}},
    {"harness/journal/",
     {"reference/result.h", "reference/cluster/object.h", "reference/identity/subject.h",
      "reference/authorizer/attributes.h", "fakes/wire/http.h", "fakes/wire/requests.h",
      "fakes/wire/resources/api_catalogue.h", "harness/endpoint/endpoint.h", "harness/endpoint/signals.h",
      "harness/endpoint/circumstances.h", "harness/journal/"}},
    {"harness/deviations/",
     {"reference/", "reports/", "harness/scenario/", "harness/check/probe.h", "harness/deviations/"}},
    {"harness/failures/",
     {"reference/", "reports/", "harness/scenario/", "harness/endpoint/", "harness/check/", "harness/run/",
      "harness/explore/", "harness/failures/"}},
    {"harness/certify/",
     {"reference/", "fakes/wire/", "fakes/files/", "reports/", "harness/objects/input_file.h", "harness/scenario/",
      "harness/endpoint/", "harness/check/", "harness/run/", "harness/kubelet/", "harness/deviations/",
      "harness/certify/"}},
    {"harness/contents/", {"reference/", "fakes/wire/", "fakes/apiserver/read/field_selector.h", "harness/contents/"}},
    {"harness/explore/",
     {"reference/", "fakes/wire/", "harness/scenario/", "harness/endpoint/", "harness/guest/", "harness/journal/",
      "harness/contents/", "harness/check/", "harness/run/", "harness/explore/"}},
    {"harness/simulate/plan/",
     {"reference/", "fakes/kubelet/", "fakes/wire/", "reports/simulation/simulation.h", "harness/scenario/substitute.h",
      "harness/scenario/toml_json.h", "harness/objects/", "harness/simulate/plan/"}},
    {"harness/simulate/clock/",
     {"reference/result.h", "fakes/kubelet/kubelet_line.h", "harness/simulate/plan/", "harness/simulate/clock/"}},
    {"harness/simulate/records/",
     {"reference/", "fakes/kubelet/refusals.h", "fakes/wire/http.h", "reports/simulation/simulation.h",
      "harness/simulate/plan/", "harness/simulate/clock/", "harness/simulate/records/"}},
    {"harness/simulate/control_plane/",
     {"reference/", "fakes/", "harness/endpoint/", "harness/simulate/plan/", "harness/simulate/clock/",
      "harness/simulate/records/", "harness/simulate/control_plane/"}},
    {"harness/simulate/fleet/",
     {"reference/", "fakes/kubelet/", "fakes/wire/", "harness/simulate/plan/", "harness/simulate/clock/",
      "harness/simulate/records/", "harness/simulate/control_plane/", "harness/simulate/fleet/"}},
    {"harness/simulate/agents/",
     {"reference/", "fakes/kubelet_api/", "harness/scenario/substitute.h", "harness/simulate/plan/",
      "harness/simulate/clock/", "harness/simulate/records/", "harness/simulate/control_plane/",
      "harness/simulate/fleet/", "harness/simulate/agents/"}},
    {"harness/simulate/findings/",
     {"reference/", "fakes/wire/", "reports/simulation/simulation.h", "harness/findings/relevance.h",
      "harness/simulate/plan/", "harness/simulate/clock/", "harness/simulate/records/",
      "harness/simulate/control_plane/", "harness/simulate/fleet/", "harness/simulate/agents/",
      "harness/simulate/findings/"}},
    {"harness/simulate/stock/",
     {"reference/", "harness/objects/input_file.h", "harness/endpoint/", "harness/simulate/plan/",
      "harness/simulate/control_plane/server_builds.h", "harness/simulate/stock/"}},
    {"harness/simulate/",
     {"reference/", "fakes/", "reports/simulation/simulation.h", "harness/scenario/substitute.h",
      "harness/scenario/toml_json.h", "harness/objects/", "harness/endpoint/", "harness/simulate/"}},
    {"harness/findings/", {"reference/", "harness/objects/", "reports/findings/finding.h", "harness/findings/"}},
    {"harness/inspect/",
     {"reference/", "fakes/wire/", "fakes/apiserver/policies/matched_write.h", "reports/", "harness/objects/",
      "harness/explain/", "harness/endpoint/", "harness/guest/rights.h", "harness/findings/", "harness/inspect/"}},
    {"harness/replay/",
     {"reference/", "fakes/wire/", "fakes/apiserver/review/access_control.h",
      "fakes/apiserver/review/kinds_of_owners.h", "fakes/apiserver/write/patch.h", "reports/replay/replay.h",
      "reports/share.h", "reports/findings/finding.h", "reports/text.h", "harness/objects/",
      "harness/explain/authorizers.h", "harness/simulate/findings/advice.h", "harness/replay/"}},
    {"harness/draft/",
     {"reference/", "fakes/wire/yaml/yaml.h", "fakes/scheduler/", "reports/findings/finding.h", "reports/text.h",
      "harness/objects/", "harness/simulate/plan/", "harness/inspect/", "harness/replay/", "harness/draft/"}},
    {"harness/reviewer/",
     {"reference/", "fakes/wire/", "fakes/apiserver/review/", "fakes/authentication/", "fakes/http/handler.h",
      "harness/endpoint/", "harness/reviewer/"}},
    {"harness/library/",
     {"reference/", "fakes/wire/http.h", "harness/objects/", "harness/explain/", "harness/reviewer/",
      "harness/library/"}},
    {"harness/kubelet/",
     {"reference/", "fakes/apiserver/status.h", "fakes/authentication/", "fakes/wire/", "fakes/http/",
      "fakes/kubelet_api/", "reports/", "harness/scenario/scenario_files.h", "harness/scenario/toml_json.h",
      "harness/objects/input_file.h", "harness/endpoint/", "harness/guest/guest_session.h", "harness/check/",
      "harness/kubelet/"}},
    {"harness/mutants/",
     {"reference/", "fakes/wire/", "fakes/apiserver/review/access_control.h", "fakes/store/change.h", "reports/",
      "harness/scenario/", "harness/endpoint/", "harness/check/", "harness/run/", "harness/kubelet/",
      "harness/mutants/"}},
    {"harness/lint/",
     {"reference/", "fakes/authorization/", "fakes/kubelet_api/configuration/", "fakes/validation/", "fakes/wire/",
      "harness/objects/", "harness/lint/"}},
    {"harness/guest/",
     {"reference/", "fakes/wire/", "harness/scenario/", "harness/endpoint/", "harness/journal/record.h",
      "harness/guest/"}},
    {"harness/check/",
     {"reference/", "fakes/wire/", "reports/run/report.h", "harness/scenario/", "harness/contents/",
      "harness/endpoint/", "harness/guest/", "harness/journal/", "harness/check/"}},
    {"harness/run/",
     {"reference/", "fakes/wire/", "reports/", "harness/scenario/", "harness/endpoint/", "harness/guest/",
      "harness/journal/", "harness/contents/", "harness/check/", "harness/run/"}},
    {"harness/", {"reference/", "fakes/", "reports/", "harness/"}},
};

// Decisions must not depend on place and time. These files let threads read what another one changes, and decide
// nothing.
const std::set<std::string> may_know_threads = {"reference/cluster/kept_object.cpp", "reference/cluster/readers.h",
                                                "reference/cluster/readers.cpp", "reference/cluster/two_copies.h"};
const std::set<std::string> not_in_reference = {"thread",  "mutex",     "atomic",       "chrono",   "filesystem",
                                                "fstream", "iostream",  "sys/socket.h", "unistd.h", "spdlog/spdlog.h",
                                                "random",  "httplib.h", "future"};

bool fits(const std::set<std::string>& allowed, const std::string& include) {
  for (const std::string& prefix : allowed) {
    if (include.starts_with(prefix)) return true;
  }
  return false;
}

template <typename Visit>
void each_line(Visit visit) {
  const std::filesystem::path root = project::source_folder;
  for (const char* folder : {"reference", "fakes", "harness", "reports"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) visit(file, line);
    }
  }
}

template <typename Visit>
void each_include(Visit visit) {
  each_line([&](const std::string& file, const std::string& line) {
    if (!line.starts_with("#include ")) return;
    const std::size_t end = line.find_first_of(">\"", 10);
    visit(file, line[9] == '"', line.substr(10, end - 10));
  });
}

// The type whose definition begins on this line; empty: none.
std::string type_defined_in(const std::string& line) {
  for (const std::string_view word : {"struct ", "class "}) {
    if (line.starts_with(word) && line.ends_with('{'))
      return line.substr(word.size(), line.find_first_of(" <", word.size()) - word.size());
  }
  return {};
}

// Where code may look into a version, and why; everything else asks a Release.
const std::map<std::string, std::string> knows_versions = {
    {"reference/release/", "owns versions and ranges"},
    {"fakes/apiserver/discovery/", "/version and the metrics show the numbers of a version"},
    {"fakes/apiserver/read/list.cpp", "compares resource versions"},
    {"fakes/apiserver/webhooks/admission_review.cpp", "names the field `response.patch`, which is a JSON patch"},
    {"fakes/apiserver/read/get.cpp", "compares resource versions"},
    {"fakes/http/", "reads versions of HTTP and of certificates"},
    {"fakes/kubelet/kubelet_traits.cpp", "kubelets before 1.7 follow the references of 1.7, which had the first graph"},
    {"fakes/storage/", "compares versions of the store"},
    {"fakes/store/", "compares versions of the store"},
    {"fakes/wire/resources/api_catalogue.cpp", "orders the versions of an API group"},
    {"harness/cli/rules/", "shows since when a rule is in force"},
    {"harness/cli/target.cpp", "warns of a patch release that does not exist"},
    {"harness/explain/explanation.cpp", "writes a span of releases"},
    {"harness/explore/episode/topics_of_nodes.cpp", "one episode has bodies for both of the releases that it compares"},
    {"harness/mutants/releases.cpp", "tries the patch release before a change"},
    {"harness/simulate/control_plane/load_balancer.cpp", "orders the servers of a report"},
    {"harness/simulate/control_plane/server_builds.cpp", "orders builds"},
    {"harness/simulate/findings/plan_changes.cpp", "looks for the next minor release that refuses a gate"},
    {"harness/simulate/plan/skew_policy.cpp", "the version skew policy counts minor releases"},
};

bool has_any(const std::string& line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return line.find(word) != std::string::npos; });
}

// Rooms with a namespace of their own. What more than one room speaks of (objects, requests, rules, endpoints, checks)
// is in `nodebound` itself.
const std::map<std::string, std::string> namespaces = {
    {"fakes/apiserver/", "apiserver"},
    {"fakes/authentication/", "authentication"},
    {"fakes/authorization/", "authorization"},
    {"fakes/controllers/", "controllers"},
    {"fakes/faults/", "faults"},
    {"fakes/kubelet/", "fake_kubelet"},
    {"fakes/kubelet_api/", "kubelet_api"},
    {"fakes/proxy/", "proxy"},
    {"fakes/scheduler/", "scheduler"},
    {"fakes/serving/", "serving"},
    {"fakes/storage/", "storage"},
    {"fakes/validation/", "validation"},
    {"fakes/webhook/", "webhook"},
    {"harness/built_in/", "built_in"},
    {"harness/certify/", "certify"},
    {"harness/cli/", "cli"},
    {"harness/deviations/", "deviations"},
    {"harness/draft/", "draft"},
    {"harness/explain/", "explain"},
    {"harness/explore/", "explore"},
    {"harness/failures/", "failures"},
    {"harness/guest/", "guest"},
    {"harness/inspect/", "inspect"},
    {"harness/journal/", "journal"},
    {"harness/kubelet/", "kubelet_conformance"},
    {"harness/lint/", "lint"},
    {"harness/mutants/", "mutants"},
    {"harness/replay/", "replay"},
    {"harness/reviewer/", "reviewer"},
    {"harness/simulate/", "simulate"},
    {"reference/cel/", "cel"},
    {"reference/signers/", "signers"},
};

bool is_beside_the_product(const std::string& file) {
  return file.find("/test/") != std::string::npos || file.find("/benchmark/") != std::string::npos ||
         file.find("/fuzz/") != std::string::npos || file == "reference/release/generate.cpp";
}

}  // namespace

BOOST_AUTO_TEST_CASE(dependencies_point_one_way) {
  std::size_t seen = 0;
  each_include([&](const std::string& file, bool own, const std::string& include) {
    if (!own || is_beside_the_product(file)) return;
    for (const auto& [folder, allowed] : may_include) {
      if (!file.starts_with(folder)) continue;
      ++seen;
      BOOST_TEST(fits(allowed, include), file << " must not include " << include);
      break;
    }
  });
  BOOST_TEST(seen > 100U);
}

// Tests, benchmarks and fuzz targets may read more of their own part than its code may, but no part above it.
BOOST_AUTO_TEST_CASE(dependencies_of_tests_point_the_same_way) {
  const std::map<std::string, std::set<std::string>> parts = {
      {"reference/", {"reference/"}},
      {"fakes/", {"reference/", "fakes/"}},
      {"reports/", {"reference/", "reports/"}},
      {"harness/", {"reference/", "fakes/", "reports/", "harness/"}},
  };
  each_include([&](const std::string& file, bool own, const std::string& include) {
    // Generated headers stand in no folder.
    if (!own || include.find('/') == std::string::npos) return;
    const auto part = parts.find(file.substr(0, file.find('/') + 1));
    BOOST_REQUIRE(part != parts.end());
    BOOST_TEST(fits(part->second, include), file << " must not include " << include);
  });
}

// A release differs from others by its rules, behaviours and kubelet traits, which are data.
BOOST_AUTO_TEST_CASE(no_code_compares_versions_or_reads_ranges) {
  const std::vector<std::regex> forbidden = {
      std::regex(R"re(\bVersion(\s+\w+)?\{\s*\d|Version::parse\("\d)re"),              // a certain version
      std::regex(R"re((\.|->)(major|minor|patch)\b(?!\())re"),                         // a part of a version
      std::regex(R"re(\b(\w*[vV]ersion|release)(\(\))? (<|>|<=|>=) )re"),              // a comparison
      std::regex(R"re((\.|->)(version|find|text|texts|table)\("(since|until)"\))re"),  // a bound of a range
      std::regex(R"re("(since|until) \d)re"),                                          // a range in a body
  };
  std::set<std::string> used;
  each_line([&](const std::string& file, const std::string& line) {
    if (is_beside_the_product(file) || line.find_first_not_of(' ') == line.find("//")) return;
    // Few lines have these words, and regular expressions are slow.
    if (!has_any(line, {"ersion", "release", "since", "until", "major", "minor", "patch"})) return;
    for (const std::regex& one : forbidden) {
      if (!std::regex_search(line, one)) continue;
      const auto known = std::find_if(knows_versions.begin(), knows_versions.end(),
                                      [&](const auto& where) { return file.starts_with(where.first); });
      if (known != knows_versions.end()) used.insert(known->first);
      BOOST_TEST((known != knows_versions.end()), file << " knows a version or range by itself: " << line);
    }
  });
  for (const auto& [where, why] : knows_versions) BOOST_TEST(used.contains(where), where << " no longer " << why);
}

BOOST_AUTO_TEST_CASE(the_reference_knows_no_sockets_threads_clocks_or_files) {
  each_include([&](const std::string& file, bool own, const std::string& include) {
    if (own || !file.starts_with("reference/") || is_beside_the_product(file)) return;
    const bool of_threads = include == "thread" || include == "mutex" || include == "atomic";
    if (of_threads && may_know_threads.contains(file)) return;
    BOOST_TEST(!not_in_reference.contains(include), file << " must not include <" << include << ">");
  });
}

// One room serves clients, one reaches kubelets, one asks webhooks.
BOOST_AUTO_TEST_CASE(only_three_rooms_know_sockets) {
  each_include([&](const std::string& file, bool own, const std::string& include) {
    const bool may =
        file.starts_with("fakes/http/") || file.starts_with("fakes/proxy/") || file.starts_with("fakes/webhook/");
    if (own || is_beside_the_product(file) || may) return;
    BOOST_TEST(!include.starts_with("boost/asio"), file << " must not include <" << include << ">");
    BOOST_TEST(!include.starts_with("boost/beast"), file << " must not include <" << include << ">");
  });
}

BOOST_AUTO_TEST_CASE(one_file_of_the_product_knows_the_http_library) {
  std::map<std::string, int> users;
  each_include([&](const std::string& file, bool, const std::string& include) {
    if (include == "httplib.h" && !is_beside_the_product(file)) ++users[file];
  });
  BOOST_TEST(users.size() == 1U);
  BOOST_TEST(users.contains("harness/endpoint/https_client.cpp"));
}

BOOST_AUTO_TEST_CASE(a_folder_can_be_seen_at_a_glance) {
  constexpr std::size_t most_files = 30;
  const std::filesystem::path root = project::source_folder;
  std::map<std::string, std::size_t> files;
  for (const char* folder : {"reference", "fakes", "harness", "reports", "ci", "scenarios"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string in = entry.path().parent_path().lexically_relative(root).generic_string();
      // Seeds of fuzz targets are data without names of their own.
      if (entry.is_regular_file() && in.find("fuzz/") == std::string::npos) ++files[in];
    }
  }
  BOOST_TEST(files.size() > 30U);
  for (const auto& [folder, count] : files) {
    BOOST_TEST(count <= most_files,
               folder << " has " << count << " files; make a folder of those that belong together");
  }
}

BOOST_AUTO_TEST_CASE(a_room_keeps_to_its_namespace) {
  std::set<std::string> seen;
  each_line([&](const std::string& file, const std::string& line) {
    if (is_beside_the_product(file) || !line.starts_with("namespace nodebound") || !line.ends_with(" {")) return;
    const std::string named = line.substr(10, line.size() - 12);
    if (named == "nodebound::data") return;  // what the build makes of files
    const auto room = std::find_if(namespaces.begin(), namespaces.end(),
                                   [&](const auto& each) { return file.starts_with(each.first); });
    if (room == namespaces.end()) return;
    seen.insert(room->first);
    const std::string own = "nodebound::" + room->second;
    BOOST_TEST((named == own || named.starts_with(own + "::")),
               file << " names things in " << named << ", not in " << own);
  });
  BOOST_TEST(seen.size() == namespaces.size());
}

// Two types of one name would violate the one-definition rule, and the linker would silently merge them.
BOOST_AUTO_TEST_CASE(a_name_is_that_of_one_type) {
  std::map<std::string, std::string> known;
  std::string file_of_last;
  bool for_itself = false;
  each_line([&](const std::string& file, const std::string& line) {
    if (is_beside_the_product(file)) return;
    if (file != std::exchange(file_of_last, file)) for_itself = false;
    if (line == "namespace {") for_itself = true;
    if (line == "}  // namespace") for_itself = false;
    const std::string type = type_defined_in(line);
    if (type.empty() || for_itself) return;
    const auto [first, is_new] = known.emplace(type, file);
    BOOST_TEST(is_new, file << " and " << first->second << " both define " << type);
  });
  BOOST_TEST(known.size() > 100U);
}

BOOST_AUTO_TEST_SUITE_END()
