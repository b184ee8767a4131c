#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace nodebound::explore {

/// What differs between any two servers: see normal.toml, which says why.
class NormalForms {
 public:
  /// The table this binary was built with.
  static const NormalForms& built_in();

  /// Reads the data file; errors carry `name:line:column`.
  static Result<NormalForms> parse(std::string_view text);

  /// A message in its normal form.
  [[nodiscard]] std::string of_message(std::string text) const { return normal(std::move(text), false); }
  /// An object as JSON in its normal form.
  [[nodiscard]] std::string of_object(std::string text) const { return normal(std::move(text), true); }

 private:
  struct Form {
    std::shared_ptr<const re2::RE2> form;
    std::string by;
    std::string divider;  ///< of a list that is sorted; empty: the form is replaced
    bool objects = false;
  };

  [[nodiscard]] std::string normal(std::string text, bool is_object) const;

  std::vector<Form> forms_;
};

}  // namespace nodebound::explore
