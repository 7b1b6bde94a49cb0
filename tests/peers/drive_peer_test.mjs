// SPDX-License-Identifier: Apache-2.0
// Does a sample drive open elsewhere? The reader of the MCAP project counts its messages as
// gs-inspect does, and Foxglove's library decodes each of them with the definitions of ROS.
// GS_PEER_DIR names the folder with drive.mcap, one second long.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import rosmsg from '@foxglove/rosmsg';
import common from '@foxglove/rosmsg-msgs-common';
import serialization from '@foxglove/rosmsg2-serialization';
import zstd from '@foxglove/wasm-zstd';
import {McapIndexedReader, TempBuffer} from '@mcap/core';

const log = join(process.env.GS_PEER_DIR, 'drive.mcap');
const survey = JSON.parse(execFileSync(process.env.GS_INSPECT, ['log', log, '--json']));

await zstd.isLoaded;
const reader = await McapIndexedReader.Initialize({
  readable: new TempBuffer(readFileSync(log)),
  decompressHandlers: {zstd: (buffer, size) => zstd.decompress(buffer, Number(size))},
});

// The root of a definition has no name, the types it may need have.
const official = (type) => {
  const {definitions} = common.ros2jazzy[type.replace('/msg/', '/')];
  return [{definitions}, ...Object.values(common.ros2jazzy)];
};

const byTopic = new Map();
for await (const message of reader.readMessages()) {
  const {topic, schemaId} = reader.channelsById.get(message.channelId);
  const {name, encoding, data} = reader.schemasById.get(schemaId);
  assert.equal(encoding, 'ros2msg');
  if (!byTopic.has(topic)) {
    const own = rosmsg.parse(Buffer.from(data).toString(), {ros2: true});
    byTopic.set(topic, {type: name, decoded: [],
                        ours: new serialization.MessageReader(own),
                        theirs: new serialization.MessageReader(official(name))});
  }
  const {ours, theirs, decoded} = byTopic.get(topic);
  const value = theirs.readMessage(message.data);
  assert.deepEqual(ours.readMessage(message.data), value);  // the schema in the log says the same
  decoded.push(value);
}
const messages = (topic) => byTopic.get(topic).decoded;

test('topics, types and counts are those gs-inspect log prints', () => {
  const theirs = [...byTopic].map(([name, {type, decoded}]) => `${name} ${type} ${decoded.length}`);
  const ours = survey.topics.map(({name, type, count}) => `${name} ${type} ${count}`);
  assert.deepEqual(theirs.sort(), ours.sort());
  assert.equal(Number(reader.statistics.messageCount), survey.messages);
});

test('a second has 12 images of each camera, 20 scans and 100 odometry messages', () => {
  for (const camera of ['front', 'left', 'right']) {
    assert.equal(messages(`/camera/${camera}/image_raw/compressed`).length, 12);
    assert.equal(messages(`/camera/${camera}/camera_info`).length, 12);
  }
  assert.equal(messages('/lidar/top/points').length, 20);
  assert.equal(messages('/odom').length, 100);
});

test('images are whole JPEG files of the size that camera_info says', () => {
  for (const {format, data} of messages('/camera/front/image_raw/compressed')) {
    assert.match(format, /jpeg/);
    assert.deepEqual([...data.slice(0, 3), ...data.slice(-2)], [0xff, 0xd8, 0xff, 0xff, 0xd9]);
  }
  const {width, height, k} = messages('/camera/front/camera_info')[0];
  assert.deepEqual([width, height], [800, 450]);
  assert.ok(k[0] > 100 && k[2] > 300 && k[2] < 500, String(k));
});

test('scans hold the points they promise, a few metres around the car', () => {
  for (const {width, height, point_step, row_step, fields, data} of messages('/lidar/top/points')) {
    assert.equal(data.length, row_step * height);
    assert.equal(row_step, width * point_step);
    assert.ok(width > 10000);
    assert.deepEqual(fields.map(({name}) => name), ['x', 'y', 'z', 'intensity', 'ring', 'time']);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at < data.length; at += 997 * point_step)
      for (const axis of [0, 4, 8]) assert.ok(Math.abs(view.getFloat32(at + axis, true)) < 200);
  }
});

test('odometry moves forward at the speed it claims', () => {
  const [first, last] = [messages('/odom').at(0), messages('/odom').at(-1)];
  const [p, q] = [first.pose.pose.position, last.pose.pose.position];
  const metres = Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z);
  const mean = messages('/odom').reduce((sum, m) => sum + m.twist.twist.linear.x, 0) / 100;
  assert.ok(Math.abs(metres / 0.99 - mean) < 0.1, `${metres} m, ${mean} m/s`);
});
