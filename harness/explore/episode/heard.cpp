#include "harness/explore/episode/heard.h"

#include "harness/run/uids.h"

namespace nodebound {

std::string to_text(const Heard& heard) {
  const std::string status = heard.answer.status == 0 ? "" : " (HTTP " + std::to_string(heard.answer.status) + ")";
  if (!heard.sent) return "not sent";
  if (heard.answer.kind == Answer::Kind::allowed) return "allowed" + status;
  if (heard.answer.kind == Answer::Kind::unclear) return "no decision" + status;
  const std::string by = heard.answer.layer ? " by " + std::string(to_string(*heard.answer.layer)) : std::string();
  return "refused" + by + status;
}

std::string comparable_message(const Heard& heard) {
  return without_uids(heard.answer.message, "{uid}");
}

}  // namespace nodebound
