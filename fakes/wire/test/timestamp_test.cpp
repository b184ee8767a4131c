#include "fakes/wire/timestamp.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(timestamps)

using nodebound::seconds_of;
using nodebound::timestamp_of_seconds;

BOOST_AUTO_TEST_CASE(a_timestamp_is_read_as_it_was_written) {
  for (const std::int64_t seconds : {-62167219200LL, -1LL, 0LL, 951782400LL, 1782864000LL, 253402300799LL}) {
    BOOST_TEST(seconds_of(timestamp_of_seconds(seconds)).value() == seconds);
  }
  BOOST_TEST(seconds_of("1970-01-01T00:00:01.999999Z").value() == 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_timestamp_is_none) {
  for (const char* text :
       {"", "2026-11-29", "2026-11-29T10:00:0", "2026-11-29 10:00:00Z", "2026-02-29T10:00:00Z", "2026-13-01T10:00:00Z",
        "2026-11-29T24:00:00Z", "2026-11-29T10:60:00Z", "2026-11-29T10:00:60Z", "2026-11-29T-1:00:00Z",
        "+026-11-29T10:00:00Z", "2026-1-29T10:00:00.0Z", " 026-11-29T10:00:00Z"}) {
    BOOST_TEST(!seconds_of(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
