#include "fakes/validation/quantity.h"

#include <boost/test/unit_test.hpp>
#include <utility>

BOOST_AUTO_TEST_SUITE(quantities)

// The texts are those of a real kube-apiserver 1.36.3, as the capacity of a Node.

using namespace nodebound;
using namespace nodebound::validation;

namespace {

std::string read(const char* text) {
  const auto quantity = Quantity::parse(text);
  return quantity ? quantity->text() : quantity.error();
}

const Quantity& of(const char* text) {
  static Quantity out;
  out = Quantity::parse(text).value();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(quantities_are_written_in_one_form) {
  const std::pair<const char*, const char*> all[] = {{"1", "1"},
                                                     {"1.5", "1500m"},
                                                     {"1000m", "1"},
                                                     {"100m", "100m"},
                                                     {"0.5Gi", "512Mi"},
                                                     {"1024Mi", "1Gi"},
                                                     {"1.5Gi", "1536Mi"},
                                                     {"1e3", "1e3"},
                                                     {"1E3", "1E3"},
                                                     {"1e-3", "1e-3"},
                                                     {"2000e0", "2e3"},
                                                     {"0", "0"},
                                                     {"-0", "0"},
                                                     {"0.0", "0"},
                                                     {"-1", "-1"},
                                                     {".5", "500m"},
                                                     {"1000000000", "1G"},
                                                     {"512Ki", "512Ki"},
                                                     {"1000", "1k"},
                                                     {"1001", "1001"},
                                                     {"1.1Ki", "1126400m"},
                                                     {"-1.5Gi", "-1536Mi"},
                                                     {"1Ei", "1Ei"}};
  for (const auto& [text, expected] : all) BOOST_TEST(read(text) == expected, text << ": " << read(text));
}

BOOST_AUTO_TEST_CASE(some_quantities_stay_as_they_were_written) {
  for (const char* text : {"+7", "007", "5.", "1001Mi", "3Gi", "15u"}) BOOST_TEST(read(text) == text);
}

BOOST_AUTO_TEST_CASE(quantities_end_at_both_ends) {
  BOOST_TEST(read("10Ei") == "9223372036854775807");
  BOOST_TEST(read("-10Ei") == "-9223372036854775807");
  // Upstream has no suffix for this power.
  BOOST_TEST(read("1000000000000000000000") == "1");
  BOOST_TEST(read("0.0000000001") == "1n");
  BOOST_TEST(read("1.00000000001") == "1000000001n");
  BOOST_TEST(of("0.0001").in_thousandths().text() == "1m");
  BOOST_TEST(of("1.0001").in_thousandths().text() == "1001m");
  BOOST_TEST(of("-0.0001").in_thousandths().text() == "-1m");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_quantity_is_refused) {
  const std::string malformed =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const char* text : {"", "four", "1.0x", "1 Gi", "0x1", "1..2", "1KiB"}) {
    BOOST_TEST(read(text) == malformed, text);
  }
  for (const char* text : {"1e", "1mm", "--1", "1Em", "1e99999999999999999999"}) {
    BOOST_TEST(read(text) == "unable to parse quantity's suffix", text);
  }
  BOOST_TEST(read(".Pi") == "unable to parse numeric part of quantity");
  BOOST_TEST((read(".Ki") == "0" && read("-") == "0"));
  BOOST_TEST(quantity_error(true) == malformed);
  BOOST_TEST(quantity_error(Object::array()) == malformed);
  BOOST_TEST((quantity_error(nullptr) == nullptr && quantity_error(" 1 ") == nullptr && quantity_error(7) == nullptr));
}

BOOST_AUTO_TEST_CASE(quantities_are_compared_by_amount) {
  const char* const rising[] = {"-2Gi", "-1", "-1m", "0", "1n", "999m", "1", "1001m", "1k", "1Ki", "1M", "1Gi", "1e30"};
  for (std::size_t i = 0; i + 1 < std::size(rising); ++i) {
    const Quantity less = of(rising[i]);
    BOOST_TEST((less < of(rising[i + 1])), rising[i]);
    BOOST_TEST((less == of(rising[i])));
  }
  BOOST_TEST((Quantity::of("1024Mi") == Quantity::of("1Gi")));
  BOOST_TEST(Quantity::of("4Mi").is_multiple_of(Quantity::of("2Mi")));
  BOOST_TEST(!Quantity::of("1Mi").is_multiple_of(Quantity::of("2Mi")));
  BOOST_TEST((!of("1500m").is_whole() && of("2000m").is_whole()));
}

BOOST_AUTO_TEST_SUITE_END()
