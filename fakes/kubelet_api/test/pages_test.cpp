#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/test/support.h"

BOOST_AUTO_TEST_SUITE(kubelet_api_pages)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using namespace nodebound::test;

BOOST_AUTO_TEST_CASE(metrics_are_of_the_media_type_that_is_asked_for) {
  ServedKubelet now("1.36.3");
  ServedKubelet before("1.30.0");
  const auto type = [](ServedKubelet& kubelet, const std::string& accept) {
    const std::string answer = kubelet.ask("admin", "GET", "/metrics/probes", "Accept: " + accept + "\r\n");
    const std::size_t begin = answer.find("content-type: ") + 14;
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
  };
  const std::string text = "text/plain; version=0.0.4; charset=utf-8";
  const std::string protobuf =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";
  const char* asked = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  BOOST_TEST(type(now, asked) == protobuf + "; escaping=underscores");
  BOOST_TEST(type(before, asked) == protobuf);
  BOOST_TEST(type(now, "text/plain;escaping=dots") == text + "; escaping=dots");
  BOOST_TEST(type(now, "text/plain;escaping=x") == text + "; escaping=underscores");
  BOOST_TEST(type(now, std::string("text/plain, ") + asked) == text + "; escaping=underscores");
  BOOST_TEST(type(before, "text/plain;escaping=dots") == text);
}

BOOST_AUTO_TEST_CASE(zpages_wanted_to_be_told_that_text_is_taken) {
  ServedKubelet kubelet("1.34.0", KubeletRoutes::Port::main, {},
                        {{"ComponentFlagz", true}, {"ComponentStatusz", true}});
  BOOST_TEST(body_of(kubelet.ask("admin", "GET", "/statusz")) == "media type not acceptable, must be: text/plain\n");
  const std::string page = kubelet.ask("admin", "GET", "/flagz", "Accept: text/plain\r\n");
  BOOST_TEST(page.find("\nkubelet flags\n") != std::string::npos);
  BOOST_TEST(status_of(kubelet.ask("admin", "GET", "/flagz", "Accept: *\r\n")) == 200);
  BOOST_TEST(status_of(kubelet.ask("admin", "GET", "/flagz", "Accept: text/plain;version=1\r\n")) == 406);
  ServedKubelet now("1.36.3");
  BOOST_TEST(now.ask("admin", "GET", "/statusz").find("\nUp: 0 hr 00 min 00 sec\n") != std::string::npos);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: application/json\r\n")) == 406);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: *\r\n")) == 200);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: */json\r\n")) == 406);
}

BOOST_AUTO_TEST_SUITE_END()
