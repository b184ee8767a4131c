#include "harness/explore/compared_items.h"

#include "harness/contents/watch_events.h"
#include "harness/explore/compared_answers.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::explore {
namespace {

// Ages differ with the time at which a server was asked.
bool tells_time(const Object& column) {
  const std::string_view name = text(column, "name");
  return name == "Age" || name == "Last Seen" || name == "First Seen";
}

std::map<std::string, std::string> rows_of(const Object& table, const DrawnRequest& request,
                                           const std::string& resource) {
  std::map<std::string, std::string> out;
  const Object& columns = member(table, "columnDefinitions");
  for (const Object& row : member(table, "rows")) {
    Object cells = member(row, "cells");
    for (std::size_t at = 0; at < cells.size() && at < columns.size(); ++at) {
      if (tells_time(columns[at])) cells[at] = "{time}";
    }
    const Object& object = member(row, "object");
    out.emplace(object_key(resource, object), cells.dump() + " " + comparable_object(object, request));
  }
  return out;
}

bool is_watch(const DrawnRequest& request) {
  return request.method == "GET" && attributes_of(request.method, request.target).verb == "watch";
}

}  // namespace

std::map<std::string, std::string> items_of(const HttpResponse& response, const Object& body,
                                            const DrawnRequest& request) {
  std::map<std::string, std::string> out;
  // Other objects may stand before them, so a page need not hold the same ones.
  const bool is_page = !query_parameter(request.target, "limit").empty();
  const std::string resource = attributes_of(request.method, request.target).resource;
  if (text(body, "kind") == "Table" && !is_page) return rows_of(body, request, resource);
  if (response.status != 200 || is_page || !text(body, "kind").ends_with("List")) return out;
  for (const Object& item : member(body, "items")) {
    out.emplace(object_key(resource, item), comparable_object(item, request));
  }
  return out;
}

bool begins_with_objects(const DrawnRequest& request) {
  const std::string version = query_parameter(request.target, "resourceVersion");
  return is_watch(request) && (version.empty() || version == "0");
}

FirstEvents first_events_of(const HttpResponse& response, const DrawnRequest& request) {
  const std::string resource = attributes_of(request.method, request.target).resource;
  FirstEvents out;
  for (const Object& event : events_in(response.body)) {
    const Object& object = member(event, "object");
    const std::string_view type = text(event, "type");
    if (type == "ERROR") out.error = text(object, "message");
    const bool ends_beginning = text(object, "metadata", "annotations", "k8s.io/initial-events-end") == "true";
    if (type == "BOOKMARK" && ends_beginning) out.bookmark = comparable_object(object, request);
    if (type != "ADDED") continue;
    if (text(object, "kind") == "Table") {
      out.objects.merge(rows_of(object, request, resource));
    } else {
      out.objects.emplace(object_key(resource, object), comparable_object(object, request));
    }
  }
  return out;
}

}  // namespace nodebound::explore
