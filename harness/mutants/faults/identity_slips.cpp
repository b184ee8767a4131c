#include "harness/mutants/faults/identity_slips.h"

#include <algorithm>

#include "harness/mutants/faults/words.h"
#include "reference/encoding/ascii.h"
#include "reference/identity/node_identity.h"

namespace nodebound::mutants {
namespace {

Subject named(Subject caller, std::string_view node) {
  caller.name = std::string(node_user_prefix) + std::string(node);
  return caller;
}

Subject in_nodes_group(Subject caller) {
  if (!caller.in_group(nodes_group)) caller.groups.emplace_back(nodes_group);
  return caller;
}

bool is_named(const Subject& caller) {
  return caller.name.starts_with(node_user_prefix);
}

std::string_view node_of(const Subject& caller) {
  return is_named(caller) ? std::string_view(caller.name).substr(node_user_prefix.size()) : std::string_view();
}

template <typename Fits>
Subject in_group_that(const Subject& caller, Fits fits) {
  const bool found = std::any_of(caller.groups.begin(), caller.groups.end(), fits);
  return found ? in_nodes_group(caller) : caller;
}

Subject without_group(const Subject& caller) {
  return is_named(caller) ? in_nodes_group(caller) : caller;
}

Subject by_group_alone(const Subject& caller) {
  return caller.in_group(nodes_group) && !is_named(caller) ? named(caller, caller.name) : caller;
}

Subject group_in_other_case(const Subject& caller) {
  return in_group_that(caller, [](const std::string& group) { return in_lower_case(group) == nodes_group; });
}

Subject group_by_prefix(const Subject& caller) {
  return in_group_that(caller, [](const std::string& group) { return group.starts_with(nodes_group); });
}

Subject group_by_suffix(const Subject& caller) {
  return in_group_that(caller, [](const std::string& group) { return group.ends_with(nodes_group); });
}

Subject group_inside(const Subject& caller) {
  return in_group_that(caller, [](const std::string& group) { return group.find("nodes") != std::string::npos; });
}

Subject prefix_in_other_case(const Subject& caller) {
  const bool alike = in_lower_case(caller.name).starts_with(node_user_prefix);
  return alike ? named(caller, std::string_view(caller.name).substr(node_user_prefix.size())) : caller;
}

Subject prefix_anywhere(const Subject& caller) {
  const std::size_t at = caller.name.find(node_user_prefix);
  return at == std::string::npos ? caller
                                 : named(caller, std::string_view(caller.name).substr(at + node_user_prefix.size()));
}

Subject prefix_without_colon(const Subject& caller) {
  const std::string_view prefix = node_user_prefix.substr(0, node_user_prefix.size() - 1);
  if (is_named(caller) || !caller.name.starts_with(prefix)) return caller;
  return named(caller, std::string_view(caller.name).substr(prefix.size()));
}

Subject after_last_colon(const Subject& caller) {
  return is_named(caller) ? named(caller, std::string_view(caller.name).substr(caller.name.rfind(':') + 1)) : caller;
}

Subject up_to_next_colon(const Subject& caller) {
  const std::string_view node = node_of(caller);
  return is_named(caller) ? named(caller, node.substr(0, node.find(':'))) : caller;
}

Subject up_to_first_dot(const Subject& caller) {
  const std::string_view node = node_of(caller);
  return is_named(caller) ? named(caller, node.substr(0, node.find('.'))) : caller;
}

Subject in_lower_case_only(const Subject& caller) {
  return is_named(caller) ? named(caller, in_lower_case(node_of(caller))) : caller;
}

Subject without_blanks(const Subject& caller) {
  std::string_view node = node_of(caller);
  while (node.starts_with(' ')) node.remove_prefix(1);
  while (node.ends_with(' ')) node.remove_suffix(1);
  return is_named(caller) ? named(caller, node) : caller;
}

Subject name_from_group(const Subject& caller) {
  for (const std::string& group : caller.groups) {
    if (group.starts_with(node_user_prefix)) {
      return in_nodes_group(named(caller, std::string_view(group).substr(node_user_prefix.size())));
    }
  }
  return caller;
}

Subject not_at_all(const Subject& caller) {
  Subject out = caller;
  std::erase(out.groups, std::string(nodes_group));
  return out;
}

}  // namespace

const std::vector<IdentitySlipEntry>& identity_slips() {
  static const std::vector<IdentitySlipEntry> all = {
      {{"without-group", "", "who is called as a node is one, without the group system:nodes"}, without_group},
      {{"by-group-alone", "", "who is of the group system:nodes is the node of that name"}, by_group_alone},
      {{"group-in-other-case", "", "the group counts in other case"}, group_in_other_case},
      {{"group-by-prefix", "", "a group counts that begins with system:nodes"}, group_by_prefix},
      {{"group-by-suffix", "", "a group counts that ends with system:nodes"}, group_by_suffix},
      {{"group-inside", "", "a group counts that has the word nodes in it"}, group_inside},
      {{"prefix-in-other-case", "", "the user name's prefix counts in other case"}, prefix_in_other_case},
      {{"prefix-anywhere", "", "the user name's prefix counts wherever it stands"}, prefix_anywhere},
      {{"prefix-without-colon", "", "the user name's prefix counts without its last colon"}, prefix_without_colon},
      {{"after-last-colon", "", "the node's name is what follows the last colon"}, after_last_colon},
      {{"up-to-next-colon", "", "the node's name ends at the next colon"}, up_to_next_colon},
      {{"up-to-first-dot", "", "the node's name ends at its first dot"}, up_to_first_dot},
      {{"in-lower-case", "", "the node's name counts in lower case"}, in_lower_case_only},
      {{"without-blanks", "", "blanks around the node's name do not count"}, without_blanks},
      {{"name-from-group", "", "a group that is called as a node is makes its member that node"}, name_from_group},
      {{"not-at-all", "", "nobody is a node"}, not_at_all},
  };
  return all;
}

}  // namespace nodebound::mutants
