#pragma once

#include <cstdint>
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
    int since = 0;  ///< first minor release with this column
    int until = 0;  ///< first minor release without it; 0: all later releases have it
  };

  explicit constexpr TableColumns(std::span<const Column> columns) : columns_(columns) {}

  /// The columns that a release shows.
  [[nodiscard]] constexpr TableColumns of(const Version& release) const {
    TableColumns out = *this;
    out.minor_ = release.minor;
    return out;
  }

  [[nodiscard]] Object definitions() const;
  [[nodiscard]] Object cells(const Object& object, const std::string& now) const;

 private:
  [[nodiscard]] bool shows(const Column& column) const {
    return minor_ >= column.since && (column.until == 0 || minor_ < column.until);
  }

  std::span<const Column> columns_;
  int minor_ = 0;
};

TableColumns columns_of(const ApiResource& resource);

/// A number of seconds as kubectl writes it: `5d`, `3h12m`, `12s`.
std::string elapsed(std::int64_t seconds);

/// The time between two timestamps, written the same way; `<unknown>` if one is malformed.
std::string age_between(std::string_view since, std::string_view now);

}  // namespace nodebound
