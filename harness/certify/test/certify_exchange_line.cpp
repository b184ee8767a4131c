#include <boost/test/unit_test.hpp>

#include "harness/certify/exchange_line.h"
#include "harness/certify/record.h"

BOOST_AUTO_TEST_SUITE(certify_exchange_line)

using namespace nodebound;
using namespace nodebound::certify;

namespace {

const Subject subject{
    "system:node:\"a\"\n\x01", {"system:nodes", "g\t/"}, "u\\", {{"k\x1f", {"v", "ü\x7f"}}, {"l", {}}}};
const HttpRequest request{"POST", "/api/v1/pods?x=%2F",        "application/json",   "{\"a\":\"\\\"é\b\f\r\"}",
                          true,   "application/json;as=Table", {{"user-agent", "x"}}};

std::string line_of(const HttpResponse& answer, const Subject& as = subject, const HttpRequest& asked = request) {
  return RecordLine{{"ask", record_of(as, asked)}, {"answer", record_of(Result<HttpResponse>(answer))}}.dump();
}

HttpResponse created() {
  HttpResponse out;
  out.status = 201;
  out.content_type = "application/json";
  out.headers = {{"audit-id", "1"}, {"x-é", ""}};
  out.body = "{\"kind\":\"Pod\",\"x\":\"\\u0001é\"}\n";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_is_written_as_its_document_is) {
  BOOST_TEST(ask_text(subject, request).value() == record_of(subject, request).dump());
  const HttpRequest plain{"GET", "/livez", "", ""};
  BOOST_TEST(ask_text({}, plain).value() == record_of(Subject(), plain).dump());
  HttpRequest bytes = plain;
  bytes.body = "\xff";
  BOOST_TEST(!ask_text({}, bytes).has_value());
}

BOOST_AUTO_TEST_CASE(an_answer_is_read_as_from_its_document) {
  const std::optional<HttpResponse> read = answer_in_line(line_of(created()), subject, request);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(read->status == 201);
  BOOST_TEST(read->content_type == "application/json");
  BOOST_TEST(read->body == created().body);
  BOOST_TEST((read->headers == created().headers));
}

BOOST_AUTO_TEST_CASE(what_is_written_otherwise_is_left_to_the_document) {
  const std::string line = line_of(created());
  HttpRequest other = request;
  other.target += "1";
  BOOST_TEST(!answer_in_line(line, subject, other).has_value());
  BOOST_TEST(!answer_in_line(line, Subject{"b", {}, "", {}}, request).has_value());
  BOOST_TEST(!answer_in_line(line + " ", subject, request).has_value());
  HttpResponse with_more = created();
  with_more.headers["x"] = "\xff";
  BOOST_TEST(!answer_in_line(line_of(with_more), subject, request).has_value());
  with_more = created();
  with_more.warnings = {"w"};
  BOOST_TEST(!answer_in_line(line_of(with_more), subject, request).has_value());
  HttpResponse bytes = created();
  bytes.body = "\xff";
  BOOST_TEST(!answer_in_line(line_of(bytes), subject, request).has_value());
  const std::string ask = ",\"ask\":" + record_of(subject, request).dump() + "}";
  // Each of these ends with the request. The first holds another one before it; others are no answer, or none whole.
  for (const char* answer : {R"({"status":201},"ask":{})", R"({"status":201}})", R"({"status":201)", R"([201])",
                             R"({"status":201.5})", R"({"status":"201"})", R"({"status":-1})", R"({})",
                             R"({"status":201,"headers":[]})", R"({"status":201,"headers":{"a":1}})",
                             R"({"status":201,"body":1})", R"({"status":201,"body":"\ud800"})", "", "1"}) {
    BOOST_TEST(!answer_in_line("{\"answer\":" + std::string(answer) + ask, subject, request).has_value(), answer);
  }
}

BOOST_AUTO_TEST_SUITE_END()
