#include "harness/endpoint/authorizer/exec_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <simdjson.h>
#include <utility>

#include "reference/cluster/object.h"

namespace nodebound::exec {
namespace {

using Json = nlohmann::json;

/// A schema may grow by a level or two; nothing of ours needs more.
constexpr int deepest = 8;

Result<Json> parse_line(std::string_view line) {
  bool deep = false;
  Json read = Json::parse(
      line,
      [&deep](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
        deep = deep || depth > deepest;
        return !deep;
      },
      false);
  if (deep) return unreachable_error({}, "nests deeper than " + std::to_string(deepest) + " levels");
  if (read.is_discarded()) return unreachable_error({}, "is not JSON");
  if (!read.is_object()) return unreachable_error({}, "is no JSON object");
  return read;
}

/// A misspelt key would otherwise be taken for an absent one.
Result<void> has_only(const Json& line, std::initializer_list<std::string_view> known) {
  for (const auto& entry : line.items()) {
    bool found = false;
    for (const std::string_view each : known) found = found || entry.key() == each;
    if (!found) return unreachable_error({}, "has the unknown key \"" + entry.key() + "\"");
  }
  return {};
}

std::string shown(const Json& value) {
  constexpr std::size_t most = 80;
  const std::string text = value.is_null() ? "nothing" : value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

template <typename Value, std::size_t count>
Result<Value> one_of(const Json& line, const char* key, const std::array<std::pair<const char*, Value>, count>& words) {
  const Json& value = member(line, key);
  std::string expected;
  for (const auto& [word, meaning] : words) {
    if (value == word) return meaning;
    expected += (expected.empty() ? "\"" : ", \"") + std::string(word) + "\"";
  }
  return unreachable_error({}, "has " + shown(value) + " as \"" + key + "\", expected one of " + expected);
}

constexpr std::array<std::pair<const char*, ObjectsReach>, 2> reaches = {
    {{"lines", ObjectsReach::at_once}, {"none", ObjectsReach::never}}};

using Opinion = AccessAnswer::Opinion;
constexpr std::array<std::pair<const char*, Opinion>, 4> opinions = {{{"allow", Opinion::allow},
                                                                      {"deny", Opinion::deny},
                                                                      {"no opinion", Opinion::no_opinion},
                                                                      {"error", Opinion::error}}};

// The answer in a line that is as it should be. Nothing says nothing: whoever reads the line as a document says why.
std::optional<AnswerLine> read_plain_answer_line(std::string_view line) {
  thread_local simdjson::dom::parser parser;
  thread_local std::string padded;
  padded.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  padded.assign(line);
  simdjson::dom::object members;
  if (parser.parse(padded.data(), padded.size(), false).get(members) != simdjson::SUCCESS) return std::nullopt;
  AnswerLine out;
  std::array<bool, 3> seen = {};
  const auto first_time = [&](std::size_t key) { return !std::exchange(seen[key], true); };
  for (const simdjson::dom::key_value_pair member : members) {
    if (member.key == "id") {
      if (!first_time(0) || member.value.get(out.id) != simdjson::SUCCESS) return std::nullopt;
      continue;
    }
    std::string_view text;
    if (member.value.get(text) != simdjson::SUCCESS) return std::nullopt;
    if (member.key == "decision") {
      const auto* const word =
          std::find_if(opinions.begin(), opinions.end(), [&](const auto& one) { return text == one.first; });
      if (!first_time(1) || word == opinions.end()) return std::nullopt;
      out.answer.opinion = word->second;
    } else if (member.key == "reason" && first_time(2)) {
      out.answer.reason = text;
    } else {
      return std::nullopt;
    }
  }
  if (!seen[0] || !seen[1]) return std::nullopt;
  return out;
}

}  // namespace

std::string greeting() {
  const Json line = {{"protocol", "nodebound.dev/exec"}, {"versions", {protocol_version}}};
  return line.dump() + "\n";
}

std::string event_line(const ObjectEvent& event) {
  static constexpr std::array<const char*, 3> types = {"ADDED", "MODIFIED", "DELETED"};
  return std::string("{\"event\":\"") + types[static_cast<std::size_t>(event.kind)] + "\",\"object\":" + event.object +
         "}\n";
}

std::string question_line(std::uint64_t id, const std::string& spec) {
  return "{\"id\":" + std::to_string(id) + ",\"spec\":" + spec + "}\n";
}

Result<Introduction> read_introduction(std::string_view line) {
  const Result<Json> read = parse_line(line);
  if (!read) return tl::unexpected<Error>(read.error());
  if (auto known = has_only(*read, {"protocol", "version", "reviews", "objects", "name"}); !known) {
    return tl::unexpected<Error>(known.error());
  }
  if (member(*read, "protocol") != "nodebound.dev/exec") {
    return unreachable_error(
        {}, "has " + shown(member(*read, "protocol")) + " as \"protocol\", expected \"nodebound.dev/exec\"");
  }
  const Json& version = member(*read, "version");
  if (!version.is_number_integer() || version != protocol_version) {
    return unreachable_error({}, "has " + shown(version) + " as \"version\", expected " +
                                     std::to_string(protocol_version) + ", the only one that is spoken here");
  }
  const Json& reviews = member(*read, "reviews");
  if (!reviews.is_array() || reviews != Json::array({"SubjectAccessReview"})) {
    return unreachable_error({}, "has " + shown(reviews) + " as \"reviews\", expected [\"SubjectAccessReview\"]");
  }
  const auto objects = one_of(*read, "objects", reaches);
  if (!objects) return tl::unexpected<Error>(objects.error());
  return Introduction{*objects};
}

Result<AnswerLine> read_answer_line(std::string_view line) {
  if (std::optional<AnswerLine> plain = read_plain_answer_line(line)) return std::move(*plain);
  const Result<Json> read = parse_line(line);
  if (!read) return tl::unexpected<Error>(read.error());
  if (auto known = has_only(*read, {"id", "decision", "reason"}); !known) return tl::unexpected<Error>(known.error());
  AnswerLine out;
  const Json& id = member(*read, "id");
  if (!id.is_number_unsigned()) {
    return unreachable_error({}, "has " + shown(id) + " as \"id\", expected the number of a question");
  }
  out.id = id.get<std::uint64_t>();
  const auto opinion = one_of(*read, "decision", opinions);
  if (!opinion) return tl::unexpected<Error>(opinion.error());
  out.answer.opinion = *opinion;
  const Json& reason = member(*read, "reason");
  if (!reason.is_null() && !reason.is_string()) {
    return unreachable_error({}, "has " + shown(reason) + " as \"reason\", expected a text");
  }
  if (reason.is_string()) out.answer.reason = reason.get<std::string>();
  return out;
}

}  // namespace nodebound::exec
