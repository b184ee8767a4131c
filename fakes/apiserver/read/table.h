#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The columns in which kubectl shows the objects of a resource (pkg/printers/internalversion/printers.go).
class TableColumns {
 public:
  struct Column {
    const char* name;
    Object (*cell)(const Object& object, const std::string& now);
    int priority = 0;  ///< above 0: only shown with `-o wide`
    const char* type = "string";
    const char* format = "";
    std::optional<Behaviour> shown_by = {};  ///< releases with it alone show the column
  };

  explicit constexpr TableColumns(std::span<const Column> columns) : columns_(columns) {}

  /// The columns that a release shows.
  [[nodiscard]] TableColumns of(const Release& release) const {
    TableColumns out = *this;
    out.release_ = &release;
    return out;
  }

  [[nodiscard]] Object definitions() const;
  [[nodiscard]] Object cells(const Object& object, const std::string& now) const;

 private:
  [[nodiscard]] bool shows(const Column& column) const { return !column.shown_by || release_->does(*column.shown_by); }

  std::span<const Column> columns_;
  const Release* release_ = nullptr;
};

TableColumns columns_of(const ApiResource& resource);

/// A number of seconds as kubectl writes it: `5d`, `3h12m`, `12s`.
std::string elapsed(std::int64_t seconds);

/// The time between two timestamps, written the same way; `<unknown>` if one is malformed.
std::string age_between(std::string_view since, std::string_view now);

}  // namespace nodebound
