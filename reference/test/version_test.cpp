#include "reference/release/version.h"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(version)

using nodebound::Version;

BOOST_AUTO_TEST_CASE(a_version_has_major_minor_and_patch) {
  const Version version = Version::parse("1.36.3").value();
  BOOST_TEST(version.major == 1);
  BOOST_TEST(version.minor == 36);
  BOOST_TEST(version.patch == 3);
}

BOOST_AUTO_TEST_CASE(a_version_without_patch_is_the_first_of_its_minor) {
  BOOST_TEST((Version::parse("1.36") == Version{1, 36, 0}));
}

BOOST_AUTO_TEST_CASE(the_versions_that_servers_report_are_read) {
  BOOST_TEST((Version::parse("v1.36.3") == Version{1, 36, 3}));
  BOOST_TEST((Version::parse("v1.33.1-gke.1584000") == Version{1, 33, 1}));
  BOOST_TEST((Version::parse("v1.31.2+k3s1") == Version{1, 31, 2}));
  BOOST_TEST((Version::parse("v1.30.0-eks-036c24b") == Version{1, 30, 0}));
  BOOST_TEST((Version::parse("v1.37.0-alpha.1.20+abc-dirty") == Version{1, 37, 0}));
}

BOOST_AUTO_TEST_CASE(what_is_no_version_is_refused) {
  for (const char* text :
       {"",       "v",       "1",     "1.",    ".36",     "1..3",  "1.36.", "1.36.3.4",
        "1.x",    "one.two", "-1.36", "1.-36", "1.36.-3", " 1.36", "1.36 ", "1.36.99999999999999999999",
        "vv1.36", "+1.36",   "1,36",  "1.3 6"}) {
    BOOST_TEST_CONTEXT("\"" << text << "\"") {
      BOOST_TEST(!Version::parse(text).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(versions_are_ordered_by_number_and_not_by_text) {
  BOOST_TEST((Version{1, 9, 0} < Version{1, 10, 0}));
  BOOST_TEST((Version{1, 32, 9} < Version{1, 32, 10}));
  BOOST_TEST((Version{1, 32, 13} < Version{1, 33, 0}));
  BOOST_TEST((Version{1, 99, 0} < Version{2, 0, 0}));
}

BOOST_AUTO_TEST_CASE(a_version_is_written_as_it_is_read) {
  BOOST_TEST(Version::parse("v1.36.3-rc.0").value().text() == "1.36.3");
  BOOST_TEST(Version::parse("1.36").value().text() == "1.36.0");
}

BOOST_AUTO_TEST_SUITE_END()
