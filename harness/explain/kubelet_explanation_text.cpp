#include "harness/explain/kubelet_explanation.h"
#include "reports/json_object.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound::explain {
namespace {

using Json = nlohmann::ordered_json;

std::string settings_text(const KubeletSettings& settings) {
  std::string out = settings.anonymous ? "anonymous requests are let in" : "nobody is anonymous";
  out += settings.token_webhook ? ", tokens are reviewed" : ", tokens are not looked at";
  return out + ", authorization.mode " + settings.authorization_mode;
}

std::string reviews_text(const KubeletAnswer& answer) {
  std::string out;
  for (const KubeletReview& review : answer.reviews) out += (out.empty() ? "" : ", then ") + review.text();
  return out;
}

std::string word_for(const KubeletAnswer& answer) {
  if (!answer.route.is_guarded()) return "no path";
  return answer.decision.passes() ? "allowed" : "refused";
}

Colour colour_of(const KubeletAnswer& answer) {
  return answer.is_refused() ? Colour::red : answer.reaches() ? Colour::green : Colour::yellow;
}

// The rule that determines the kubelet's reviews; if it decided without a review, the rule of that decision.
Rule rule_of(const KubeletExplanation& explanation) {
  const KubeletAnswer& answer = explanation.answer;
  if (answer.reviews.empty()) return answer.decision.rule;
  return kubelet_subresource_rule(answer.route.path, explanation.kubelet);
}

void add_decision(Page& page, const KubeletExplanation& explanation) {
  const KubeletAnswer& answer = explanation.answer;
  std::string head = headline(answer);
  if (head[0] >= 'a' && head[0] <= 'z') head[0] = static_cast<char>(head[0] - 'a' + 'A');
  page.heading(colour_of(answer), answer.is_refused() ? "✗" : "✓", head);
  if (!answer.route.is_guarded()) return;
  if (answer.is_refused()) {
    page.field(2, "status", "HTTP " + std::to_string(answer.decision.status));
    page.field(2, "body", answer.decision.body);
  }
  const RuleEntry& entry = explanation.kubelet.catalogue()[rule_of(explanation)];
  page.field(2, "rule", entry.id);
  page.field(2, "", entry.statement);
  page.field(2, "source", comma_separated(entry.source));
}

void add_reviews(Page& page, const KubeletAnswer& answer) {
  if (answer.reviews.empty()) return;
  page.heading(Colour::plain, "-", "Reviews, in the order in which the kubelet sends them");
  std::size_t width = 0;
  for (const KubeletReview& review : answer.reviews) width = std::max(width, columns(review.text()));
  for (const KubeletReview& review : answer.reviews) {
    page.raw("  " + pad_right(review.text(), width) + "  " +
             (review.decision.allowed() ? "allowed by " + review.by : "not allowed"));
    page.paragraph(width + 4, Colour::dim, review.decision.reason);
  }
}

void add_releases(Page& page, const std::vector<KubeletRange>& ranges) {
  page.heading(Colour::plain, "-", "The answer by release of the kubelet");
  std::size_t width = 0;
  for (const KubeletRange& range : ranges) width = std::max(width, columns(range.text()));
  for (const KubeletRange& range : ranges) {
    page.raw((range.asked ? page.paint(Colour::bold, "> ") : "  ") + pad_right(range.text(), width) + "  " +
             page.paint(colour_of(range.answer), word_for(range.answer)) + "  " + reviews_text(range.answer));
  }
}

Json reviews_json(const KubeletAnswer& answer) {
  Json out = Json::array();
  for (const KubeletReview& review : answer.reviews) {
    out.push_back({{"verb", review.attributes.verb},
                   {"subresource", review.attributes.subresource},
                   {"allowed", review.decision.allowed()},
                   {"by", review.by},
                   {"reason", review.decision.reason}});
  }
  return out;
}

}  // namespace

std::string to_text(const KubeletExplanation& explanation, const KubeletQuestion& question, const std::string& cluster,
                    const TerminalStyle& style) {
  Page page(style);
  const KubeletRequest& request = question.request;
  const Release& release = explanation.kubelet.release();
  const std::vector<std::string> gates = release.changed_gates();
  page.field(2, "asked", request.line());
  page.field(2, "as", request.subject.name + " [" + comma_separated(request.subject.groups) + "]");
  page.field(2, "kubelet",
             release.version.text() + (gates.empty() ? "" : " with " + comma_separated(gates)) +
                 (request.node.empty() ? "" : " of node " + request.node) + ": " + settings_text(explanation.settings));
  page.field(2, "cluster",
             explanation.server.release().version.text() + ", " +
                 (cluster.empty() ? "empty but for the bootstrap roles: give its objects with --cluster"
                                  : counted(question.objects.size(), "object") + " of " + cluster));
  add_decision(page, explanation);
  add_reviews(page, explanation.answer);
  add_releases(page, explanation.releases);
  return page.text();
}

std::string to_json(const KubeletExplanation& explanation, const KubeletQuestion& question) {
  const KubeletAnswer& answer = explanation.answer;
  const RuleEntry& rule = explanation.kubelet.catalogue()[rule_of(explanation)];
  Json out;
  out["subject"] = {{"user", question.request.subject.name}, {"groups", question.request.subject.groups}};
  out["request"] = {{"method", question.request.method}, {"target", question.request.target}};
  out["kubelet"] = {{"version", explanation.kubelet.release().version.text()},
                    {"node", question.request.node},
                    {"featureGates", explanation.kubelet.release().changed_gates()}};
  out["server"] = {{"version", explanation.server.release().version.text()}};
  out["cluster"] = {{"objects", question.objects.size()}};
  out["decision"] = {{"reaches", answer.reaches()},
                     {"refused", answer.is_refused()},
                     {"status", answer.decision.status},
                     {"summary", headline(answer)},
                     {"rule", {{"id", rule.id}, {"statement", rule.statement}, {"sources", rule.source}}}};
  out["reviews"] = reviews_json(answer);
  out["releases"] = Json::array();
  for (const KubeletRange& range : explanation.releases) {
    Json one = {{"since", range.first.text()}};
    if (range.until) one["until"] = range.until->text();
    one["asked"] = range.asked;
    one["refused"] = range.answer.is_refused();
    one["reaches"] = range.answer.reaches();
    one["reviews"] = reviews_json(range.answer);
    out["releases"].push_back(std::move(one));
  }
  return json_text(out);
}

}  // namespace nodebound::explain
