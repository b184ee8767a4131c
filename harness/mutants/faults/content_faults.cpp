#include "harness/mutants/faults/content_faults.h"

#include <array>
#include <utility>

#include "fakes/wire/requests.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"

namespace nodebound::mutants {
namespace {

using enum ContentFault;

constexpr std::array<ContentFaultWords, 22> content_fault_words = {{
    {name_dropped_in_watch, "name-dropped-in-watch", "a watch of one object below /watch shows all objects"},
    {field_selector_dropped, "field-selector-dropped", "a field selector is authorized, and then not applied"},
    {label_selector_dropped, "label-selector-dropped", "a label selector is not applied"},
    {namespace_dropped, "namespace-dropped", "a list or watch of one namespace shows all namespaces"},
    {selectors_dropped_in_table, "selectors-dropped-in-table", "selectors are not applied to a Table"},
    {selectors_dropped_in_metadata, "selectors-dropped-in-metadata", "selectors are not applied to a list of metadata"},
    {selectors_dropped_in_protobuf, "selectors-dropped-in-protobuf", "selectors are not applied to a list in protobuf"},
    {namespace_dropped_in_continue, "namespace-dropped-in-continue", "the next pages of a list show all namespaces"},
    {other_object_shown, "other-object-shown", "another object of the same kind is shown"},
    {object_left_out, "object-left-out", "the last object of a list is left out"},
    {last_page_left_out, "last-page-left-out", "a list in pages ends with its first page"},
    {event_left_out, "event-left-out", "the last object is missing from the events with which a watch begins"},
    {initial_event_left_out, "initial-event-left-out",
     "the last object is missing from the events with which a watch with sendInitialEvents begins"},
    {initial_events_unended, "initial-events-unended", "no bookmark follows the initial events of a watch"},
    {earlier_version_shown, "earlier-version-shown", "an object is shown as it was before the last write"},
    {dry_run_stored, "dry-run-stored", "a dry run is stored"},
    {refused_write_stored, "refused-write-stored", "a write is stored although it is refused"},
    {allowed_write_not_stored, "allowed-write-not-stored", "a write is answered as usual, and not stored"},
    {delete_not_stored, "delete-not-stored", "a delete is answered as usual, and deletes nothing"},
    {labels_not_stored, "labels-not-stored", "the labels of a write are not stored"},
    {status_write_changes_rest, "status-write-changes-rest", "a write of the status changes the rest, too"},
    {write_changes_status, "write-changes-status", "a write beside the status changes the status, too"},
}};

std::string without_namespace(std::string target, const Attributes& attributes) {
  const std::string part = "/namespaces/" + percent_encoded(attributes.namespace_);
  const std::size_t at = target.find(part + "/");
  return at == std::string::npos ? target : target.erase(at, part.size());
}

/// The path of a subresource or object without its last segment, which is `name`; the query stays.
std::string without_last_segment(std::string target, const std::string& name) {
  const std::size_t end = std::min(target.find('?'), target.size());
  const std::string segment = "/" + percent_encoded(name);
  if (!std::string_view(target).substr(0, end).ends_with(segment)) return target;
  return target.erase(end - segment.size(), segment.size());
}

class FaultySession final : public Session {
 public:
  FaultySession(ContentFault fault, std::unique_ptr<Session> own, const Subject& administrator)
      : fault_(fault), own_(std::move(own)), administrator_(administrator) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    const Attributes attributes = attributes_of(request.method, request.target);
    if (subject.name == administrator_.name || !attributes.resource_request) return own_->send(subject, request);
    if (fault_ == allowed_write_not_stored || fault_ == delete_not_stored) return unstored(subject, request);
    if (fault_ == earlier_version_shown && attributes.verb == "get") {
      HttpRequest earlier = request;
      earlier.server_fault.behind = 1;
      return own_->send(subject, earlier);
    }
    Result<HttpResponse> response = own_->send(subject, request);
    if (!response) return response;
    const bool allowed = response->status < 300;
    if (is_write(request)) {
      if (allowed || response->status == 403) store_more(request, attributes, *response);
      return response;
    }
    if (!allowed) return response;
    return shown(request, attributes, std::move(*response));
  }

 private:
  Result<HttpResponse> unstored(const Subject& subject, const HttpRequest& request) {
    const bool concerned = is_write(request) && (fault_ != delete_not_stored || request.method == "DELETE");
    if (!concerned || is_dry_run(request)) return own_->send(subject, request);
    HttpRequest dry = request;
    dry.target = with_parameter(dry.target, "dryRun=All");
    if (request.method == "DELETE") {
      Object options = Object::parse(dry.body, nullptr, false);
      if (options.is_object()) options["dryRun"] = {"All"};
      dry.body = options.dump();
    }
    return own_->send(subject, dry);
  }

  /// What the administrator stores although it was refused, a dry run, or not asked for.
  void store_more(const HttpRequest& request, const Attributes& attributes, const HttpResponse& response) {
    HttpRequest more = request;
    const bool allowed = response.status < 300;
    const bool has_object = request.method == "PUT" || request.method == "PATCH";
    if ((fault_ == dry_run_stored && allowed && is_dry_run(request)) || (fault_ == refused_write_stored && !allowed)) {
      more.target = without_parameter(more.target, "dryRun");
      Object options = Object::parse(more.body, nullptr, false);
      if (options.is_object() && options.erase("dryRun") > 0) more.body = options.dump();
    } else if (!allowed || is_dry_run(request)) {
      return;
    } else if (fault_ == status_write_changes_rest && has_object && attributes.subresource == "status") {
      more = change_of(without_last_segment(without_query(request.target), "status"),
                       {{"spec", {{"unschedulable", true}}}});
    } else if (fault_ == write_changes_status && has_object && attributes.subresource.empty()) {
      more = change_of(without_query(request.target) + "/status", {{"status", {{"phase", "Running"}}}});
    } else if (fault_ == labels_not_stored && has_object && attributes.subresource.empty()) {
      more = change_of(without_query(request.target), {{"metadata", {{"labels", nullptr}}}});
    } else {
      return;
    }
    (void)own_->send(administrator_, more);
  }

  static std::string without_query(const std::string& target) { return target.substr(0, target.find('?')); }

  static HttpRequest change_of(const std::string& target, const Object& change) {
    return {"PATCH", target, "application/merge-patch+json", change.dump()};
  }

  Result<HttpResponse> shown(const HttpRequest& request, const Attributes& attributes, HttpResponse response) {
    if (fault_ == object_left_out || fault_ == last_page_left_out) return shortened(request, std::move(response));
    if (attributes.verb == "watch") response = with_fewer_events(request, std::move(response));
    const HttpRequest other = asked_instead(request, attributes);
    if (other.target == request.target) return response;
    Result<HttpResponse> changed = own_->send(administrator_, other);
    return changed && changed->status == 200 ? std::move(changed) : std::move(response);
  }

  HttpRequest asked_instead(const HttpRequest& request, const Attributes& attributes) {
    HttpRequest other = request;
    std::string& target = other.target;
    const bool is_collection = attributes.verb == "list" || attributes.verb == "watch";
    const auto in_form = [&](ContentFault fault, std::string_view form) {
      return fault_ == fault && request.accept.find(form) != std::string::npos;
    };
    if (fault_ == name_dropped_in_watch && target.find("/watch/") != std::string::npos) {
      target = without_last_segment(target, attributes.name);
    } else if (fault_ == other_object_shown && attributes.verb == "get" && attributes.subresource.empty()) {
      target = another_object(target, attributes);
    } else if (!is_collection) {
      return other;
    } else if (fault_ == field_selector_dropped) {
      target = without_parameter(target, "fieldSelector");
    } else if (fault_ == label_selector_dropped) {
      target = without_parameter(target, "labelSelector");
    } else if (fault_ == namespace_dropped ||
               (fault_ == namespace_dropped_in_continue && !query_parameter(target, "continue").empty())) {
      target = without_namespace(target, attributes);
      target = without_parameter(without_parameter(target, "continue"), "limit");
    } else if (in_form(selectors_dropped_in_table, "as=Table;") ||
               in_form(selectors_dropped_in_metadata, "as=PartialObjectMetadata") ||
               in_form(selectors_dropped_in_protobuf, "protobuf")) {
      target = without_parameter(without_parameter(target, "fieldSelector"), "labelSelector");
    }
    return other;
  }

  /// The path of another object beside this one; the same path if there is none.
  std::string another_object(const std::string& target, const Attributes& attributes) {
    const std::string collection = without_last_segment(without_query(target), attributes.name);
    const Result<HttpResponse> list = own_->send(administrator_, {"GET", collection, "", ""});
    if (!list) return target;
    const Object body = Object::parse(list->body, nullptr, false);
    for (const Object& item : member(body, "items")) {
      const std::string_view name = text(item, "metadata", "name");
      if (name != attributes.name) return collection + "/" + percent_encoded(name);
    }
    return target;
  }

  HttpResponse shortened(const HttpRequest& request, HttpResponse response) const {
    Object body = Object::parse(response.body, nullptr, false);
    if (fault_ == object_left_out && member(body, "items").is_array() && !body["items"].empty()) {
      body["items"].erase(body["items"].size() - 1);
      response.body = body.dump();
    } else if (fault_ == last_page_left_out && !query_parameter(request.target, "limit").empty() && body.is_object()) {
      body["metadata"].erase("continue");
      response.body = body.dump();
    }
    return response;
  }

  [[nodiscard]] HttpResponse with_fewer_events(const HttpRequest& request, HttpResponse response) const {
    const bool is_list = query_parameter(request.target, "sendInitialEvents") == "true";
    const bool concerned =
        fault_ == (is_list ? initial_event_left_out : event_left_out) || (is_list && fault_ == initial_events_unended);
    if (!concerned || response.stream == nullptr) return response;
    response.stream->take(response.body);
    const std::string type = fault_ == initial_events_unended ? R"("type":"BOOKMARK")" : R"("type":"ADDED")";
    const std::size_t at = response.body.rfind(type);
    if (at == std::string::npos) return response;
    const std::size_t before = response.body.rfind('\n', at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    response.body.erase(begin, response.body.find('\n', at) + 1 - begin);
    return response;
  }

  ContentFault fault_;
  std::unique_ptr<Session> own_;
  const Subject& administrator_;
};

class FaultyEndpoint final : public Endpoint {
 public:
  FaultyEndpoint(ContentFault fault, std::unique_ptr<Endpoint> own) : fault_(fault), own_(std::move(own)) {}

  [[nodiscard]] std::string name() const override { return own_->name(); }
  [[nodiscard]] const Observation& observed() const override { return own_->observed(); }
  [[nodiscard]] const Subject& administrator() const override { return own_->administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return own_->decides_on_latest_state(); }
  [[nodiscard]] bool disposable() const override { return own_->disposable(); }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<FaultySession>(fault_, own_->open_session(), own_->administrator());
  }

 private:
  ContentFault fault_;
  std::unique_ptr<Endpoint> own_;
};

}  // namespace

std::span<const ContentFaultWords> content_faults() {
  return content_fault_words;
}

std::unique_ptr<Endpoint> with_fault(ContentFault fault, std::unique_ptr<Endpoint> endpoint) {
  return std::make_unique<FaultyEndpoint>(fault, std::move(endpoint));
}

}  // namespace nodebound::mutants
