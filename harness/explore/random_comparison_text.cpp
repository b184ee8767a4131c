#include <map>

#include "harness/explore/random_comparison.h"

namespace nodebound::explore {
namespace {

const char* to_string(Agreement agreement) {
  switch (agreement) {
    case Agreement::same:
      return "same";
    case Agreement::other_warnings:
      return "other warnings";
    case Agreement::other_object:
      return "other object";
    case Agreement::other_message:
      return "other message";
    case Agreement::other_status:
      return "other status";
    case Agreement::other_decision:
      return "other decision";
  }
  return "";
}

std::string body_of(const DrawnRequest& request) {
  if (!request.raw_body.empty()) return request.raw_body;
  return request.body.is_null() ? std::string() : request.body.dump();
}

std::string contents_of(const Said& said) {
  std::string out = " " + said.object;
  for (const auto& [key, item] : said.items) out += "\n      " + key + " " + item;
  return said.stored.empty() ? out : out + "\n      stored " + said.stored;
}

std::string line_of(const char* side, const Said& said, Agreement agreement) {
  std::string out = std::string("    ") + side + "  " + std::to_string(said.status) +
                    (said.decision.empty() ? "" : " " + said.decision) +
                    (said.message.empty() ? "" : ": " + said.message);
  if (agreement == Agreement::other_object) out += contents_of(said);
  if (agreement == Agreement::other_warnings) {
    for (const std::string& warning : said.warnings) out += "\n      warns " + warning;
  }
  return out + "\n";
}

std::string percentage(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  const std::string out = std::to_string(static_cast<double>(part) * 100 / static_cast<double>(whole));
  // Cut, not rounded, so that 100 % means all.
  return out.substr(0, out.find('.') + 3) + " %";
}

Object to_object(const Said& said) {
  return {{"status", said.status}, {"decision", said.decision}, {"message", said.message},  {"object", said.object},
          {"items", said.items},   {"stored", said.stored},     {"warnings", said.warnings}};
}

}  // namespace

std::string to_terminal(const RandomComparison& comparison, std::size_t most) {
  std::string out;
  std::map<Agreement, std::size_t> shown;
  for (const AnswerDifference& difference : comparison.differences) {
    if (most != 0 && ++shown[difference.agreement] > most) continue;
    const DrawnRequest& request = difference.request;
    out += std::string(to_string(difference.agreement)) + ", request " + std::to_string(difference.number) + ": " +
           request.subject.name + " " + request.method + " " + request.target + "\n";
    if (!request.accept.empty()) out += "    accepts " + request.accept + "\n";
    if (!request.changed_object.empty()) out += "    changes " + request.changed_object + "\n";
    if (const std::string body = body_of(request); !body.empty())
      out += "    " + request.content_type + " " + body + "\n";
    out += line_of("A", difference.a, difference.agreement) + line_of("B", difference.b, difference.agreement);
  }
  const std::size_t all = comparison.requests;
  const std::size_t decisions = all - comparison.count(Agreement::other_decision);
  const std::size_t statuses = decisions - comparison.count(Agreement::other_status);
  const std::size_t messages = statuses - comparison.count(Agreement::other_message);
  const std::size_t objects = messages - comparison.count(Agreement::other_object);
  out += std::to_string(all) + " requests, seed " + std::to_string(comparison.seed) + ": the same decision " +
         percentage(decisions, all) + ", the same status code too " + percentage(statuses, all) +
         ", the same message too " + percentage(messages, all) + ", the same object too " + percentage(objects, all) +
         ", the same warnings too " + percentage(objects - comparison.count(Agreement::other_warnings), all) + "\n";
  return out;
}

std::string to_json(const RandomComparison& comparison) {
  Object differences = Object::array();
  for (const AnswerDifference& difference : comparison.differences) {
    const DrawnRequest& request = difference.request;
    differences.push_back({{"number", difference.number},
                           {"difference", to_string(difference.agreement)},
                           {"user", request.subject.name},
                           {"groups", request.subject.groups},
                           {"method", request.method},
                           {"target", request.target},
                           {"accept", request.accept},
                           {"content_type", request.content_type},
                           {"body", body_of(request)},
                           {"changes", request.changed_object},
                           {"a", to_object(difference.a)},
                           {"b", to_object(difference.b)}});
  }
  const Object out = {{"seed", comparison.seed},
                      {"requests", comparison.requests},
                      {"other_decisions", comparison.count(Agreement::other_decision)},
                      {"other_statuses", comparison.count(Agreement::other_status)},
                      {"other_messages", comparison.count(Agreement::other_message)},
                      {"other_objects", comparison.count(Agreement::other_object)},
                      {"other_warnings", comparison.count(Agreement::other_warnings)},
                      {"differences", differences}};
  return out.dump(2, ' ', false, Object::error_handler_t::replace) + "\n";
}

}  // namespace nodebound::explore
