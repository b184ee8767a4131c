#include <boost/test/unit_test.hpp>

#include "reference/encoding/ascii.h"
#include "reference/encoding/hex.h"
#include "reference/encoding/json_depth.h"

BOOST_AUTO_TEST_SUITE(encoding)

using namespace nodebound;

BOOST_AUTO_TEST_CASE(bytes_are_two_digits_each) {
  BOOST_TEST(hex_encode("").empty());
  BOOST_TEST(hex_encode(std::string_view("\x00\x0f\xff", 3)) == "000fff");
  BOOST_TEST(is_hex("000fff"));
  BOOST_TEST(!is_hex("00FF"));
  BOOST_TEST(!is_hex("0x00"));
}

BOOST_AUTO_TEST_CASE(blanks_are_removed_at_both_ends) {
  BOOST_TEST(trimmed(" \t a b\r\n") == "a b");
  BOOST_TEST(trimmed(" \t ").empty());
  BOOST_TEST(trimmed("").empty());
  BOOST_TEST(trimmed("\ta ", " ") == "\ta");
}

BOOST_AUTO_TEST_CASE(brackets_in_strings_do_not_nest) {
  BOOST_TEST(json_depth("") == 0U);
  BOOST_TEST(json_depth(R"({"a":[[1],{}]})") == 3U);
  BOOST_TEST(json_depth(R"("[[\"[[")") == 0U);
  // What closes more than it opens must not make up for what follows.
  BOOST_TEST(json_depth("]]]][[[") == 3U);
  BOOST_TEST(json_depth("\"\\") == 0U);
}

BOOST_AUTO_TEST_CASE(the_first_bracket_is_closed_outside_strings) {
  BOOST_TEST(closing_bracket("{}") == 1U);
  BOOST_TEST(closing_bracket(R"({"a}":["]",{"\"}":1}]},"b":{})") == 21U);
  BOOST_TEST(closing_bracket("{[}") == std::string_view::npos);
  BOOST_TEST(closing_bracket(R"({"}")") == std::string_view::npos);
}

BOOST_AUTO_TEST_SUITE_END()
