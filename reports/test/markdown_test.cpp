#include "reports/markdown.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(reports_markdown)

using namespace nodebound;

BOOST_AUTO_TEST_CASE(text_is_not_taken_for_markup) {
  BOOST_TEST(markdown_text("a *b* <i> [x](y) `z`\n# h") == "a \\*b\\* \\<i\\> \\[x\\](y) \\`z\\` \\# h");
}

BOOST_AUTO_TEST_CASE(code_may_have_backticks) {
  BOOST_TEST(markdown_code("x") == "`x`");
  BOOST_TEST(markdown_code("a `b`` c") == "``` a `b`` c ```");
  BOOST_TEST(markdown_code("") == "");
}

BOOST_AUTO_TEST_CASE(a_bar_does_not_end_a_cell) {
  BOOST_TEST(markdown_row({"a|b", markdown_code("c|d")}) == "| a\\|b | `c\\|d` |\n");
  BOOST_TEST(markdown_head({"x", "y"}) == "| x | y |\n|---|---|\n");
}

BOOST_AUTO_TEST_SUITE_END()
