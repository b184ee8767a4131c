#include "fakes/serving/audit_log.h"

#include <boost/test/unit_test.hpp>
#include <sstream>

BOOST_AUTO_TEST_SUITE(audit_log)

using namespace nodebound;
using namespace nodebound::serving;

BOOST_AUTO_TEST_CASE(a_log_that_cannot_be_written_is_reported_once) {
  auto log = AuditLog::open("/dev/full").value();
  std::ostringstream reports;
  log->report_to(reports);
  log->write({}, "ResponseComplete");
  const std::string once = reports.str();
  BOOST_TEST(once.find("/dev/full: No space left on device") != std::string::npos);
  log->write({}, "ResponseComplete");
  BOOST_TEST(reports.str() == once);
}

BOOST_AUTO_TEST_SUITE_END()
