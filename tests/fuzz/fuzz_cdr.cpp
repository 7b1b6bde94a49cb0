// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/core/check.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/all_messages.hpp"

namespace {

// What was decoded must survive encoding. Bytes are compared, since NaN does not equal itself.
template <typename Message>
void decodeAndEncode(gs::Bytes bytes) {
  const auto message = gs::findCdr<Message>(bytes);
  if (!message) return;
  const std::vector<std::byte> encoded = gs::encodeCdr(*message);
  std::string why;
  const auto again = gs::findCdr<Message>(encoded, &why);
  GS_CHECK(why == "");
  GS_CHECK((gs::encodeCdr(*again) == encoded) == true);
}

}  // namespace

// The first byte chooses the type, the rest is the message.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const gs::Bytes bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  size_t index = 0;
  gs::msgs::forEachMessage([&]<typename Message>() {
    if (index++ == data[0] % gs::msgs::kMessageCount) decodeAndEncode<Message>(bytes);
  });
  return 0;
}
