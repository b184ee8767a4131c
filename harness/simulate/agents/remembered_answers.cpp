#include "harness/simulate/agents/remembered_answers.h"

#include <utility>

namespace nodebound::simulate {

RememberedAnswers::Answer RememberedAnswers::ask(std::size_t client, const Subject& subject,
                                                 const HttpRequest& request) {
  LoadBalancer::Answer answer = balancer_.handle(client, subject, request);
  answer.response.stream.reset();
  if (answer.response.status < 300) answer.response.body.clear();
  return {answer.kind, subject, std::make_shared<const HttpResponse>(std::move(answer.response))};
}

RememberedAnswers::Answer RememberedAnswers::answer(std::size_t client, const Subject& subject,
                                                    const HttpRequest& request) {
  const std::optional<std::uint64_t> changes = balancer_.changes();
  if (!changes || request.method != "GET") return ask(client, subject, request);
  if (changes_at_ != changes) answers_.clear();
  changes_at_ = changes;
  const std::string kind = std::to_string(balancer_.kind_for(client));
  const std::string key = kind + "\n" + subject.name + "\n" + request.target;
  const auto found = answers_.find(key);
  if (found != answers_.end() && found->second.subject == subject) return found->second;
  return answers_[key] = ask(client, subject, request);
}

}  // namespace nodebound::simulate
