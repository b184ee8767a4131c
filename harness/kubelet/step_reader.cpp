#include "harness/kubelet/step_reader.h"

#include "harness/scenario/toml_json.h"
#include "reports/text.h"

namespace nodebound::kubelet_conformance {
namespace {

using Expect = KubeletStep::Expect;

std::string place_of(const toml::table& table, const std::string& file) {
  return file + ":" + std::to_string(table.source().begin.line);
}

std::vector<Rule> rules_of(TomlReader& in, const char* key, const Catalogue& catalogue) {
  std::vector<Rule> out;
  for (const std::string& id : in.texts(key)) {
    const auto rule = catalogue.find(id);
    if (!rule) throw TomlMistake(*in.find(key), "there is no rule \"" + id + "\"; see `nodebound rules`");
    out.push_back(*rule);
  }
  return out;
}

std::vector<Rule> rules_about(TomlReader& in, const toml::table& table, const Catalogue& catalogue) {
  std::vector<Rule> out = rules_of(in, "rules", catalogue);
  if (out.empty()) throw TomlMistake(table, "expected the rules that the step is about");
  return out;
}

std::vector<std::string> reviews_in(const toml::node& node, std::vector<std::string> texts) {
  for (const std::string& one : texts) {
    if (one.find(' ') == std::string::npos) {
      throw TomlMistake(node, "expected VERB SUBRESOURCE, like \"get pods\", found \"" + one + "\"");
    }
  }
  return texts;
}

std::vector<std::string> reviews_of(TomlReader& in, std::string_view key) {
  const toml::node* node = in.find(key);
  return node == nullptr ? std::vector<std::string>() : reviews_in(*node, in.texts(key));
}

FailedReview failure_of(const toml::node& node) {
  if (node.is_string() && TomlReader::string_of(node) == "reset") return {};
  if (!node.is_table()) return {static_cast<int>(TomlReader::number_of(node, 400, 599)), "", 0};
  TomlReader in(*node.as_table());
  FailedReview out;
  const toml::node& status = in.required("status");
  if (!status.is_string() || TomlReader::string_of(status) != "reset") {
    out.status = static_cast<int>(TomlReader::number_of(status, 400, 599));
  }
  out.retry_after = in.text("retry-after");
  if (const toml::node* times = in.find("times")) out.times = static_cast<int>(TomlReader::number_of(*times, 1, 100));
  in.done();
  return out;
}

KubeletPort port_of(TomlReader& in) {
  const toml::node* port = in.find("port");
  if (port == nullptr) return KubeletPort::main;
  const std::string name = TomlReader::string_of(*port);
  if (name == "read-only") return KubeletPort::read_only;
  if (name != "healthz") throw TomlMistake(*port, "expected read-only or healthz");
  return KubeletPort::healthz;
}

void read_caller(TomlReader& in, KubeletStep& out) {
  const toml::node& as = in.required("as");
  const auto caller = CallerText::of(TomlReader::string_of(as));
  if (!caller) {
    throw TomlMistake(as, "expected one of " + comma_separated(CallerText::words()) + ", and perhaps a name");
  }
  out.as = *caller;
}

std::size_t count_of(TomlReader& in, const char* key, std::int64_t least, std::int64_t most, std::size_t otherwise) {
  const toml::node* node = in.find(key);
  return node == nullptr ? otherwise : static_cast<std::size_t>(TomlReader::number_of(*node, least, most));
}

void read_request(TomlReader& in, KubeletStep& out) {
  read_caller(in, out);
  out.port = port_of(in);
  const toml::node& request = in.required("request");
  const std::string text = TomlReader::string_of(request);
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos || text.compare(blank + 1, 1, "/") != 0) {
    throw TomlMistake(request, "expected METHOD /target, like \"GET /pods\"");
  }
  out.method = text.substr(0, blank);
  out.target = text.substr(blank + 1);
  out.pad = count_of(in, "pad", 1, 100'000, 0);
  out.crowd = count_of(in, "crowd", 1, 10'000, 0);
  out.at_once = count_of(in, "at-once", 2, 16, 1);
  if (const toml::table* headers = in.table("headers")) {
    for (const auto& [name, value] : *headers) out.headers.emplace_back(name.str(), TomlReader::string_of(value));
  }
  out.wait = std::chrono::seconds(count_of(in, "wait-seconds", 1, 60, 0));
  out.client_ca = in.text("client-ca");
  if (!out.client_ca.empty() && out.client_ca != "other") throw TomlMistake(*in.find("client-ca"), "expected other");
}

void read_reviews(TomlReader& in, KubeletStep& out) {
  out.grants = reviews_of(in, "grants");
  out.denies = reviews_of(in, "denies");
  if (const toml::table* groups = in.table("group-grants")) {
    for (const auto& [group, reviews] : *groups) {
      TomlReader one(*groups);
      out.group_grants[std::string(group.str())] = reviews_in(reviews, one.texts(group.str()));
    }
  }
  if (const toml::table* fails = in.table("fails")) {
    for (const auto& [review, failure] : *fails) out.fails[std::string(review.str())] = failure_of(failure);
  }
}

void read_expectation(TomlReader& in, KubeletStep& out) {
  const toml::node& expect = in.required("expect");
  static const std::map<std::string, Expect, std::less<>> words = {{"allowed", Expect::allowed},
                                                                   {"unauthorized", Expect::unauthorized},
                                                                   {"forbidden", Expect::forbidden},
                                                                   {"error", Expect::error},
                                                                   {"closed", Expect::closed}};
  if (expect.is_integer()) {
    out.expect = Expect::status;
    out.status = static_cast<int>(TomlReader::number_of(expect, 100, 599));
  } else {
    const auto found = words.find(TomlReader::string_of(expect));
    if (found == words.end()) {
      throw TomlMistake(expect, "expected allowed, unauthorized, forbidden, error, closed or a status");
    }
    out.expect = found->second;
  }
  out.location = in.text("location");
  out.body = in.text("body");
  if (const toml::table* answered = in.table("answered")) {
    for (const auto& [name, value] : *answered) out.answered[std::string(name.str())] = TomlReader::string_of(value);
  }
  if (in.find("access-reviews") != nullptr) out.access_reviews = reviews_of(in, "access-reviews");
  if (in.find("token-reviews") != nullptr) out.token_reviews = count_of(in, "token-reviews", 0, 1000, 0);
}

}  // namespace

KubeletHolds read_kubelet_holds(TomlReader& in, const Catalogue& catalogue) {
  return {ReleaseRange::read_within(in, catalogue.releases()), rules_of(in, "where", catalogue),
          rules_of(in, "unless", catalogue)};
}

KubeletStep read_kubelet_step(const toml::table& table, const std::string& file, const Catalogue& catalogue) {
  TomlReader in(table);
  KubeletStep out;
  out.name = in.text("name", true);
  out.where = place_of(table, file);
  read_request(in, out);
  read_reviews(in, out);
  read_expectation(in, out);
  out.rules = rules_about(in, table, catalogue);
  out.holds = read_kubelet_holds(in, catalogue);
  in.done();
  return out;
}

KubeletStart read_kubelet_start(const toml::table& table, const std::string& file, const Catalogue& catalogue) {
  TomlReader in(table);
  KubeletStart out;
  out.name = in.text("name", true);
  out.where = place_of(table, file);
  if (const toml::table* config = in.table("config")) out.config = to_json(*config);
  out.flags = in.texts("flags");
  out.kubeconfig = !in.flag("without-kubeconfig");
  out.error = in.text("error");
  out.rules = rules_about(in, table, catalogue);
  out.holds = read_kubelet_holds(in, catalogue);
  in.done();
  return out;
}

}  // namespace nodebound::kubelet_conformance
