#pragma once

#include <algorithm>
#include <string>

#include "fakes/validation/field_mistake.h"
#include "reference/test/support.h"

namespace nodebound::test {

/// All mistakes, each once, as kube-apiserver of that release tells them.
inline std::string told(const validation::FieldMistakes& mistakes, const char* release = "1.36.3") {
  std::string out;
  const RuleSet rules = rules_of(release);
  for (auto newest = mistakes.begin(); newest != mistakes.end(); ++newest) {
    if (std::find(mistakes.begin(), newest, *newest) != newest) continue;
    const validation::FieldMistake mistake = as_told_by(rules.release(), *newest);
    out += (out.empty() ? "" : ", ") + mistake.field + ": " + message_of(mistake, rules.release());
  }
  return out;
}

}  // namespace nodebound::test
