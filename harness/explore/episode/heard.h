#pragma once

#include <string>
#include <vector>

#include "harness/run/judge.h"

namespace nodebound {

/// What a target said to one step of an episode.
struct Heard {
  bool sent = false;  ///< or else it could not be: what the request is about is not there
  Answer answer;      ///< of an action of the administrator: whether it was done
  std::string rule;   ///< that decided, where the target names it
};

/// Whether both say the same but for the message: decision, layer and status.
inline bool agree(const Heard& a, const Heard& b) {
  return a.sent == b.sent && a.answer.kind == b.answer.kind && a.answer.layer == b.answer.layer &&
         a.answer.status == b.answer.status;
}

/// `allowed (HTTP 200)`, `refused by admission (HTTP 403)`, `no decision (HTTP 404)`
std::string to_text(const Heard& heard);

/// What is said in words, less what no two servers have in common: UIDs.
std::string comparable_message(const Heard& heard);

}  // namespace nodebound
