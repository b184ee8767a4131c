#include "harness/explore/episode/heard.h"

#include "harness/check/run_names.h"

namespace nodebound::explore {

std::string to_text(const Heard& heard) {
  if (!heard.sent) return "not sent";
  return to_text(heard.answer) + (heard.mistake.empty() ? "" : ", and " + heard.mistake);
}

std::string comparable_message(const Heard& heard) {
  return without_uids(heard.answer.message, "{uid}");
}

}  // namespace nodebound::explore
