// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/error.hpp"
#include "gs/core/fields.hpp"
#include "gs/formats/cdr_reader.hpp"
#include "gs/formats/cdr_writer.hpp"

// The bytes of ROS 2 messages: classic CDR (XCDR1) behind a header of four bytes, for any struct
// that lists its fields. Written little endian; read in both byte orders.
namespace gs {

// Replaces what `out` holds and keeps its memory, so that a publisher allocates once.
template <HasFields T>
void encodeCdr(const T& message, std::vector<std::byte>& out) {
  CdrWriter(out).write(message);
}

template <HasFields T>
std::vector<std::byte> encodeCdr(const T& message) {
  std::vector<std::byte> out;
  encodeCdr(message, out);
  return out;
}

// Into an existing message, whose vectors keep their memory. False when the bytes are not a whole
// T, and then `why` says what and where; `message` is usable but holds a part only. Bytes after the
// last field are no fault: they are padding, or fields of a later version.
template <HasFields T>
bool decodeCdrInto(Bytes bytes, T& message, std::string* why = nullptr) {
  CdrReader reader(bytes);
  if (reader.read(message)) return true;
  if (why) *why = reader.problem();
  return false;
}

template <HasFields T>
std::optional<T> findCdr(Bytes bytes, std::string* why = nullptr) {
  std::optional<T> message(std::in_place);
  if (!decodeCdrInto(bytes, *message, why)) message.reset();
  return message;
}

// Throws gs::Error (INPUT_INVALID, component "cdr"); `name` says where the bytes come from.
template <HasFields T>
T decodeCdr(Bytes bytes, const std::string& name) {
  T message;
  std::string why;
  if (!decodeCdrInto(bytes, message, &why))
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "cdr",
                 .message = "'" + name + "' is not a sound message: " + why,
                 .details = {{"name", name}, {"problem", why}},
                 .suggestion = "Check that the sender uses the same message definition."});
  return message;
}

}  // namespace gs
