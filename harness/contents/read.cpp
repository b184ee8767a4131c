#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "fakes/wire/requests.h"
#include "harness/contents/contents.h"
#include "harness/contents/read_comparison.h"
#include "harness/contents/watch_events.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound {
namespace {

// Older servers know only v1beta1, or neither: then the answer is the plain object.
const char* const table =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const char* const metadata_of_object =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,"
    "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io,application/json";
const char* const metadata_of_list =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,"
    "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io,application/json";
const char* const protobuf = "application/vnd.kubernetes.protobuf,application/json";

// In versions: what everybody has changed in more may be more than an answer can hold.
constexpr std::uint64_t longest_history = 1000;

constexpr Form plain{"", "", true};
constexpr Form pages{" in pages", "", true};
constexpr Form watch_list{" in a watch with sendInitialEvents", "", true};
constexpr Form not_older{" from the watch cache", "", true, true};
constexpr Form from_cache{" from the watch cache", "", false, true, true};
constexpr Form at_version{" at its version", "", true, true};
constexpr Form since_version{" from an earlier version", "", true};
constexpr Form lately{" from an earlier version", "", true, false, true};
constexpr Form of_another{" by the name of another", "", true};

// The watch cache of a kind that seldom changes may not have come to a version that changes of other kinds have made.
bool is_ahead_of_cache(const HttpResponse& answer) {
  if (answer.status != 504) return false;
  const Object body = Object::parse(answer.body, nullptr, false);
  const Object& causes = member(body, "details", "causes");
  return std::any_of(causes.begin(), causes.end(),
                     [](const Object& cause) { return text(cause, "reason") == "ResourceVersionTooLarge"; });
}

/// One allowed GET, asked in all forms.
class AllowedRead {
 public:
  AllowedRead(const HttpRequest& request, const SelectedObjects& selected, const SendRequest& as_subject,
              const SendRequest& as_administrator, const ReadJudge::Paths& made, bool has_pages)
      : request_(request),
        selected_(selected),
        as_subject_(as_subject),
        as_administrator_(as_administrator),
        made_(made),
        has_pages_(has_pages) {}

  void heard(const Form& form, HttpResponse response) {
    if (is_watch() && has_other_lines(response)) {
      mistakes_.push_back(std::string("a watch sends a line that is no event") + form.words);
    }
    answers_.emplace_back(form, std::move(response));
  }

  [[nodiscard]] Result<void> ask_again(const Waiting& waiting) {
    Result<HttpResponse> answer = as_subject_(request_);
    if (answer && is_watch()) answer = first_events(request_, std::move(*answer), as_subject_, waiting);
    if (!answer) return tl::unexpected<Error>(answer.error());
    if (answer->status == 200) heard(plain, std::move(*answer));
    return {};
  }

  /// An error if the target does not answer in a form, or answers with an error of its own.
  [[nodiscard]] Result<void> ask_in_other_forms(bool watch_lists, const Waiting& waiting) {
    if (is_watch()) {
      if (Result<void> asked = ask_by_another_name(waiting); !asked) return asked;
      if (Result<void> asked = ask_for_history(waiting); !asked) return asked;
      return watch_lists ? ask_for_initial_events(waiting) : Result<void>();
    }
    const bool is_list = selected_.attributes.verb == "list";
    for (const Form& form : {Form{" in a Table", table, false},
                             Form{" as metadata", is_list ? metadata_of_list : metadata_of_object, false},
                             Form{" in protobuf", protobuf, false}}) {
      HttpRequest again = request_;
      again.accept = form.accept;
      if (Result<void> asked = ask_as(form, again); !asked) return asked;
    }
    if (Result<void> asked = ask_for_version(is_list); !asked) return asked;
    const std::size_t objects = answers_.empty() ? 0 : selected_.shown_in(answers_.front().second).size();
    const bool has_parts = objects > 1 || !selected_.attributes.name.empty();
    const bool in_parts = is_list && has_parts && query_parameter(request_.target, "limit").empty();
    return in_parts ? ask_in_pages(std::max<std::size_t>((objects + 1) / 2, 1)) : Result<void>();
  }

  /// Looks at the bookmarks of a watch, too, if `ask` says so; that takes seconds.
  void look_at_bookmarks(std::function<bool()> ask, ReadDuringChanges during_changes) {
    asks_for_bookmarks_ = std::move(ask);
    during_changes_ = std::move(during_changes);
  }
  void look_at_bookmarks_as(const AllowedRead& other) {
    looks_at_bookmarks_ = other.looks_at_bookmarks_;
    during_changes_ = other.during_changes_;
  }

  /// What the administrator sees of it; nothing if that cannot be read.
  [[nodiscard]] std::optional<ObjectsByUid> stored(const ApiResources& resources) const {
    if (!as_administrator_) return ObjectsByUid();
    const bool begins_empty = resources.release().does(Behaviour::watch_of_name_begins_empty);
    if (begins_empty && is_watch() && !selected_.attributes.name.empty() && !is_of_one_object()) return ObjectsByUid();
    const HttpRequest read = is_watch() ? list_of_watch(request_) : request_;
    const std::optional<SelectedObjects> selected = SelectedObjects::of(read, resources);
    const auto answer = as_administrator_(read);
    if (!selected || !answer || answer->status != 200) return std::nullopt;
    std::vector<Object> objects = selected->shown_in(*answer);
    if (selected->attributes.verb != "get") add_missing(objects);
    return by_uid(objects);
  }

  [[nodiscard]] ContentMistakes compare(ObjectsByUid stored) const {
    ReadComparison comparison(selected_, std::move(stored));
    for (const auto& [form, answer] : answers_) {
      if (!form.another_way || comparison.agrees()) comparison.judge(form, answer);
    }
    for (const std::string& mistake : mistakes_) comparison.find(mistake);
    return comparison.take();
  }

  /// Where this is the same for two reads, the other forms of the second prove nothing new: for an object, its kind;
  /// for many, what is selected and shown.
  [[nodiscard]] std::string proof() const {
    const Attributes& attributes = selected_.attributes;
    std::string out = attributes.verb + " " + selected_.resource->group_version + " " + selected_.resource->resource +
                      "/" + attributes.subresource;
    if (attributes.verb == "get") return out;
    out += " " + request_.target;
    for (const Object& object : selected_.shown_in(answers_.front().second)) {
      for (const char* key : {"uid", "resourceVersion"}) out.append(" ").append(text(object, "metadata", key));
    }
    return out;
  }

 private:
  /// A list that leaves out objects does so for the administrator, too: some that it does not show are read by name.
  void add_missing(std::vector<Object>& objects) const {
    constexpr std::size_t most_read = 8;
    std::set<std::string, std::less<>> listed;
    const auto key = [](std::string_view in, std::string_view name) {
      return std::string(in) + "/" + std::string(name);
    };
    for (const Object& object : objects)
      listed.insert(key(text(object, "metadata", "namespace"), text(object, "metadata", "name")));
    std::size_t read = 0;
    for (const std::string& path : made_()) {
      const Attributes one = attributes_of("GET", path);
      const Attributes& all = selected_.attributes;
      const bool is_alike = one.resource == all.resource && one.api_group == all.api_group &&
                            (all.namespace_.empty() || one.namespace_ == all.namespace_) &&
                            (all.name.empty() || one.name == all.name);
      const std::string_view in = selected_.resource->namespaced ? std::string_view(one.namespace_) : "";
      if (!is_alike || listed.contains(key(in, one.name)) || ++read > most_read) continue;
      const Result<HttpResponse> answer = as_administrator_({"GET", path, "", "", false});
      if (!answer || answer->status != 200) continue;
      Object object = Object::parse(answer->body, nullptr, false);
      if (object.is_object() && selected_.contains(object)) objects.push_back(std::move(object));
    }
  }

  /// A name in all namespaces may be that of several objects.
  [[nodiscard]] bool is_of_one_object() const {
    const bool anywhere = selected_.resource->namespaced && selected_.attributes.namespace_.empty();
    return !selected_.attributes.name.empty() && !anywhere;
  }

  [[nodiscard]] bool is_watch() const { return selected_.attributes.verb == "watch"; }

  [[nodiscard]] Result<void> ask_for_initial_events(const Waiting& waiting) {
    const HttpRequest watch = with_initial_events(request_);
    Result<HttpResponse> head = as_subject_(watch);
    if (!head || head->status != 200) return not_shown(watch_list, watch, head);
    Result<HttpResponse> events = first_events(watch, std::move(*head), as_subject_, waiting);
    if (!events) return tl::unexpected<Error>(events.error());
    if (!cut_after_initial_events(*events)) mistakes_.emplace_back("the initial events of a watch have no end");
    heard(watch_list, std::move(*events));
    return {};
  }

  /// A watch below /watch is of the object in its path: every release refuses a selector of another name there.
  [[nodiscard]] Result<void> ask_by_another_name(const Waiting& waiting) {
    if (!is_watch_by_path(request_, selected_.attributes)) return {};
    HttpRequest other = request_;
    other.target =
        with_parameter(other.target, "fieldSelector=metadata.name%3D" + selected_.attributes.name + "-other");
    Result<HttpResponse> head = as_subject_(other);
    if (!head || head->status != 200) return answered(other, head);
    mistakes_.emplace_back("a watch of one object takes the name of another in its fieldSelector");
    Result<HttpResponse> events = first_events(other, std::move(*head), as_subject_, waiting);
    if (events) heard(of_another, std::move(*events));
    return {};
  }

  /// Reads that name a version take other ways through a server than those that do not: its watch cache and snapshots.
  [[nodiscard]] Result<void> ask_for_version(bool is_list) {
    if (answers_.empty() || !query_parameter(request_.target, "resourceVersion").empty()) return {};
    const Object answer = Object::parse(answers_.front().second.body, nullptr, false);
    const std::string version(text(answer, "metadata", "resourceVersion"));
    if (version.empty()) return {};
    HttpRequest again = request_;
    again.target = with_parameter(request_.target, "resourceVersion=" + version);
    Result<HttpResponse> cached = as_subject_(again);
    if (cached && is_ahead_of_cache(*cached)) {
      // What the cache does have comes from the same place, and a leak of it shows as well.
      HttpRequest any = request_;
      any.target = with_parameter(request_.target, "resourceVersion=0");
      if (Result<void> asked = ask_as(from_cache, any); !asked) return asked;
    } else if (!cached || cached->status != 200) {
      if (Result<void> asked = not_shown(not_older, again, cached); !asked) return asked;
    } else {
      heard(not_older, std::move(*cached));
    }
    if (!is_list) return {};
    again.target = with_parameter(again.target, "resourceVersionMatch=Exact");
    return ask_as(at_version, again);
  }

  /// A watch from an earlier version tells the later changes one by one, each as it was selected then.
  [[nodiscard]] Result<void> ask_for_history(const Waiting& waiting) {
    if (answers_.empty() || !query_parameter(request_.target, "resourceVersion").empty()) return {};
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;
    for (const Object& object : selected_.shown_in(answers_.front().second)) {
      const std::string_view version = text(object, "metadata", "resourceVersion");
      std::uint64_t number = 0;
      const auto [end, problem] = std::from_chars(version.data(), version.data() + version.size(), number);
      if (problem != std::errc() || number <= 1) continue;
      first = std::min(first, number);
      last = std::max(last, number);
    }
    if (first == std::numeric_limits<std::uint64_t>::max()) return {};
    const bool is_long = last - first > longest_history;
    if (is_long) first = last - longest_history;
    const Form& form = is_long ? lately : since_version;
    HttpRequest watch = request_;
    watch.target = with_parameter(watch.target, "resourceVersion=" + std::to_string(first - 1));
    if (asks_for_bookmarks_ && asks_for_bookmarks_()) looks_at_bookmarks_ = true;
    // On kube-apiserver the first bookmark comes two seconds before the watch ends.
    if (looks_at_bookmarks_) watch.target = with_parameter(watch.target, "allowWatchBookmarks=true");
    Result<HttpResponse> head = as_subject_(watch);
    if (!head || head->status != 200) return not_shown(form, watch, head);
    const auto read = [&] {
      return first_events(watch, std::move(*head), as_subject_, looks_at_bookmarks_ ? Waiting::patiently : waiting);
    };
    const bool with_changes = looks_at_bookmarks_ && during_changes_;
    Result<HttpResponse> events = with_changes ? during_changes_(watch, read) : read();
    // Asked once in a run: where it fails twice, nobody asks again.
    if (!events && looks_at_bookmarks_ && events.error().connection == Error::Connection::closed) {
      mistakes_.emplace_back("a watch with bookmarks breaks off");
      return {};
    }
    if (!events) return tl::unexpected<Error>(events.error());
    if (HttpResponse until_end = *events; looks_at_bookmarks_ && cut_after_initial_events(until_end))
      mistakes_.emplace_back("a bookmark of a watch ends initial events that were not asked for");
    if (!tells_error(*events)) heard(form, std::move(*events));
    return {};
  }

  /// Two pages, and more should objects have been added meanwhile.
  [[nodiscard]] Result<void> ask_in_pages(std::size_t limit) {
    constexpr int most_pages = 20;
    Object items = Object::array();
    const HttpRequest first = [&] {
      HttpRequest out = request_;
      out.target = with_parameter(out.target, "limit=" + std::to_string(limit));
      return out;
    }();
    std::string next;
    for (int page = 0; page < most_pages; ++page) {
      HttpRequest request = first;
      if (!next.empty()) request.target = with_parameter(request.target, "continue=" + percent_encoded(next));
      const Result<HttpResponse> response = as_subject_(request);
      if (!response || response->status != 200) return not_shown(pages, request, response);
      const Object body = Object::parse(response->body, nullptr, false);
      for (const Object& item : member(body, "items")) items.push_back(item);
      next = text(body, "metadata", "continue");
      if (has_pages_ && member(body, "items").size() > limit)
        mistakes_.emplace_back("a page of a list holds more than its limit");
      if (!next.empty() && is_of_one_object()) mistakes_.emplace_back("a list of one object says that there are more");
      if (!next.empty()) continue;
      Object whole = {{"kind", "List"}, {"items", std::move(items)}};
      heard(pages, HttpResponse{200, "application/json", whole.dump(), {}});
      return {};
    }
    mistakes_.emplace_back("the pages of a list have no end");
    return {};
  }

  [[nodiscard]] Result<void> ask_as(const Form& form, const HttpRequest& request) {
    Result<HttpResponse> answer = as_subject_(request);
    if (!answer || answer->status != 200) return not_shown(form, request, answer);
    heard(form, std::move(*answer));
    return {};
  }

  /// An error if the target did not answer, or with an error of its own.
  [[nodiscard]] static Result<void> answered(const HttpRequest& request, const Result<HttpResponse>& answer) {
    if (!answer) return tl::unexpected<Error>(answer.error());
    if (answer->status != 429 && answer->status < 500) return {};
    return unreachable_error(request.target, "HTTP " + std::to_string(answer->status));
  }

  /// What an answer other than 200 means: the object may be gone, or a version forgotten.
  [[nodiscard]] Result<void> not_shown(const Form& form, const HttpRequest& request,
                                       const Result<HttpResponse>& answer) {
    if (answer && form.another_way && is_ahead_of_cache(*answer)) return {};
    if (Result<void> done = answered(request, answer); !done) return done;
    if (answer->status == 404 || answer->status == 410) return {};
    mistakes_.push_back("the same read is answered with HTTP " + std::to_string(answer->status) + form.words);
    return {};
  }

  const HttpRequest& request_;
  const SelectedObjects& selected_;
  const SendRequest& as_subject_;
  const SendRequest& as_administrator_;
  const ReadJudge::Paths& made_;
  std::vector<std::pair<Form, HttpResponse>> answers_;
  bool has_pages_;
  std::function<bool()> asks_for_bookmarks_;
  ReadDuringChanges during_changes_;
  bool looks_at_bookmarks_ = false;
  std::vector<std::string> mistakes_;
};

}  // namespace

Result<ContentMistakes> ReadJudge::mistakes(const HttpRequest& request, HttpResponse response,
                                            const SendRequest& as_subject) {
  const std::optional<SelectedObjects> selected = SelectedObjects::of(request, resources_);
  if (!selected) return ContentMistakes();
  if (selected->attributes.verb == "watch") {
    Result<HttpResponse> events = first_events(request, std::move(response), as_subject, Waiting::briefly);
    if (!events) return tl::unexpected<Error>(events.error());
    response = std::move(*events);
  }
  const bool has_pages = resources_.release().is_on("APIListChunking");
  AllowedRead read(request, *selected, as_subject, as_administrator_, made_, has_pages);
  if (watch_lists_) read.look_at_bookmarks(looks_at_bookmarks_, during_changes_);
  read.heard(plain, std::move(response));
  ContentMistakes leaks = read.compare({});
  if (!leaks.leaked.empty()) return leaks;
  const std::string proof = read.proof();
  const bool all_forms = !judged_.contains(proof);
  if (all_forms) {
    if (Result<void> asked = read.ask_in_other_forms(watch_lists_, Waiting::briefly); !asked)
      return tl::unexpected<Error>(asked.error());
  }
  const std::optional<ObjectsByUid> stored = read.stored(resources_);
  ContentMistakes mistakes = read.compare(stored.value_or(ObjectsByUid()));
  if (mistakes.empty()) {
    judged_.insert(proof);
    return mistakes;
  }
  if (!as_administrator_ || !mistakes.leaked.empty()) return mistakes;
  // Somebody may have changed something meanwhile: only what is the same before and after counts.
  const std::optional<ObjectsByUid> before = read.stored(resources_);
  AllowedRead again(request, *selected, as_subject, as_administrator_, made_, has_pages);
  again.look_at_bookmarks_as(read);
  if (Result<void> asked = again.ask_again(Waiting::patiently); !asked) return tl::unexpected<Error>(asked.error());
  if (all_forms) {
    if (Result<void> asked = again.ask_in_other_forms(watch_lists_, Waiting::patiently); !asked)
      return tl::unexpected<Error>(asked.error());
  }
  const std::optional<ObjectsByUid> after = again.stored(resources_);
  if (!before || !after) return ContentMistakes();
  return again.compare(unchanged(*before, *after));
}

}  // namespace nodebound
