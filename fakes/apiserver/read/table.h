#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::apiserver {

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

  /// Name and age: the columns of a kind that has no others.
  static constexpr TableColumns plain();

  /// Those of a custom resource, from the version in its definition, which must outlive them: kubectl shows the name
  /// and `additionalPrinterColumns`, or else the age.
  static TableColumns of_definition(const Object& version);

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
  const Object* defined_ = nullptr;  ///< `additionalPrinterColumns`
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

}  // namespace nodebound::apiserver
