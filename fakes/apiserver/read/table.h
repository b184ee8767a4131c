#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"
#include "reference/release/version.h"

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

  /// Name and age: the columns of a kind that has no others.
  static constexpr TableColumns plain();

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

// What the columns of several kinds have in common.

Object name_cell(const Object& object, const std::string& now);
Object age_cell(const Object& object, const std::string& now);
/// A text, or what is shown in its place if it is empty.
Object text_cell(std::string_view value, const char* otherwise = "");

inline constexpr TableColumns::Column name_column = {"Name", name_cell, 0, "string", "name"};
inline constexpr TableColumns::Column age_column = {"Age", age_cell};
inline constexpr TableColumns::Column plain_columns[] = {name_column, age_column};

constexpr TableColumns TableColumns::plain() {
  return TableColumns(plain_columns);
}

}  // namespace nodebound
