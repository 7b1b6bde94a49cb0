// SPDX-License-Identifier: Apache-2.0
// Every message of ours, decoded and encoded again by Foxglove's library with the definitions that
// ROS itself ships. gs_sim_msgs are judged by our .msg and .srv files. What Foxglove's collection
// lacks (ackermann_msgs, autoware, services) is decoded with our own schema text.
// GS_PEER_DIR names the folder that write_peer_messages filled.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import rosmsg from '@foxglove/rosmsg';
import common from '@foxglove/rosmsg-msgs-common';
import serialization from '@foxglove/rosmsg2-serialization';

const {MessageReader, MessageWriter} = serialization;
const official = common.ros2jazzy;
const package_dir = join(dirname(fileURLToPath(import.meta.url)), '../../gs_sim_msgs');
const directory = process.env.GS_PEER_DIR;
assert.ok(directory, 'set GS_PEER_DIR to the folder that write_peer_messages filled');

const lines = readFileSync(join(directory, 'messages.jsonl'), 'utf8').trim().split('\n');
const byType = new Map();
for (const line of lines) {
  const message = JSON.parse(line);
  byType.set(message.type, [...(byType.get(message.type) ?? []), message]);
}

// "gs_sim_msgs/srv/LoadWorld_Request" -> the text before '---'; nested names get their package.
function ourDefinitionFile(type) {
  const [, kind, name] = type.split('/');
  const [base, half] = name.split(/_(?=Request$|Response$)/);
  const text = readFileSync(join(package_dir, kind, `${base}.${kind}`), 'utf8');
  const part = half === undefined ? text : text.split('\n---\n')[half === 'Request' ? 0 : 1];
  return part.replace(/^([A-Z]\w+) /gm, 'gs_sim_msgs/$1 ');
}

const parsed = (text) => rosmsg.parse(text, {ros2: true});
// One file alone does not say what its nested types are; others do.
const ownDefinition = (type) =>
    rosmsg.parse(ourDefinitionFile(type), {ros2: true, skipTypeFixup: true})[0].definitions;

// The definition that judges a type: [source, definitions with the root first and without name].
function judgeOf(type, schema) {
  const [package_name, , name] = type.split('/');
  const others = [...Object.values(official),
                  {name: 'gs_sim_msgs/WorldInfo', definitions: ownDefinition('gs_sim_msgs/msg/WorldInfo')}];
  if (package_name === 'gs_sim_msgs')
    return ['definition file', [{definitions: ownDefinition(type)}, ...others]];
  const known = official[`${package_name}/${name}`];
  if (known && type.includes('/msg/')) return ['ROS', [{definitions: known.definitions}, ...others]];
  return ['own schema', parsed(schema)];
}

// Decoded values in the form of the JSON lines.
function plain(value) {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

const shape = ({name, type, isArray, arrayLength, arrayUpperBound, upperBound}) =>
    ({name, type, isArray: !!isArray, arrayLength, arrayUpperBound, upperBound});
const fieldsOf = (definitions) => definitions.filter((d) => !d.isConstant).map(shape);
const constantsOf = (definitions) =>
    Object.fromEntries(definitions.filter((d) => d.isConstant).map((d) => [d.name, `${d.type} ${d.value}`]));

const judged = {};
for (const [type, messages] of byType) {
  const [source, definitions] = judgeOf(type, messages[0].schema);
  judged[source] = (judged[source] ?? 0) + 1;

  test(`${type} has the fields and constants of its definition (${source})`, () => {
    const ours = parsed(messages[0].schema)[0].definitions;
    assert.deepEqual(fieldsOf(ours), fieldsOf(definitions[0].definitions));
    const theirs = constantsOf(definitions[0].definitions);
    for (const [name, value] of Object.entries(constantsOf(ours))) assert.equal(value, theirs[name], name);
  });

  if (fieldsOf(definitions[0].definitions).length === 0) continue;  // nothing to decode or to write

  test(`${type} is decoded to the same values and encoded to the same bytes (${source})`, () => {
    const reader = new MessageReader(definitions);
    const writer = new MessageWriter(definitions);
    for (const {cdr, values} of messages) {
      const decoded = reader.readMessage(Buffer.from(cdr, 'hex'));
      assert.deepEqual(plain(decoded), values);
      assert.equal(Buffer.from(writer.writeMessage(decoded)).toString('hex'), cdr);
    }
  });
}

test('most messages are judged by the definitions of ROS', () => {
  assert.ok(judged.ROS >= 45, JSON.stringify(judged));
  assert.equal(judged['definition file'], 12);
});
