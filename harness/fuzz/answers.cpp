// Answers of a hostile server: bodies as they arrive, statuses, reviews, versions, metrics. The first byte chooses the
// request that is answered, the second the status.
#include <cstdint>
#include <cstdlib>

#include "fakes/wire/go/json.h"
#include "harness/check/answer.h"
#include "harness/endpoint/observe.h"
#include "harness/endpoint/transport/answer_bounds.h"
#include "harness/fuzz/structure.h"

using namespace nodebound;

namespace {

// Whether read whole or line by line, a body keeps no more bytes than allowed.
void arrive(std::string_view bytes, std::size_t piece) {
  for (const char* prefix : {"", "kubernetes_feature_enabled"}) {
    ArrivingBody body(4096, prefix);
    bool going = true;
    for (std::string_view rest = bytes; going && !rest.empty(); rest.remove_prefix(std::min(piece, rest.size())))
      going = body.take(rest.substr(0, piece));
    if (body.whole().size() > 4096) std::abort();
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 2, fuzz::changed_json);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr int statuses[] = {200, 201, 202, 400, 401, 403, 404, 409, 422, 429, 500, 503};
  if (size < 2) return 0;
  const std::string body(reinterpret_cast<const char*>(data) + 2, size - 2);
  const HttpResponse response{statuses[data[1] % std::size(statuses)], "application/json", body, {}};
  switch (data[0] % 6) {
    case 0:
      static_cast<void>(read_answer(response));
      break;
    case 1:
      static_cast<void>(read_review(response));
      break;
    case 2:
      static_cast<void>(read_rules_review(response));
      static_cast<void>(read_listed_rules(response, attributes_of("GET", "/api/v1/pods")));
      break;
    case 3:
      static_cast<void>(parse_version(response, "https://server"));
      break;
    case 4: {
      std::set<std::string> versions;
      add_api_versions(response, versions);
      break;
    }
    default:
      static_cast<void>(parse_feature_gates(body));
  }
  static_cast<void>(json_excess(body, most_values_in(4096)));
  arrive(body, 1 + data[1] % 64);
  return 0;
}
