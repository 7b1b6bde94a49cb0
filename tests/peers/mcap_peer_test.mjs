// SPDX-License-Identifier: Apache-2.0
// Does the reader of the MCAP project read the logs we write, and do we read what its writer writes?
// Peers: @mcap/core, with zstd and LZ4 by @foxglove/wasm-zstd and @foxglove/wasm-lz4.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import lz4 from '@foxglove/wasm-lz4';
import zstd from '@foxglove/wasm-zstd';
import {McapIndexedReader, McapStreamReader, McapWriter, TempBuffer} from '@mcap/core';

const here = dirname(fileURLToPath(import.meta.url));
const helper = process.env.GS_PEER_LOGS ?? join(here, '../../build/bin/write_peer_logs');
const dir = mkdtempSync(join(tmpdir(), 'gs_mcap_peer_'));
after(() => rmSync(dir, {recursive: true}));

await zstd.isLoaded;
await lz4.isLoaded;
const decompressHandlers = {
  zstd: (buffer, size) => zstd.decompress(buffer, Number(size)),
  lz4: (buffer, size) => lz4(buffer, Number(size)),
};

const topics = ['/first', '/second', '/third'];
const types = ['std_msgs/msg/String', 'std_msgs/msg/String', ''];
const expected = Array.from({length: 500}, (_, i) => ({
  topic: topics[i % 3],
  type: types[i % 3],
  sequence: i,
  logTime: String(1700000000000000000n + 1000n * BigInt(i)),
  publishTime: String(1700000000000000000n + 1000n * BigInt(i) - 7n),
  data: `message ${i}${'x'.repeat(i % 50)}`,
}));

const describe = (message, channel, schema) => ({
  topic: channel.topic,
  type: schema?.name ?? '',
  sequence: message.sequence,
  logTime: String(message.logTime),
  publishTime: String(message.publishTime),
  data: Buffer.from(message.data).toString(),
});

async function readIndexed(bytes) {
  const reader = await McapIndexedReader.Initialize(
      {readable: new TempBuffer(bytes), decompressHandlers});
  const found = [];
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    found.push(describe(message, channel, reader.schemasById.get(channel.schemaId)));
  }
  return {reader, found};
}

function readStream(bytes) {
  const reader = new McapStreamReader({validateCrcs: true, decompressHandlers});
  reader.append(bytes);
  const channels = new Map();
  const schemas = new Map();
  const found = [];
  for (let record; (record = reader.nextRecord());) {
    if (record.type === 'Schema') schemas.set(record.id, record);
    if (record.type === 'Channel') channels.set(record.id, record);
    if (record.type !== 'Message') continue;
    const channel = channels.get(record.channelId);
    found.push(describe(record, channel, schemas.get(channel.schemaId)));
  }
  assert.ok(reader.done());
  return found;
}

execFileSync(helper, ['write', dir]);
for (const kind of ['zstd', 'lz4', 'none', 'unchunked']) {
  test(`@mcap/core streams our ${kind} log with valid CRCs`, () => {
    assert.deepEqual(readStream(readFileSync(join(dir, `${kind}.mcap`))), expected);
  });
}

for (const kind of ['zstd', 'lz4', 'none']) {
  test(`@mcap/core reads our ${kind} log by its index`, async () => {
    const {reader, found} = await readIndexed(readFileSync(join(dir, `${kind}.mcap`)));
    assert.deepEqual(found, expected);
    assert.ok(reader.chunkIndexes.length > 3);
    assert.equal(reader.header.profile, 'ros2');
    assert.equal(reader.statistics.messageCount, 500n);
    assert.equal(reader.statistics.channelMessageCounts.get(1), 167n);
    const attachments = [];
    for await (const attachment of reader.readAttachments()) attachments.push(attachment);
    assert.deepEqual(attachments.map((a) => Buffer.from(a.data).toString()), ['an attachment']);
    const metadata = [];
    for await (const entry of reader.readMetadata()) metadata.push(entry);
    assert.deepEqual(metadata.map((m) => m.metadata.get('name')), ['shuttle']);
  });
}

async function writtenByPeer(options) {
  const buffer = new TempBuffer();
  const writer = new McapWriter({writable: buffer, chunkSize: 3000, ...options});
  await writer.start({profile: 'ros2', library: 'peer'});
  const schemaId = await writer.registerSchema({
    name: 'std_msgs/msg/String', encoding: 'ros2msg', data: new TextEncoder().encode('string data')});
  const ids = [];
  for (const [i, topic] of topics.entries())
    ids.push(await writer.registerChannel({
      topic, schemaId: i < 2 ? schemaId : 0, messageEncoding: 'cdr', metadata: new Map()}));
  for (const [i, message] of expected.entries())
    await writer.addMessage({
      channelId: ids[i % 3],
      sequence: message.sequence,
      logTime: BigInt(message.logTime),
      publishTime: BigInt(message.publishTime),
      data: new TextEncoder().encode(message.data),
    });
  await writer.end();
  return buffer.get();
}

const variants = {
  'chunked': {},
  'unchunked': {useChunks: false},
  'without an index': {useChunkIndex: false, useMessageIndex: false},
  'without repeated channels': {repeatSchemas: false, repeatChannels: false, useStatistics: false},
  'zstd': {compressChunk: (data) => ({compression: 'zstd', compressedData: zstd.compress(data, 3)})},
};
for (const [name, options] of Object.entries(variants)) {
  test(`we read the ${name} log of @mcap/core`, async () => {
    const path = join(dir, 'peer.mcap');
    writeFileSync(path, await writtenByPeer(options));
    const lines = execFileSync(helper, ['dump', path], {encoding: 'utf8'}).trim().split('\n');
    assert.deepEqual(lines.map((line) => JSON.parse(line)), expected);
  });
}
