#include "reference/encoding/utf8.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(utf8_text)

using namespace nodebound;

BOOST_AUTO_TEST_CASE(the_valid_prefix_ends_at_the_first_odd_byte_wherever_it_stands) {
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string ascii(before, 'a');
    BOOST_TEST(utf8_prefix(ascii + "\xff" + "bcdefghijkl") == ascii);
    // A character of which the end is missing.
    BOOST_TEST(utf8_prefix(ascii + "\xc3") == ascii);
    BOOST_TEST(is_utf8(ascii + "\xc3\xa9" + "bcdefghijkl"));
    BOOST_TEST(valid_utf8(ascii + "\x80z") == ascii + "\xef\xbf\xbdz");
  }
}

BOOST_AUTO_TEST_CASE(characters_of_one_to_four_bytes_are_taken_whole) {
  std::string_view rest = "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\x80";
  for (const char32_t expected : {U'A', U'\u00e9', U'\u20ac', U'\U0001f600'}) {
    BOOST_TEST((take_character(rest) == expected));
  }
  BOOST_TEST(!take_character(rest));  // half of a pair of UTF-16
  BOOST_TEST(rest.size() == 2U);
  std::string out;
  for (const char32_t each : {U'A', U'\x7f', U'\x80', U'\u20ac'}) append_code_point(out, each);
  BOOST_TEST(out == "A\x7f\xc2\x80\xe2\x82\xac");
}

BOOST_AUTO_TEST_SUITE_END()
