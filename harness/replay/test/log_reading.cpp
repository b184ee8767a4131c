#include <boost/test/unit_test.hpp>
#include <zlib.h>
#include <zstd.h>

#include "harness/replay/log_documents.h"
#include "harness/replay/test/replayed_log.h"

BOOST_AUTO_TEST_SUITE(replay_log_reading)

using namespace nodebound;
using namespace nodebound::replay;
using namespace nodebound::test;

namespace {

std::string gzipped(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::size_t troubles_of(const Replay& replay, const std::string& what) {
  for (const Replay::Trouble& one : replay.troubles) {
    if (one.what == what) return one.count;
  }
  return 0;
}

Object list_of(const std::vector<WrittenEvent>& events) {
  Object out = {{"kind", "EventList"}, {"apiVersion", "audit.k8s.io/v1"}, {"items", Object::array()}};
  for (const WrittenEvent& event : events) out["items"].push_back(event.json());
  return out;
}

const WrittenEvent one{};
const WrittenEvent two{.second = 1};

}  // namespace

BOOST_AUTO_TEST_CASE(every_form_of_a_log_gives_the_same_requests) {
  const std::string first = one.json().dump();
  const std::string second = two.json().dump();
  const auto message = [](const std::string& text) { return Object{{"timestamp", 1}, {"message", text}}; };
  const std::vector<std::pair<std::string, std::string>> forms = {
      {"lines", first + "\n" + second + "\n"},
      {"no newline at the end, carriage returns", first + "\r\n\r\n" + second},
      {"list", list_of({one, two}).dump() + "\n"},
      {"list over several lines", list_of({one, two}).dump(2)},
      {"webhook batches", list_of({one}).dump() + "\n" + list_of({two}).dump() + "\n"},
      {"array over several lines", Object({one.json(), two.json()}).dump(2) + "\n"},
      {"events over several lines", one.json().dump(4) + "\n" + two.json().dump(4) + "\n"},
      {"CloudWatch, a record a line", message(first).dump() + "\n" + message(second).dump() + "\n"},
      {"CloudWatch, subscription", Object{{"logEvents", {message(first), message(second)}}}.dump() + "\n"},
      {"CloudWatch, filter-log-events", Object{{"events", {message(first), message(second)}}}.dump(4) + "\n"},
      {"CloudWatch, export with times", "2026-12-01T09:00:00.000Z " + first + "\n2026-12-01T09:00:01.000Z " + second},
      {"Azure Monitor", Object{{"records",
                                {{{"category", "kube-audit"}, {"properties", {{"log", first}}}},
                                 {{"category", "kube-audit"}, {"properties", {{"log", second}}}}}}}
                            .dump()},
  };
  for (const auto& [form, text] : forms) {
    for (const std::string& bytes : {text, gzipped(text), zstd_of(text)}) {
      const Replay replay = replayed_text(bytes);
      BOOST_TEST_CONTEXT(form) {
        BOOST_TEST(replay.events == 2U);
        BOOST_TEST(replay.newly_refused == 2U);
        BOOST_TEST(replay.troubles.empty());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_counted_with_its_place) {
  const std::string whole = one.line();
  const WrittenEvent& old = two;
  Object beta = old.json();
  beta["apiVersion"] = "audit.k8s.io/v1beta1";
  Object timeless = two.json();
  timeless.erase("requestReceivedTimestamp");
  const std::string log = whole.substr(0, whole.size() / 2) + "\n" + "I1201 09:00:00 no JSON at all\n" +
                          "{\"kind\":\"Pod\"}\n" + beta.dump() + "\n" + timeless.dump() + "\n" + std::string(200, '[') +
                          std::string(200, ']') + "\n" + two.line();
  const LogFile file(log);
  const Replay replay = replayed({file.path()});
  BOOST_TEST(replay.newly_refused == 1U);
  for (const char* what : {"torn", "not-json", "no-event", "other-version", "bad-event", "too-deep"}) {
    BOOST_TEST_CONTEXT(what) BOOST_TEST(troubles_of(replay, what) == 1U);
  }
  for (const Replay::Trouble& trouble : replay.troubles) {
    if (trouble.what == "other-version") BOOST_TEST(trouble.places.front() == file.path() + ":4");
  }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_torn_does_not_take_the_next_one_with_it) {
  const std::string whole = one.line();
  const Replay replay = replayed_text(whole.substr(0, 300) + "\n" + two.line() + whole.substr(300));
  BOOST_TEST(replay.newly_refused == 1U);
  BOOST_TEST(troubles_of(replay, "torn") == 2U);
}

BOOST_AUTO_TEST_CASE(compressed_bytes_that_end_early_are_trouble) {
  std::string lines;
  for (int i = 0; i < 500; ++i)
    lines += WrittenEvent{.uri = "/api/v1/nodes?limit=" + std::to_string(i * 7919), .second = i}.line();
  for (const std::string& bytes : {gzipped(lines), zstd_of(lines)}) {
    const Replay replay = replayed_text(std::string_view(bytes).substr(0, bytes.size() / 2));
    BOOST_TEST(troubles_of(replay, "broken-bytes") == 1U);
  }
}

BOOST_AUTO_TEST_CASE(an_overlong_line_is_left_out) {
  const std::string text = "{\"a\":\"" + std::string(3 << 20, 'x') + "\"}\n{\"b\":1}\n";
  LogDocuments documents(source_of(text), 1 << 20);
  const auto first = documents.next();
  BOOST_REQUIRE(first);
  BOOST_TEST(first->too_long);
  const auto second = documents.next();
  BOOST_REQUIRE(second);
  BOOST_TEST(second->text == "{\"b\":1}");
  BOOST_TEST(second->line == 2U);
  BOOST_TEST(!documents.next());
}

BOOST_AUTO_TEST_CASE(cloud_logging_has_no_selectors_and_so_lists_are_unknown) {
  const auto entry = [](const char* method, const char* resource) {
    return Object{{"timestamp", "2026-12-01T09:00:00.123456789Z"},
                  {"operation", {{"id", std::string(method)}}},
                  {"labels", {{"authorization.k8s.io/decision", "allow"}}},
                  {"protoPayload",
                   {{"serviceName", "k8s.io"},
                    {"methodName", method},
                    {"resourceName", resource},
                    {"authenticationInfo", {{"principalEmail", "system:node:a"}}}}}}
               .dump() +
           "\n";
  };
  const Replay replay = replayed_text(entry("io.k8s.core.v1.nodes.list", "core/v1/nodes") +
                                      entry("io.k8s.core.v1.nodes.get", "core/v1/nodes/b"));
  BOOST_TEST(replay.requests == 2U);
  BOOST_TEST(replay.newly_refused == 1U);
  BOOST_REQUIRE(replay.unknowns.size() == 1U);
  BOOST_TEST(replay.unknowns[0].reason == "no-selectors");
  BOOST_TEST(replay.notes.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
