#include <boost/test/unit_test.hpp>

#include "reference/cel/match_condition.h"
#include "reference/cel/types/environment.h"
#include "reference/release/catalogue.h"

namespace nodebound::cel {

namespace {

MatchCondition::Compiled compiled(const std::string& expression) {
  static const auto environment = std::make_shared<const Environment>(
      match_condition_environment(*Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {})));
  return MatchCondition::compile(expression, environment);
}

std::string what_is_wrong(const std::string& expression) {
  const auto condition = compiled(expression);
  return condition ? "" : condition.error().what;
}

bool holds(const std::string& expression) {
  const auto condition = compiled(expression);
  BOOST_REQUIRE_MESSAGE(condition.has_value(), expression);
  return condition->evaluate({}).answer == Match::Answer::yes;
}

struct SyntaxRefusal {
  const char* expression;
  const char* text;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cel_syntax)

// The texts are those of k8s.io/apiserver v0.36.3.
BOOST_AUTO_TEST_CASE(refusals_read_as_upstream_s) {
  const SyntaxRefusal refusals[] = {
      {"a b",
       "compilation failed: ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n"
       " | a b\n"
       " | ..^"},
      {"1 +",
       "compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', "
       "'-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n"
       " | 1 +\n"
       " | ...^"},
      {"request.groups[",
       "compilation failed: ERROR: <input>:1:16: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', "
       "'-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n"
       " | request.groups[\n"
       " | ...............^"},
      {"(true",
       "compilation failed: ERROR: <input>:1:6: Syntax error: missing ')' at '<EOF>'\n"
       " | (true\n"
       " | .....^"},
      {"request.",
       "compilation failed: ERROR: <input>:1:9: Syntax error: no viable alternative at input '.'\n"
       " | request.\n"
       " | ........^"},
      {"request.true",
       "compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input 'true' expecting IDENTIFIER\n"
       " | request.true\n"
       " | ........^"},
      {"[1, 2",
       "compilation failed: ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n"
       " | [1, 2\n"
       " | .....^"},
      {"true &&",
       "compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', "
       "'-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n"
       " | true &&\n"
       " | .......^"},
      {"has(request)",
       "compilation failed: ERROR: <input>:1:5: invalid argument to has() macro\n"
       " | has(request)\n"
       " | ....^"},
      {"request.groups.all(1, true)",
       "compilation failed: ERROR: <input>:1:20: argument must be a simple name\n"
       " | request.groups.all(1, true)\n"
       " | ...................^"},
      {"'\\q' == ''",
       "compilation failed: ERROR: <input>:1:1: Syntax error: token recognition error at: ''\\q'\n"
       " | '\\q' == ''\n"
       " | ^\n"
       "ERROR: <input>:1:10: Syntax error: token recognition error at: '''\n"
       " | '\\q' == ''\n"
       " | .........^"},
      {"99999999999999999999 == 1",
       "compilation failed: ERROR: <input>:1:1: invalid int literal\n"
       " | 99999999999999999999 == 1\n"
       " | ^"},
      {"if == 1",
       "compilation failed: ERROR: <input>:1:1: reserved identifier: if\n"
       " | if == 1\n"
       " | ^"},
      {"[1, 'a'] == []",
       "compilation failed: ERROR: <input>:1:5: expected type 'int' but found 'string'\n"
       " | [1, 'a'] == []\n"
       " | ....^"},
      {"request.user == 'a' ? true",
       "compilation failed: ERROR: <input>:1:27: Syntax error: mismatched input '<EOF>' expecting ':'\n"
       " | request.user == 'a' ? true\n"
       " | ..........................^"},
      {"x\n && yé",
       "compilation failed: ERROR: <input>:2:6: Syntax error: token recognition error at: 'é'\n"
       " |  && yé\n"
       " | .....＾"},
  };
  for (const SyntaxRefusal& one : refusals) BOOST_TEST(what_is_wrong(one.expression) == one.text);
}

BOOST_AUTO_TEST_CASE(literals) {
  BOOST_TEST(holds(R"('\x41\101\n' == "AA" + '\n')"));
  BOOST_TEST(holds(R"(r'\d' == '\\d')"));
  BOOST_TEST(holds(R"('''a'b''' == "a'b")"));
  BOOST_TEST(holds("0x1F == 31 && 0x1Fu == 31u && .5 == 0.5 && 1e3 == 1000.0"));
  BOOST_TEST(holds("--5 == 5 && !!true"));
  BOOST_TEST(holds("[1, 2,].size() == 2 && {'a': 1,}.size() == 1"));
}

BOOST_AUTO_TEST_CASE(operators_bind_as_in_the_grammar) {
  BOOST_TEST(holds("1 + 2 * 3 == 7"));
  BOOST_TEST(holds("10 - 2 - 3 == 5"));
  BOOST_TEST(holds("true || false && false"));
  BOOST_TEST(holds("(false ? 1 : true ? 2 : 3) == 2"));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "true" + std::string(depth, ')'); };
  BOOST_TEST(what_is_wrong(nested(200)) == "");
  const std::string limit = "compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
  BOOST_TEST(what_is_wrong(nested(300)) == limit);
  BOOST_TEST(what_is_wrong(nested(49'000)) == limit);
  std::string sum = "1";
  for (int i = 0; i < 300; ++i) sum += " + 1";
  BOOST_TEST(what_is_wrong(sum + " > 0") == "compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded");
  BOOST_TEST(what_is_wrong(std::string(100'001, ' ')) ==
             "compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit "
             "100000");
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_with_its_place) {
  BOOST_TEST(what_is_wrong("isQuantity(request.user)") ==
             "ERROR: <input>:1:11: Nodebound does not support the function 'isQuantity' (is_quantity_string)\n"
             " | isQuantity(request.user)\n"
             " | ..........^");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace nodebound::cel
