#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/release/catalogue.h"
#include "reports/findings/finding.h"

namespace nodebound::inspect {

/// What inspections.toml says: what is looked for, and what is known of agents, paths and bindings.
struct InspectionKnowledge {
  struct Entry {
    std::string id;
    Finding::Level level = Finding::Level::warning;
    std::string statement;
    std::vector<std::string> rules;
    std::vector<ReleaseRange> ranges;  ///< where it matters; none: in every release
    std::string advice;
    std::vector<std::string> seen_at;
  };

  /// A file or folder with the credentials of a kubelet.
  struct Credential {
    std::string path;
    std::string of;  ///< who keeps them there
  };

  /// An agent that was hit.
  struct Agent {
    std::vector<std::string> words;
    std::string did;
    std::vector<std::string> seen_at;
    std::vector<std::string> requests;  ///< that it is known to ask, as plans have them; none: nobody has said
  };

  /// A field whose keys become labels.
  struct LabelField {
    std::string kind;
    std::string group;
    std::vector<std::string> path;
  };

  /// A request by which a kubelet writes.
  struct NodeWrite {
    std::string what;
    std::string operation;
    std::string group;
    std::string resource;
    std::string subresource;
    std::string namespace_;
    std::string if_blocked;
  };

  std::vector<Entry> entries;
  std::vector<Credential> credentials;
  std::vector<Agent> agents;
  std::vector<LabelField> label_fields;
  std::vector<std::string> usual_roles;  ///< that nodes or everybody are bound to by API servers and kubeadm
  std::vector<NodeWrite> node_writes;

  /// What this binary was built with.
  static const InspectionKnowledge& built_in();
  /// Reads the data file; errors carry `name:line:column`.
  static Result<InspectionKnowledge> parse(std::string_view text, const Catalogue& catalogue);

  /// The entry with that id, which must exist.
  [[nodiscard]] const Entry& entry(std::string_view id) const;
};

}  // namespace nodebound::inspect
