// Texts of one line, from commands or files: versions, gates, patterns, requests, subjects, durations, URLs. The first
// byte chooses which.
#include <cstdint>
#include <cstdlib>

#include "fakes/faults/fault.h"
#include "fakes/http/request_line.h"
#include "fakes/wire/go/go_duration.h"
#include "fakes/wire/timestamp.h"
#include "harness/cli/target.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/explain/question.h"
#include "harness/run/pattern.h"
#include "harness/scenario/loader.h"
#include "harness/scenario/request_text.h"
#include "reference/cluster/label_selector.h"
#include "reference/kubelet/attributes.h"
#include "reference/kubelet/url_path.h"
#include "reference/test/project_paths.h"
#include "reference/test/support.h"

using namespace nodebound;
using namespace nodebound::explain;
using namespace nodebound::faults;

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

// A version, and the gates that differ from its defaults.
void read_release(const std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const auto gates = cli::parse_feature_gates(text.substr(std::min(end + 1, text.size())));
  const auto version = Version::parse(text.substr(0, end));
  if (!gates) return;
  const auto again = cli::parse_feature_gates(to_flag(*gates));
  must(again && *again == *gates);
  if (version) static_cast<void>(Release::make(Catalogue::built_in(), *version, *gates));
}

void read_request(const std::string& text) {
  const auto request = parse_request(text);
  if (!request) return;
  const auto again = parse_request(to_text(*request));
  must(again && *again == *request);
}

void read_question(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return;
  QuestionText question;
  question.as = words[0];
  question.words.assign(words.begin() + 1, words.end());
  static_cast<void>(parse_subject(question.as));
  static_cast<void>(understand(question, std::nullopt, ""));
}

void read_paths(const std::string& text) {
  static const RuleSet rules = test::rules_of("1.36.3", {});
  static_cast<void>(kubelet_attributes("GET", text, "n", rules));
  static_cast<void>(is_escaped_path(text));
  static_cast<void>(decoded_segments(text));
  must(clean_path(clean_path(text)) == clean_path(text));
  must(is_escaped_path(escaped_path(text)));
}

void read_times(const std::string& text) {
  static_cast<void>(parse_go_duration(text));
  const auto seconds = seconds_of(text);
  if (seconds) must(seconds_of(timestamp_of_seconds(*seconds)) == seconds);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Fixtures fixtures = fixtures_of(project::file("scenarios")).value();
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 12) {
    case 0: {
      const auto version = Version::parse(text);
      if (version) must(Version::parse(version->text()) == version);
      break;
    }
    case 1:
      read_release(text);
      break;
    case 2:
      read_request(text);
      break;
    case 3:
      read_question(text);
      break;
    case 4: {
      const auto pattern = Pattern::of("--focus", text);
      if (pattern) static_cast<void>(pattern->is_in("conformance/secret-through-pod/through-env"));
      break;
    }
    case 5:
      static_cast<void>(LabelSelector::parse(text));
      break;
    case 6:
      static_cast<void>(parse_server(text, "kubeconfig:1"));
      break;
    case 7:
      static_cast<void>(parse_fingerprint(text, "--kubelet-fingerprint"));
      break;
    case 8:
      read_times(text);
      break;
    case 9: {
      const auto fault = Fault::parse(text);
      if (fault) must(Fault::from_json(fault->source).has_value());
      break;
    }
    case 10:
      static_cast<void>(fixtures.action(text));
      break;
    default: {
      static_cast<void>(RequestLine::of(text));
      read_paths(text);
    }
  }
  return 0;
}
