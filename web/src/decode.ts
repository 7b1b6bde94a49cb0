// SPDX-License-Identifier: Apache-2.0
// Schema texts to readers and writers of CDR; the only file that names the Foxglove message packages.
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";

export function createReader(schema: string): (bytes: ArrayBufferView) => unknown {
  const reader = new MessageReader(parse(schema, { ros2: true }));
  return (bytes) => reader.readMessage(bytes);
}

export function createWriter(schema: string): (message: unknown) => Uint8Array {
  const writer = new MessageWriter(parse(schema, { ros2: true }));
  return (message) => writer.writeMessage(message);
}
