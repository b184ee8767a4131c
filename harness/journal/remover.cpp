#include "harness/journal/remover.h"

#include <algorithm>
#include <chrono>

#include "harness/journal/stored_path.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::journal {
namespace {

constexpr std::chrono::milliseconds first_pause{25};
constexpr std::chrono::milliseconds longest_pause{3200};
constexpr std::chrono::milliseconds arrival_pause{250};

Object parsed(const HttpResponse& response) {
  Object body = Object::parse(response.body, nullptr, false);
  return body.is_object() ? std::move(body) : Object::object();
}

HttpRequest json_request(const char* method, const std::string& path, const Object& body,
                         const char* content_type = "application/json") {
  HttpRequest request{method, path, content_type, body.dump()};
  request.accept = "application/json";
  return request;
}

std::vector<std::string> finalizers_of(const Object& object) {
  std::vector<std::string> out;
  for (const Object& each : member(object, "metadata", "finalizers")) {
    if (each.is_string()) out.push_back(each.get<std::string>());
  }
  return out;
}

std::string said(const HttpResponse& response) {
  const std::string message(text(parsed(response), "message"));
  return message.empty() ? "HTTP " + std::to_string(response.status) : message;
}

// The text if it looks like a time, otherwise empty, because it is printed.
std::string time_of(std::string_view text) {
  const bool fits = text.size() < 40 && text.find_first_not_of("0123456789-+:.TZ") == std::string_view::npos;
  return fits ? std::string(text) : std::string();
}

// kube-apiserver adds these finalizers to new objects, whether or not a controller exists that removes them.
bool is_of_admission(const std::string& path, const std::string& finalizer) {
  return (path.find("/persistentvolumes/") != std::string::npos && finalizer == "kubernetes.io/pv-protection") ||
         (path.find("/persistentvolumeclaims/") != std::string::npos && finalizer == "kubernetes.io/pvc-protection");
}

}  // namespace

bool says_gone(const HttpResponse& response) {
  const Object body = parsed(response);
  const Object& grace = member(body, "metadata", "deletionGracePeriodSeconds");
  return finalizers_of(body).empty() && (!grace.is_number_integer() || grace == 0);
}

std::string run_of(const Object& object) {
  const Object& labels = member(object, "metadata", "labels");
  if (!labels.is_object()) return {};
  const auto found = labels.find(std::string(run_label));
  return found != labels.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool Remover::is_own(const std::string& path, const std::string& finalizer) const {
  return options_.exclusive || options_.is_own_finalizer(finalizer) || is_of_admission(path, finalizer);
}

Removing::Seen Remover::look(const std::string& path, bool may_arrive) {
  Removing::Seen seen;
  seen.may_arrive = may_arrive;
  HttpRequest request{"GET", path, "", ""};
  request.accept = "application/json";
  const Result<HttpResponse> response = session_.send(administrator_, request);
  // A resource that is not served, or that has no GET for one object, stores nothing.
  const bool absent = response && (response->status == 404 || response->status == 405);
  if (absent) return seen;
  object_ = response && response->status == 200 ? parsed(*response) : Object::object();
  const std::string uid(text(object_, "metadata", "uid"));
  if (uid.empty()) {
    seen.answered = false;
    seen.silent = !response;
    problem_ = response ? said(*response) : response.error().text();
    return seen;
  }
  seen.there = true;
  seen.same_uid = uid_ == uid;
  uid_ = uid;
  seen.labelled = options_.exclusive || run_of(object_) == options_.run;
  seen.being_deleted = !text(object_, "metadata", "deletionTimestamp").empty();
  const std::vector<std::string> finalizers = finalizers_of(object_);
  seen.held = !finalizers.empty();
  seen.held_by_own =
      std::any_of(finalizers.begin(), finalizers.end(), [&](const std::string& each) { return is_own(path, each); });
  return seen;
}

Removing::Answer Remover::erase(const std::string& path) {
  const Object options = {
      {"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"gracePeriodSeconds", 0}, {"preconditions", {{"uid", uid_}}}};
  const Result<HttpResponse> response = session_.send(administrator_, json_request("DELETE", path, options));
  if (!response) {
    problem_ = response.error().text();
    return Removing::Answer::none;
  }
  if (response->status == 404) return Removing::Answer::gone;
  if (response->status < 300) {
    return is_namespace_path(path) || says_gone(*response) ? Removing::Answer::gone : Removing::Answer::held;
  }
  problem_ = said(*response);
  if (response->status == 409) return Removing::Answer::conflict;
  const bool may_pass = response->status == 429 || response->status >= 500;
  return may_pass ? Removing::Answer::unclear : Removing::Answer::refused;
}

// The patch applies only to the very object that was read, in the same version.
void Remover::release(const std::string& path) {
  Object kept = Object::array();
  for (const std::string& each : finalizers_of(object_)) {
    if (!is_own(path, each)) kept.push_back(each);
  }
  const Object patch = {{"metadata",
                         {{"uid", uid_},
                          {"resourceVersion", text(object_, "metadata", "resourceVersion")},
                          {"finalizers", kept.empty() ? Object() : kept}}}};
  const auto response =
      session_.send(administrator_, json_request("PATCH", path, patch, "application/merge-patch+json"));
  if (!response) {
    problem_ = response.error().text();
  } else if (response->status >= 300) {
    problem_ = said(*response);
  }
}

Removing::Outcome Remover::remove(const LedgerEntry& entry, bool sure, const std::function<bool()>& may_arrive) {
  problem_.clear();
  uid_ = entry.uid;
  const Removing::Known known{!uid_.empty(), sure, entry.manner, entry.marked, is_namespace_path(entry.path)};
  Removing removing(known);
  auto pause = first_pause;
  for (;;) {
    switch (removing.step()) {
      case Removing::Step::look:
        if (!removing.knows_uid()) uid_.clear();
        removing.looked(look(entry.path, may_arrive()));
        break;
      case Removing::Step::erase:
        removing.erased(erase(entry.path), may_arrive());
        break;
      case Removing::Step::release:
        release(entry.path);
        removing.released();
        break;
      case Removing::Step::wait:
        options_.pause(removing.knows_uid() ? pause : arrival_pause);
        pause = std::min(pause * 2, longest_pause);
        removing.waited();
        break;
      case Removing::Step::done:
        return removing.outcome();
    }
  }
}

Error Remover::why_left(const LedgerEntry& entry, Removing::Outcome outcome) const {
  Error error{Error::Kind::unreachable, entry.path, "", ""};
  switch (outcome) {
    case Removing::Outcome::gone:
      break;
    case Removing::Outcome::not_ours:
      error.what = "not touched: it does not carry the label of this run";
      break;
    case Removing::Outcome::unmarked:
      error.what = "not deleted: it no longer carries the label " + std::string(run_label) + "=" + options_.run;
      error.hint = "delete it by hand if it is not needed";
      break;
    case Removing::Outcome::uncertain:
      error.what = "not deleted: the run ended while it wrote this, so it may be an object of others that was changed";
      error.hint = "look at it, and delete it by hand if it is not needed";
      break;
    case Removing::Outcome::held: {
      std::string names;
      for (const std::string& each : finalizers_of(object_)) names += (names.empty() ? "" : ", ") + each;
      error.what = "is being deleted, but finalizers of others hold it: " + names;
      error.hint = "see to it that who put them there takes them away, then run `nodebound clean`";
      break;
    }
    case Removing::Outcome::refused:
    case Removing::Outcome::no_answer:
      error.what = "cannot be deleted: " + (problem_.empty() ? "the server gives no clear answer" : problem_);
      break;
  }
  return error;
}

Result<std::vector<Labelled>> Remover::labelled(const std::string& collection) {
  constexpr int most_pages = 1000;
  std::vector<Labelled> out;
  std::string next;
  for (int page = 0; page < most_pages; ++page) {
    std::string target = collection + "?limit=500&labelSelector=" +
                         percent_encoded(std::string(run_label) + (options_.run.empty() ? "" : "=" + options_.run));
    if (!next.empty()) target += "&continue=" + percent_encoded(next);
    HttpRequest request{"GET", target, "", ""};
    request.accept = "application/json";
    const Result<HttpResponse> response = session_.send(administrator_, request);
    if (!response) return tl::unexpected<Error>(response.error());
    if (response->status == 404 || response->status == 405) return out;
    if (response->status != 200) return unreachable_error(collection, "cannot be listed: " + said(*response));
    const Object list = parsed(*response);
    for (const Object& item : member(list, "items")) {
      // The server may return objects that were not asked for.
      const std::string run = run_of(item);
      if (!is_run_id(run) || (!options_.run.empty() && run != options_.run)) continue;
      std::string within = collection;
      const std::string namespace_(text(item, "metadata", "namespace"));
      const bool across = collection.find("/namespaces/") == std::string::npos && !namespace_.empty();
      if (across) within.insert(within.rfind('/'), "/namespaces/" + namespace_);
      Labelled found;
      found.entry.path = stored_path(within, text(item, "metadata", "name"));
      found.entry.uid = text(item, "metadata", "uid");
      found.run = run;
      found.created = time_of(text(item, "metadata", "creationTimestamp"));
      found.being_deleted = !text(item, "metadata", "deletionTimestamp").empty();
      if (!found.entry.path.empty() && is_uid(found.entry.uid)) out.push_back(std::move(found));
    }
    next = text(list, "metadata", "continue");
    if (next.empty()) return out;
  }
  return unreachable_error(collection, "has more pages than a cluster's list");
}

}  // namespace nodebound::journal
