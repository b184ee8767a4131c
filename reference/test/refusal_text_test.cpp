#include "reference/release/refusal_text.h"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(refusal_text)

using nodebound::go_aggregate;
using nodebound::go_quoted;
using nodebound::RefusalText;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(rendering)

BOOST_AUTO_TEST_CASE(a_text_without_placeholders_is_itself) {
  BOOST_TEST(RefusalText("cannot get subresource").render({{"node", "n1"}}) == "cannot get subresource");
}

BOOST_AUTO_TEST_CASE(placeholders_take_the_values_of_their_names) {
  const RefusalText text("node '{node}' cannot read '{name}', only its own Node object");
  BOOST_TEST(text.render({{"name", "n2"}, {"node", "n1"}}) == "node 'n1' cannot read 'n2', only its own Node object");
}

BOOST_AUTO_TEST_CASE(a_quoted_placeholder_is_quoted) {
  BOOST_TEST(RefusalText("node {node:q} is not allowed").render({{"node", "n1"}}) == R"(node "n1" is not allowed)");
}

BOOST_AUTO_TEST_CASE(one_value_may_stand_in_several_places_plain_and_quoted) {
  BOOST_TEST(RefusalText("{a}{a:q}{b}").render({{"a", "x"}, {"b", "y"}}) == R"(x"x"y)");
}

BOOST_AUTO_TEST_CASE(a_placeholder_without_value_stays) {
  BOOST_TEST(RefusalText("of {node}").render({}) == "of {node}");
}

BOOST_AUTO_TEST_CASE(a_value_that_looks_like_a_placeholder_is_not_filled_in) {
  BOOST_TEST(RefusalText("{a} {b}").render({{"a", "{b}"}, {"b", "{a}"}}) == "{b} {a}");
}

BOOST_AUTO_TEST_CASE(a_brace_that_is_never_closed_is_text) {
  BOOST_TEST(RefusalText("of {node").render({{"node", "n1"}}) == "of {node");
}

BOOST_AUTO_TEST_CASE(the_pattern_can_be_had_back) {
  for (const char* pattern : {"", "plain", "{a}", "node {node:q} may not {verb} {name}s"}) {
    BOOST_TEST(RefusalText(pattern).pattern() == pattern);
  }
  BOOST_TEST(RefusalText("").empty());
  BOOST_TEST(!RefusalText("x").empty());
}

BOOST_AUTO_TEST_SUITE_END()

// The results of Go's strconv.Quote.
BOOST_AUTO_TEST_SUITE(quoting)

BOOST_AUTO_TEST_CASE(names_are_put_in_double_quotes) {
  BOOST_TEST(go_quoted("") == R"("")");
  BOOST_TEST(go_quoted("system:node:n1") == R"("system:node:n1")");
  BOOST_TEST(go_quoted("it's <b>&co</b>") == R"("it's <b>&co</b>")");
}

BOOST_AUTO_TEST_CASE(quotes_and_backslashes_are_escaped) {
  BOOST_TEST(go_quoted(R"(a"b\c)") == R"("a\"b\\c")");
  BOOST_TEST(go_quoted(R"(" is allowed)") == R"("\" is allowed")");
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped) {
  BOOST_TEST(go_quoted("a\nb\rc\td") == R"("a\nb\rc\td")");
  BOOST_TEST(go_quoted("\a\b\f\v") == R"("\a\b\f\v")");
  BOOST_TEST(go_quoted("\x01\x1b[31m\x7f") == R"("\x01\x1b[31m\x7f")");
  BOOST_TEST(go_quoted("a\0b"s) == R"("a\x00b")");
}

BOOST_AUTO_TEST_CASE(letters_of_every_alphabet_are_left_alone) {
  BOOST_TEST(go_quoted("Küche") == "\"Küche\"");
  BOOST_TEST(go_quoted("节点") == "\"节点\"");
  BOOST_TEST(go_quoted("😀") == "\"😀\"");
}

BOOST_AUTO_TEST_CASE(characters_that_do_not_show_are_escaped) {
  BOOST_TEST(go_quoted("n1\u200b") == R"("n1\u200b")");      // zero width space
  BOOST_TEST(go_quoted("\u202en1") == R"("\u202en1")");      // right-to-left override
  BOOST_TEST(go_quoted("\ufeffn1") == R"("\ufeffn1")");      // byte order mark
  BOOST_TEST(go_quoted("n\u00a01") == R"("n\u00a01")");      // no-break space
  BOOST_TEST(go_quoted("n\u00ad1") == R"("n\u00ad1")");      // soft hyphen
  BOOST_TEST(go_quoted("\xc2\x85") == R"("\u0085")");        // next line
  BOOST_TEST(go_quoted("\U000e0041") == R"("\U000e0041")");  // tag letter
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_escaped_one_by_one) {
  BOOST_TEST(go_quoted("\xff") == R"("\xff")");
  BOOST_TEST(go_quoted("a\xc3") == R"("a\xc3")");
  BOOST_TEST(go_quoted("\xc0\x80") == R"("\xc0\x80")");
  BOOST_TEST(go_quoted("\xe2\x80g") == R"("\xe2\x80g")");
  BOOST_TEST(go_quoted("\xed\xa0\x80") == R"("\xed\xa0\x80")");
  BOOST_TEST(go_quoted("\xf5\x80\x80\x80") == R"("\xf5\x80\x80\x80")");
}

BOOST_AUTO_TEST_SUITE_END()

// The output of Go's aggregate of errors.
BOOST_AUTO_TEST_SUITE(aggregates)

BOOST_AUTO_TEST_CASE(one_error_is_plain_and_several_are_in_brackets) {
  BOOST_TEST(go_aggregate({}).empty());
  BOOST_TEST(go_aggregate({"a not found"}) == "a not found");
  BOOST_TEST(go_aggregate({"a not found", "b not found"}) == "[a not found, b not found]");
}

BOOST_AUTO_TEST_CASE(the_same_error_is_printed_once) {
  BOOST_TEST(go_aggregate({"a", "a"}) == "a");
  BOOST_TEST(go_aggregate({"b", "a", "b", "a"}) == "[b, a]");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(ending_of_a_message)

BOOST_AUTO_TEST_CASE(a_message_ends_with_the_text_whatever_stands_before) {
  const RefusalText text("cannot read subresource");
  BOOST_TEST(text.ends("cannot read subresource", {}));
  BOOST_TEST(text.ends("secrets \"s\" is forbidden: cannot read subresource", {}));
  BOOST_TEST(!text.ends("cannot read subresource of this", {}));
  BOOST_TEST(!text.ends("cannot get subresource", {}));
}

BOOST_AUTO_TEST_CASE(a_placeholder_with_a_known_value_takes_that_value_only) {
  const RefusalText text("node {node:q} is not allowed to modify taints");
  BOOST_TEST(text.ends(R"(nodes "n1" is forbidden: node "n1" is not allowed to modify taints)", {{"node", "n1"}}));
  BOOST_TEST(!text.ends(R"(nodes "n1" is forbidden: node "n2" is not allowed to modify taints)", {{"node", "n1"}}));
}

BOOST_AUTO_TEST_CASE(a_placeholder_without_a_known_value_takes_any) {
  const RefusalText text("is not allowed to modify labels: {labels}");
  BOOST_TEST(text.ends("nodes is forbidden: is not allowed to modify labels: a/b, c/d", {}));
  BOOST_TEST(!text.ends("nodes is forbidden: is not allowed to modify taints", {}));
}

BOOST_AUTO_TEST_CASE(the_parts_between_placeholders_must_come_in_order) {
  const RefusalText text("audience {audience:q} not found, {user} is not authorized");
  BOOST_TEST(text.ends(R"(audience "x" not found, u is not authorized)", {}));
  BOOST_TEST(!text.ends(R"(not found, audience "x", u is not authorized)", {}));
}

BOOST_AUTO_TEST_CASE(the_end_is_not_counted_twice) {
  // The literal text before the placeholder must come before the text at the end; one piece of the message cannot be
  // both.
  BOOST_TEST(!RefusalText("node{x}node").ends("node", {}));
  BOOST_TEST(RefusalText("node{x}node").ends("nodenode", {}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
