#include "reports/table.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(reports_table)

using namespace nodebound;

namespace {

Table sample() {
  Table table({"RULE", "SINCE", "WHAT IT SAYS"});
  table.row({"secret-through-pod", "1.7", "A node reads a Secret through a pod bound to it"});
  table.heading("Labels");
  table.row({"node-labels", "1.13", "A\nnode"});
  return table;
}

std::string written(int width, bool whole) {
  Page page({false, width, false});
  sample().write(page, whole);
  return page.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_line_up_and_the_last_is_cut_at_the_width) {
  BOOST_TEST(written(60, false) ==
             "RULE                SINCE  WHAT IT SAYS\n"
             "secret-through-pod  1.7    A node reads a Secret through a …\n"
             "\n"
             "Labels\n"
             "node-labels         1.13   A node\n");
}

BOOST_AUTO_TEST_CASE(whole_cuts_nothing) {
  BOOST_TEST(written(60, true).find("through a pod bound to it\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_little_is_left_the_last_column_goes_below) {
  BOOST_TEST(written(40, false) ==
             "RULE                SINCE\n"
             "secret-through-pod  1.7\n"
             "    A node reads a Secret through a pod\n"
             "    bound to it\n"
             "\n"
             "Labels\n"
             "node-labels         1.13\n"
             "    A node\n");
}

BOOST_AUTO_TEST_SUITE_END()
