#pragma once

#include <string>
#include <vector>

#include "harness/explore/episode/episode.h"
#include "harness/scenario/fixtures.h"

namespace nodebound::explore {

/// An episode while it is drawn: what is made first, what may change later, and what is asked before and after.
class Draft {
 public:
  /// Both must outlive the draft.
  Draft(Chance& chance, const Fixtures& fixtures) : chance_(chance), fixtures_(fixtures) {}

  Chance& chance() { return chance_; }

  /// A node. There are few, with names that are parts of each other, and one without a Node object.
  std::string node();
  /// The name of an object in a namespace: some are prefixes of others, have 253 characters, or have dots.
  std::string name();
  std::string namespace_();
  /// A caller: mostly a node.
  std::string who();
  /// One of the ways to reference a `secret`, … in a sentence, such as ` via csi`.
  std::string way(const std::string& noun, const std::string& kind);

  void make(const std::string& sentence, const Object& body = {});
  void create(const std::string& target, Object body);
  void later(const std::string& sentence, const Object& body = {});
  void later_create(const std::string& target, Object body);
  void later_change(const std::string& target, Object body);

  /// A request that may be asked at any time, directly or by review.
  void ask(const std::string& who, const std::string& request);
  /// A write of `body`: usually a dry run, rarely one that is kept.
  void write(const std::string& who, const std::string& request, Object body = {});
  void change(const std::string& who, const std::string& target, Object body, std::vector<std::string> remove = {});
  /// A review of access that no request could express.
  void review(const std::string& who, const std::string& request, Object attributes);
  void subject(const std::string& name, NamedSubject subject);

  /// The whole episode, ordered so that questions are repeated after changes.
  Episode finish();

 private:
  Step made(const std::string& sentence, const Object& body) const;
  void add(Check check);
  void ask_some(Episode& episode, std::size_t most);

  Chance& chance_;
  const Fixtures& fixtures_;
  std::map<std::string, NamedSubject> subjects_;
  std::vector<Step> setup_;
  std::vector<Step> changes_;
  std::vector<Check> questions_;
};

}  // namespace nodebound::explore
