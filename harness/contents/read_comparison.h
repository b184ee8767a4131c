#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/contents/contents.h"
#include "harness/contents/selected_objects.h"

namespace nodebound {

using ObjectsByUid = std::map<std::string, Object>;

ObjectsByUid by_uid(const std::vector<Object>& objects);

/// What the administrator sees both before and after: nobody has changed it in between.
ObjectsByUid unchanged(const ObjectsByUid& before, const ObjectsByUid& after);

/// A form in which a client may ask for objects.
struct Form {
  const char* words;  ///< after the name of an object
  const char* accept;
  bool exact;  ///< shows objects as they are stored; others leave out what is empty, or all but the metadata
  bool another_way = false;  ///< looks like the plain answer, so it says nothing new where that is wrong
  bool some = false;         ///< shows only some, or what was: only a leak counts
};

/// The answers to one read, in several forms, compared with what is stored.
class ReadComparison {
 public:
  /// `selected` must outlive it.
  ReadComparison(const SelectedObjects& selected, ObjectsByUid stored)
      : selected_(selected), stored_(std::move(stored)) {}

  void judge(const Form& form, const HttpResponse& response);
  void find(std::string mistake);

  [[nodiscard]] bool agrees() const { return out_.empty(); }
  ContentMistakes take() { return std::move(out_); }

 private:
  void look_for_repeated(const Form& form, const std::vector<Object>& shown);

  const SelectedObjects& selected_;
  ObjectsByUid stored_;
  ContentMistakes out_;
};

}  // namespace nodebound
