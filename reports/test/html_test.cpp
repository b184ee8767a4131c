#include "reports/html.h"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "reports/svg.h"

BOOST_AUTO_TEST_SUITE(reports_html)

using namespace nodebound;

BOOST_AUTO_TEST_CASE(text_is_never_markup) {
  BOOST_TEST(html_text("<a href=\"x\" id='y'>&amp;") == "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;");
  BOOST_TEST(html_text("a\xff\x1b[2J\nb") == "a\uFFFD\uFFFD[2J b");
}

BOOST_AUTO_TEST_CASE(text_is_cut_before_it_is_escaped) {
  const std::string text = html_text(std::string(100'000, '<'));
  BOOST_TEST(text.size() < 2500U);
  BOOST_TEST(text.ends_with("&lt;…"));
}

BOOST_AUTO_TEST_CASE(an_element_with_nothing_to_say_is_left_out) {
  BOOST_TEST(html_element("p", "", "") == "");
  BOOST_TEST(html_element("p", "", "x") == "<p>x</p>");
  BOOST_TEST(html_element("i", "swatch", "") == "<i class=\"swatch\"></i>");
}

BOOST_AUTO_TEST_CASE(coordinates_are_short_and_always_numbers) {
  BOOST_TEST(svg_number(12) == "12");
  BOOST_TEST(svg_number(-0.04) == "0");
  BOOST_TEST(svg_number(-1.25) == "-1.3");
  BOOST_TEST(svg_number(0.1 + 0.2) == "0.3");
  BOOST_TEST(svg_number(std::numeric_limits<double>::quiet_NaN()) == "0");
  BOOST_TEST(svg_number(std::numeric_limits<double>::infinity()) == "0");
  BOOST_TEST(svg_number(1e300) == "1000000");
}

BOOST_AUTO_TEST_CASE(long_numbers_have_gaps) {
  BOOST_TEST(grouped_digits(999) == "999");
  BOOST_TEST(grouped_digits(1234567) == "1\u202F234\u202F567");
}

BOOST_AUTO_TEST_SUITE_END()
