#include "harness/explore/episode/heard.h"

#include "harness/check/run_names.h"

namespace nodebound {

std::string to_text(const Heard& heard) {
  return heard.sent ? to_text(heard.answer) : "not sent";
}

std::string comparable_message(const Heard& heard) {
  return without_uids(heard.answer.message, "{uid}");
}

}  // namespace nodebound
