#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"

namespace nodebound::apiserver {

/// `/openapi/v2`, `/openapi/v3` and the documents that it links to. Each is made when it is first asked for.
/// Thread-safe.
class OpenApiDocuments {
 public:
  explicit OpenApiDocuments(std::shared_ptr<const ApiResources> resources);
  ~OpenApiDocuments();

  OpenApiDocuments(const OpenApiDocuments&) = delete;
  OpenApiDocuments& operator=(const OpenApiDocuments&) = delete;

  /// The answer at a path; nothing if there is no such document.
  std::optional<HttpResponse> answer(const HttpRequest& request, std::string_view path);

 private:
  struct Document;

  Document& v2();
  /// Null if nothing is served below that path, such as `apis/apps/v1`.
  Document* v3(std::string_view path);
  HttpResponse v3_index();

  const std::shared_ptr<const ApiResources> resources_;
  std::mutex mutex_;
  std::unique_ptr<Document> v2_;
  std::map<std::string, std::unique_ptr<Document>, std::less<>> v3_;  ///< by path
};

}  // namespace nodebound::apiserver
