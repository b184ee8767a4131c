#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reports/findings/finding.h"
#include "reports/inspection/inspection.h"

namespace nodebound::inspect {

/// A file that was read, or standard input.
struct InspectedFile {
  std::string name;
  std::string text;
};

/// A Kubernetes object, or another document, with its place.
struct InspectedObject {
  Object object;
  std::shared_ptr<const InspectedFile> file;                ///< null for an object of a cluster
  std::shared_ptr<const std::map<std::string, int>> lines;  ///< of the document, by JSON pointer; may be null
  int line = 0;
  std::size_t document = 0;  ///< its number within the file
  std::string within;        ///< JSON pointer from the document to the object: `/items/3`

  [[nodiscard]] std::string_view kind() const { return text(object, "kind"); }
  [[nodiscard]] std::string group() const;
  [[nodiscard]] std::string_view name() const { return text(object, "metadata", "name"); }
  /// `DaemonSet kube-system/agent`; of another document, its file.
  [[nodiscard]] std::string title() const;
  /// The line of a value, or of what is nearest around it; 0 if no line is known.
  [[nodiscard]] int line_of(const std::string& pointer) const;
  [[nodiscard]] Finding::Place place(const std::string& pointer) const;
};

/// What is inspected.
struct Inspected {
  std::vector<InspectedObject> objects;
  std::vector<std::shared_ptr<const InspectedFile>> texts;  ///< unit files, environment files, scripts
  std::size_t files = 0;
  std::vector<Inspection::Trouble> troubles;
};

}  // namespace nodebound::inspect
