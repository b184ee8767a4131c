#include "fakes/apiserver/openapi/documents.h"

#include <array>
#include <openssl/evp.h>
#include <span>
#include <zlib.h>

#include "fakes/apiserver/openapi/operations.h"
#include "fakes/apiserver/openapi/schemas.h"
#include "fakes/apiserver/openapi/v2_message.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/status.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::apiserver {

struct OpenApiDocuments::Document {
  std::string json;
  std::string protobuf = {};  ///< empty if it is not served as protobuf
  std::string etag = {};
  std::map<std::string, std::string> gzipped = {};  ///< by media type; made when first asked for
};

namespace {

// kube-openapi's computeETag.
std::string etag_of(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha512(), nullptr);
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const unsigned char byte : std::span(digest).first(size)) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

Object info(const Version& version) {
  return {{"title", "Kubernetes"}, {"version", version.minor_text()}};
}

// `api/v1` or `apis/apps/v1`
std::string path_of_version(const std::string& group_version) {
  return (group_version.find('/') == std::string::npos ? "api/" : "apis/") + group_version;
}

constexpr std::string_view json_type = "application/json";
constexpr std::string_view protobuf_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr std::array<std::string_view, 2> protobuf_subtypes = {"com.github.proto-openapi.spec.v2.v1.0+protobuf",
                                                               "com.github.proto-openapi.spec.v2@v1.0+protobuf"};

bool is_protobuf(std::string_view subtype) {
  return subtype == protobuf_subtypes[0] || subtype == protobuf_subtypes[1];
}

/// In which media type a client wants a document; empty if in none of those that are served.
std::string_view media_type_for(std::string_view accept, bool has_protobuf) {
  for (const AcceptClause& clause : accepted(accept)) {
    if (clause.type != "application" && clause.type != "*") continue;
    if (clause.subtype == "json" || clause.subtype == "*") return json_type;
    if (has_protobuf && is_protobuf(clause.subtype)) return protobuf_type;
  }
  return {};
}

HttpResponse without_body(int status) {
  HttpResponse out;
  out.status = status;
  return out;
}

std::string header_of(const HttpRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string() : found->second;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(whole ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

std::string versioned_url(std::string_view path, const std::string& etag) {
  return "/openapi/v3/" + std::string(path) + "?hash=" + etag;
}

}  // namespace

OpenApiDocuments::OpenApiDocuments(std::shared_ptr<const ApiResources> resources) : resources_(std::move(resources)) {}

OpenApiDocuments::~OpenApiDocuments() = default;

OpenApiDocuments::Document& OpenApiDocuments::v2() {
  if (v2_) return *v2_;
  Schemas schemas(OpenApiVersion::v2, resources_->release());
  Object paths = Object::object();
  for (const ApiResource& resource : resources_->all()) add_paths(resource, OpenApiVersion::v2, schemas, paths);
  const Object document = {{"swagger", "2.0"},
                           {"info", info(resources_->release().version)},
                           {"paths", std::move(paths)},
                           {"definitions", schemas.all()}};
  v2_ = std::make_unique<Document>(Document{document.dump(), v2_message_of(document)});
  v2_->etag = etag_of(v2_->json);
  return *v2_;
}

OpenApiDocuments::Document* OpenApiDocuments::v3(std::string_view path) {
  if (const auto found = v3_.find(path); found != v3_.end()) return found->second.get();
  Schemas schemas(OpenApiVersion::v3, resources_->release());
  Object paths = Object::object();
  for (const ApiResource& resource : resources_->all()) {
    if (path_of_version(resource.group_version) == path) {
      add_paths(resource, OpenApiVersion::v3, schemas, paths);
    }
  }
  if (paths.empty()) return nullptr;
  const Object document = {{"openapi", "3.0.0"},
                           {"info", info(resources_->release().version)},
                           {"paths", std::move(paths)},
                           {"components", {{"schemas", schemas.all()}}}};
  auto made = std::make_unique<Document>(Document{document.dump()});
  made->etag = etag_of(made->json);
  return v3_.emplace(path, std::move(made)).first->second.get();
}

HttpResponse OpenApiDocuments::v3_index() {
  Object paths = Object::object();
  for (const std::string& group_version : resources_->group_versions()) {
    const std::string path = path_of_version(group_version);
    if (const Document* const document = v3(path)) {
      paths[path] = {{"serverRelativeURL", versioned_url(path, document->etag)}};
    }
  }
  HttpResponse out = object_response(200, {{"paths", std::move(paths)}});
  // The aggregator names no media type, so net/http guesses.
  out.content_type = "text/plain; charset=utf-8";
  return out;
}

std::optional<HttpResponse> OpenApiDocuments::answer(const HttpRequest& request, std::string_view path) {
  constexpr std::string_view below_v3 = "/openapi/v3/";
  const std::lock_guard lock(mutex_);
  if (path == "/openapi/v3") return v3_index();
  const bool is_v3 = path.starts_with(below_v3);
  if (!is_v3 && path != "/openapi/v2") return std::nullopt;
  if (is_v3) path.remove_prefix(below_v3.size());
  Document* const document = is_v3 ? v3(path) : &v2();
  if (document == nullptr) return without_body(404);
  const std::string_view type = media_type_for(request.accept, !is_v3);
  if (type.empty()) return without_body(406);
  const std::string etag = '"' + document->etag + '"';
  const std::string hash = is_v3 ? query_parameter(request.target, "hash") : std::string();
  HttpResponse out = without_body(200);
  out.headers = {{"etag", etag}, {"vary", "Accept"}};
  out.content_type = type;
  if (!hash.empty() && hash != document->etag) {
    out.status = 301;
    out.headers["location"] = versioned_url(path, document->etag);
    return out;
  }
  // What a hash names never changes.
  if (!hash.empty()) out.headers["cache-control"] = "public, immutable";
  if (header_of(request, "if-none-match") == etag) {
    out.status = 304;
    out.content_type.clear();
    return out;
  }
  out.body = type == json_type ? document->json : document->protobuf;
  // kube-apiserver compresses this document alone.
  if (!is_v3 && header_of(request, "accept-encoding").find("gzip") != std::string::npos) {
    std::string& compressed = document->gzipped[out.content_type];
    if (compressed.empty()) compressed = gzipped(out.body);
    out.body = compressed;
    out.headers["content-encoding"] = "gzip";
    out.headers["vary"] = "Accept-Encoding, Accept";
  }
  return out;
}

}  // namespace nodebound::apiserver
