# Run while building: writes OUT, C++ that holds the text of FILE as NAME_text(). Long string literals have a limit, so
# the text is written as bytes.
file(READ ${FILE} text HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${text}")
file(WRITE ${OUT} "// Made from a data file while building.
#include <string_view>

namespace nodebound::data {

std::string_view ${NAME}_text();

static const unsigned char bytes[] = {${bytes}};

std::string_view ${NAME}_text() {
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace nodebound::data
")
