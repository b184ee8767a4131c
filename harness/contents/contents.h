#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

/// An answer's content: a decision is half an answer. An allowed read shows all that it asks for and nothing else; an
/// allowed write stores what was asked and nothing more; any other request stores nothing.
namespace nodebound {

using SendRequest = std::function<Result<HttpResponse>(const HttpRequest&)>;

/// Calls `read`, which follows a watch, while something changes at the target.
using ReadDuringChanges =
    std::function<Result<HttpResponse>(const HttpRequest& watch, const std::function<Result<HttpResponse>()>& read)>;

/// What is wrong with the content of an answer, or with what the target has stored.
struct ContentMistakes {
  std::vector<std::string> leaked;  ///< objects that were shown and not asked for: `secrets "db" in namespace "shop"`
  std::vector<std::string> others;  ///< `secrets "db" in namespace "shop" is left out`

  [[nodiscard]] bool empty() const { return leaked.empty() && others.empty(); }
};

/// Judges the allowed GETs of one scenario: each by its answer, and by the answers to the same GET in the other
/// forms that a client may ask for: as a Table, as metadata alone, in protobuf, a list in pages, a watch with
/// sendInitialEvents. What they have to show is what the administrator sees. A form is not asked for again where it can
/// prove nothing new.
class ReadJudge {
 public:
  using Paths = std::function<std::vector<std::string>()>;

  /// Without an administrator only leaks are found. `watch_lists` says whether the target serves sendInitialEvents.
  /// `resources` must outlive it.
  /// `made` are the paths of objects that a list of them must show, whatever the administrator's own list shows.
  /// `looks_at_bookmarks` says whether to look at the bookmarks of a watch, which takes seconds; empty: no.
  ReadJudge(
      const ApiResources& resources, bool watch_lists, SendRequest as_administrator,
      Paths made = [] { return std::vector<std::string>(); }, std::function<bool()> looks_at_bookmarks = {})
      : resources_(resources),
        watch_lists_(watch_lists),
        as_administrator_(std::move(as_administrator)),
        made_(std::move(made)),
        looks_at_bookmarks_(std::move(looks_at_bookmarks)) {}

  /// Bookmarks are looked at while something changes; otherwise an API server may have none to send.
  void change_meanwhile(ReadDuringChanges during_changes) { during_changes_ = std::move(during_changes); }

  /// No mistakes for a request whose answer holds no objects. An error if a watch cannot be read.
  Result<ContentMistakes> mistakes(const HttpRequest& request, HttpResponse response, const SendRequest& as_subject);

 private:
  const ApiResources& resources_;
  bool watch_lists_;
  SendRequest as_administrator_;
  Paths made_;
  std::function<bool()> looks_at_bookmarks_;
  ReadDuringChanges during_changes_;
  std::set<std::string> judged_;  ///< the reads whose other forms were judged
};

/// Judges a write by the object it is about, as the administrator sees it before and after.
class WriteJudge {
 public:
  /// Reads the object as it is before the write. `is_dry` says that nothing may be stored.
  WriteJudge(const HttpRequest& request, bool is_dry, const ApiResources& resources, SendRequest as_administrator);

  /// Call it after the write; it reads the object again.
  [[nodiscard]] std::vector<std::string> mistakes(const HttpResponse& response);

 private:
  [[nodiscard]] std::optional<Object> read() const;
  [[nodiscard]] std::vector<std::string> mistakes_of_allowed(const Object& after, const Object& answered) const;
  [[nodiscard]] std::vector<std::string> mistakes_of_dry(const Object& answered) const;
  [[nodiscard]] std::vector<std::string> mistakes_of_stored(const Object& after) const;

  HttpRequest request_;
  bool is_dry_;
  SendRequest as_administrator_;
  Attributes attributes_;
  const ApiResource* resource_ = nullptr;  ///< null: the write is not judged
  const ApiSubresource* subresource_ = nullptr;
  std::optional<Object> before_;  ///< null: there is no object; nothing: unknown
};

}  // namespace nodebound
