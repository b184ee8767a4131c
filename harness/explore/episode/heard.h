#pragma once

#include <string>
#include <vector>

#include "harness/check/answer.h"

namespace nodebound::explore {

/// A target's answer to one step of an episode.
struct Heard {
  bool sent = false;  ///< false if it could not be sent because the object it concerns does not exist
  Answer answer;      ///< for an action of the administrator: whether it succeeded
  std::string rule;   ///< the deciding rule, if the target names it
  /// What is wrong with what a write stored or a read showed; empty where it is not judged, too.
  std::string mistake = {};
};

/// Whether both agree in decision, layer, status and contents; messages may differ.
inline bool agree(const Heard& a, const Heard& b) {
  return a.sent == b.sent && a.answer.kind == b.answer.kind && a.answer.layer == b.answer.layer &&
         a.answer.status == b.answer.status && a.mistake == b.mistake;
}

/// `allowed (HTTP 200)`, `refused by admission (HTTP 403)`, `no decision (HTTP 404)`, each with the mistake after it.
std::string to_text(const Heard& heard);

/// The answer in words, without UIDs, which no two servers have in common.
std::string comparable_message(const Heard& heard);

}  // namespace nodebound::explore
