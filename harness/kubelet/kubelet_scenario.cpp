#include "harness/kubelet/kubelet_scenario.h"

#include <algorithm>
#include <array>

#include "harness/objects/input_file.h"
#include "harness/scenario/toml_json.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

using Expect = KubeletStep::Expect;

constexpr std::array who_there_is = {"nobody",
                                     "certificate",
                                     "token",
                                     "websocket-token",
                                     "basic",
                                     "expired",
                                     "not-yet-valid",
                                     "other-ca",
                                     "server-usage",
                                     "no-common-name",
                                     "bad-certificate-and-token",
                                     "certificate-and-bad-token"};

VersionRange read_range(TomlReader& in) {
  return {in.version("since"), in.version("until")};
}

std::vector<std::string> reviews_of(TomlReader& in, std::string_view key) {
  const toml::node* node = in.find(key);
  std::vector<std::string> out = in.texts(key);
  for (const std::string& one : out) {
    if (one.find(' ') == std::string::npos) {
      throw TomlMistake(*node, "expected VERB SUBRESOURCE, like \"get pods\", found \"" + one + "\"");
    }
  }
  return out;
}

class ScenarioReader {
 public:
  ScenarioReader(const std::string& file, const std::string& id, const Catalogue& catalogue)
      : file_(file), catalogue_(catalogue) {
    scenario_.id = id;
  }

  KubeletScenario read(const toml::table& table) {
    TomlReader in(table);
    scenario_.title = in.text("title", true);
    scenario_.profile = in.text("profile", true);
    scenario_.holds = read_range(in);
    read_settings(in);
    read_tokens(in);
    in.tables("step", [&](const toml::table& step) { scenario_.steps.push_back(read_step(step)); });
    if (scenario_.steps.empty()) throw TomlMistake(table, "expected a [[step]]");
    in.done();
    return std::move(scenario_);
  }

 private:
  void read_settings(TomlReader& in) {
    scenario_.gates = in.flags("feature-gates");
    if (const toml::table* config = in.table("config")) scenario_.config = to_json(*config);
    scenario_.flags_only = in.flag("flags-only");
    scenario_.any_configuration = in.flag("any-configuration");
    scenario_.flags = in.texts("flags");
  }

  void read_tokens(TomlReader& in) {
    const toml::table* tokens = in.table("tokens");
    if (tokens == nullptr) return;
    for (const auto& [name, node] : *tokens) {
      if (!node.is_table()) throw TomlMistake(node, "expected a table with user, error or status");
      TomlReader token(*node.as_table());
      ReviewedToken out;
      const std::string user = token.text("user");
      if (!user.empty()) out.verdict.subject = Subject{user, token.texts("groups"), "", {}};
      out.verdict.error = token.text("error");
      if (const toml::node* status = token.find("status"))
        out.status = static_cast<int>(TomlReader::number_of(*status, 400, 599));
      token.done();
      scenario_.tokens[std::string(name.str())] = std::move(out);
    }
  }

  KubeletStep read_step(const toml::table& table) {
    TomlReader in(table);
    KubeletStep out;
    out.name = in.text("name", true);
    out.where = file_ + ":" + std::to_string(table.source().begin.line);
    read_request(in, out);
    out.grants = reviews_of(in, "grants");
    out.denies = reviews_of(in, "denies");
    if (const toml::table* fails = in.table("fails")) {
      for (const auto& [review, status] : *fails) {
        out.fails[std::string(review.str())] = static_cast<int>(TomlReader::number_of(status, 400, 599));
      }
    }
    read_expectation(in, out);
    for (const std::string& id : in.texts("rules")) {
      const auto rule = catalogue_.find(id);
      if (!rule) throw TomlMistake(*in.find("rules"), "there is no rule \"" + id + "\"; see `nodebound rules`");
      out.rules.push_back(*rule);
    }
    if (out.rules.empty()) throw TomlMistake(table, "expected the rules that the step is about");
    out.holds = read_range(in);
    in.done();
    return out;
  }

  void read_request(TomlReader& in, KubeletStep& out) const {
    const toml::node& as = in.required("as");
    out.as = TomlReader::string_of(as);
    const std::string kind = out.as.substr(0, out.as.find(' '));
    if (std::find(who_there_is.begin(), who_there_is.end(), kind) == who_there_is.end()) {
      std::string known;
      for (const char* one : who_there_is) known += (known.empty() ? "" : ", ") + std::string(one);
      throw TomlMistake(as, "expected one of " + known + ", and perhaps a name");
    }
    const toml::node& request = in.required("request");
    const std::string text = TomlReader::string_of(request);
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos || text.compare(blank + 1, 1, "/") != 0) {
      throw TomlMistake(request, "expected METHOD /target, like \"GET /pods\"");
    }
    out.method = text.substr(0, blank);
    out.target = text.substr(blank + 1);
    if (const toml::node* pad = in.find("pad"))
      out.pad = static_cast<std::size_t>(TomlReader::number_of(*pad, 1, 100'000));
    if (const toml::table* headers = in.table("headers")) {
      for (const auto& [name, value] : *headers) out.headers.emplace_back(name.str(), TomlReader::string_of(value));
    }
    if (const toml::node* wait = in.find("wait-seconds")) {
      out.wait = std::chrono::seconds(TomlReader::number_of(*wait, 1, 60));
    }
  }

  static void read_expectation(TomlReader& in, KubeletStep& out) {
    const toml::node& expect = in.required("expect");
    static const std::map<std::string, Expect, std::less<>> words = {{"allowed", Expect::allowed},
                                                                     {"unauthorized", Expect::unauthorized},
                                                                     {"forbidden", Expect::forbidden},
                                                                     {"error", Expect::error}};
    if (expect.is_integer()) {
      out.expect = Expect::status;
      out.status = static_cast<int>(TomlReader::number_of(expect, 100, 599));
    } else {
      const auto found = words.find(TomlReader::string_of(expect));
      if (found == words.end()) {
        throw TomlMistake(expect, "expected allowed, unauthorized, forbidden, error or a status");
      }
      out.expect = found->second;
    }
    out.location = in.text("location");
    out.body = in.text("body");
    if (in.find("access-reviews") != nullptr) out.access_reviews = reviews_of(in, "access-reviews");
    if (const toml::node* count = in.find("token-reviews")) {
      out.token_reviews = static_cast<std::size_t>(TomlReader::number_of(*count, 0, 1000));
    }
  }

  const std::string& file_;
  const Catalogue& catalogue_;
  KubeletScenario scenario_;
};

}  // namespace

Result<KubeletScenario> parse_kubelet_scenario(std::string_view text, const std::string& file, const std::string& id,
                                               const Catalogue& catalogue) try {
  return ScenarioReader(file, id, catalogue).read(parse_toml(text, file));
} catch (const toml::parse_error& error) {
  return toml_error(file, error);
} catch (const TomlMistake& mistake) {
  return toml_error(file, mistake);
}

Result<std::vector<KubeletScenario>> load_kubelet_scenarios(const std::filesystem::path& folder,
                                                            const Catalogue& catalogue) {
  constexpr std::string_view ending = ".kubelet.toml";
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  }
  if (error)
    return input_error(folder.string(), "cannot be read: " + error.message(), "expected a folder of scenarios");
  std::sort(files.begin(), files.end());
  std::vector<KubeletScenario> out;
  for (const std::filesystem::path& path : files) {
    const Result<std::string> text = read_input(path.string());
    if (!text) return tl::unexpected(text.error());
    std::string id = path.filename().string();
    id.resize(id.size() - ending.size());
    Result<KubeletScenario> scenario = parse_kubelet_scenario(*text, path.string(), id, catalogue);
    if (!scenario) return tl::unexpected(scenario.error());
    out.push_back(std::move(*scenario));
  }
  return out;
}

}  // namespace nodebound
