// SPDX-License-Identifier: Apache-2.0
// Does the simulator speak Foxglove's protocol? Foxglove's own client subscribes to everything,
// drives, calls services and sets parameters; a raw WebSocket does what no client should.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {after, before, test} from 'node:test';

import rosmsg from '@foxglove/rosmsg';
import serialization from '@foxglove/rosmsg2-serialization';
import ws_protocol from '@foxglove/ws-protocol';
import WebSocket from 'ws';

import {eventually, startSimulator, stopAll, within} from '../program.mjs';

const kSubprotocol = 'foxglove.websocket.v1';
const kCommand = {topic: '/vehicle/control_cmd', encoding: 'cdr',
                  schemaName: 'ackermann_msgs/msg/AckermannDriveStamped'};
const kCommandSchema = `std_msgs/Header header
AckermannDrive drive
===
MSG: ackermann_msgs/AckermannDrive
float32 steering_angle
float32 steering_angle_velocity
float32 speed
float32 acceleration
float32 jerk
===
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
===
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

class Simulator {
  static async start(...options) {
    const simulator = new Simulator();
    simulator.program = startSimulator('worlds/minimal_test', '--web-port', '0', ...options);
    simulator.address = await simulator.program.address;
    simulator.port = Number(new URL(simulator.address).port);
    simulator.url = simulator.address.replace('http', 'ws');
    return simulator;
  }
  stop() { return this.program.stop(); }
  async session() { return (await fetch(`${this.address}api/session`)).json(); }
}

// A Foxglove client with everything it was told, and a way to wait for more. It is gone after its test `t`.
class Client {
  static async open(t, simulator, options = {}) {
    const client = new Client();
    client.socket = new WebSocket(simulator.url, [kSubprotocol], options);
    client.protocol = new ws_protocol.FoxgloveClient({ws: client.socket});
    t.after(() => client.socket.terminate());
    client.listen();
    await client.until(() => client.info && client.channels.size > 0 && client.services.size > 0);
    return client;
  }
  channels = new Map();  // by topic
  services = new Map();  // by name
  received = new Map();  // topic -> messages
  statuses = [];
  answers = new Map();
  values = new Map();
  times = [];
  topicOf = new Map();
  waiting = [];
  lastCall = 0;

  listen() {
    const p = this.protocol;
    const hear = (event, take) => p.on(event, (value) => {
      take(value);
      this.waiting = this.waiting.filter((check) => !check());
    });
    hear('serverInfo', (info) => { this.info = info; });
    hear('status', (status) => this.statuses.push(status));
    hear('advertise', (list) => {
      for (const c of list) this.channels.set(c.topic, {...c, reader: this.readerOf(c.schema)});
    });
    hear('unadvertise', (ids) => {
      for (const [topic, {id}] of this.channels) if (ids.includes(id)) this.channels.delete(topic);
    });
    hear('advertiseServices', (list) => { for (const s of list) this.services.set(s.name, s); });
    hear('message', ({subscriptionId, timestamp, data}) => {
      const topic = this.topicOf.get(subscriptionId);
      const value = this.channels.get(topic).reader.readMessage(data);
      if (!this.received.has(topic)) this.received.set(topic, []);
      this.received.get(topic).push({timestamp, value, bytes: data.byteLength});
    });
    hear('time', ({timestamp}) => this.times.push(timestamp));
    hear('parameterValues', ({parameters, id}) => {
      for (const {name, value} of parameters) this.values.set(name, value);
      if (id) this.answers.set(id, parameters);
    });
    hear('serviceCallResponse', (answer) => this.answers.set(answer.callId, answer));
    hear('serviceCallFailure', (answer) => this.answers.set(answer.callId, answer));
    hear('connectionGraphUpdate', (graph) => { this.graph = graph; });
    hear('close', ({code}) => { this.closed = code; });
    p.on('error', () => {});
  }
  readerOf(schema) { return new serialization.MessageReader(rosmsg.parse(schema, {ros2: true})); }
  until(condition, what = String(condition)) {
    return within(new Promise((resolve, reject) => {
      const check = () => {
        if (condition()) return resolve(), true;
        if (this.closed === undefined) return false;
        return reject(new Error(`closed with ${this.closed} before ${what}`)), true;
      };
      if (!check()) this.waiting.push(check);
    }), what);
  }
  subscribe(...topics) {
    for (const topic of topics) {
      const id = this.protocol.subscribe(this.channels.get(topic).id);
      this.topicOf.set(id, topic);
    }
  }
  messages(topic) { return (this.received.get(topic) ?? []).map(({value}) => value); }
  async next(topic, count = 1) {
    const before = this.messages(topic).length;
    await this.until(() => this.messages(topic).length >= before + count, `${count} of ${topic}`);
    return this.messages(topic).at(-1);
  }
  async call(name, request = {}) {
    const service = this.services.get(name);
    const writer = new serialization.MessageWriter(
        rosmsg.parse(service.request.schema, {ros2: true}));
    return this.callBytes(service.id, writer.writeMessage(request), service.response.schema);
  }
  async callBytes(serviceId, bytes, responseSchema) {
    const callId = ++this.lastCall;
    this.protocol.sendServiceCallRequest(
        {serviceId, callId, encoding: 'cdr',
         data: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)});
    await this.until(() => this.answers.has(callId), `the answer of service ${serviceId}`);
    const answer = this.answers.get(callId);
    if (answer.op === 'serviceCallFailure') return {success: false, message: answer.message};
    return this.readerOf(responseSchema).readMessage(answer.data);
  }
  drive(speed, steering_angle = 0) {
    this.command ??= this.protocol.advertise(kCommand);
    const writer = new serialization.MessageWriter(rosmsg.parse(kCommandSchema, {ros2: true}));
    this.protocol.sendMessage(this.command, writer.writeMessage({
      header: {stamp: {sec: 0, nanosec: 0}, frame_id: 'base_link'},
      drive: {steering_angle, steering_angle_velocity: 0, speed, acceleration: 0, jerk: 0}}));
  }
  async close() {
    this.protocol.close();
    await this.until(() => this.closed !== undefined);
  }
}

let simulator;
before(async () => { simulator = await Simulator.start(); });
after(async () => { assert.equal(await simulator.stop(), 0); });
after(stopAll);

const nanoseconds = ({sec, nanosec}) => BigInt(sec) * 1_000_000_000n + BigInt(nanosec);

test('says what it is and what it can', async (t) => {
  const client = await Client.open(t, simulator);
  assert.match(client.info.name, /^gs-simulator/);
  assert.deepEqual(client.info.capabilities.toSorted(),
                   ['clientPublish', 'connectionGraph', 'parameters', 'parametersSubscribe',
                    'services', 'time']);
  assert.deepEqual(client.info.supportedEncodings, ['cdr']);
  assert.equal(client.info.metadata.world, 'minimal_test');
  assert.ok(client.info.sessionId);
  assert.deepEqual([...client.services.keys()].toSorted(),
                   ['/sim/control', '/sim/load_world', '/sim/pause', '/sim/reset_world', '/sim/resume',
                    '/sim/set_ego_pose', '/sim/step']);
  await client.close();
});

test('every topic arrives, is decoded and carries the time of its step', async (t) => {
  const client = await Client.open(t, simulator);
  const topics = [...client.channels.keys()];
  assert.deepEqual(topics.toSorted(), [
    '/camera/front/camera_info', '/camera/front/image_raw', '/camera/front/image_raw/compressed',
    '/clock', '/lidar/top/points', '/odom', '/sim/driver', '/sim/status', '/sim/world_info', '/tf',
    '/tf_static', '/vehicle/state']);
  client.subscribe(...topics);
  const latched = ['/tf_static', '/sim/world_info', '/sim/driver'];
  await client.until(() => topics.every((topic) =>
      client.messages(topic).length >= (latched.includes(topic) ? 1 : 3)));
  for (const {timestamp, value} of client.received.get('/odom'))
    assert.equal(timestamp, nanoseconds(value.header.stamp));
  const [image] = client.messages('/camera/front/image_raw');
  assert.deepEqual([image.width, image.height, image.encoding], [640, 480, 'rgb8']);
  assert.equal(image.data.length, 640 * 480 * 3);
  const [jpeg] = client.messages('/camera/front/image_raw/compressed');
  assert.equal(jpeg.format, 'jpeg');
  assert.deepEqual([...jpeg.data.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  assert.ok(jpeg.data.length < image.data.length / 4);
  const [cloud] = client.messages('/lidar/top/points');
  assert.equal(cloud.data.length, cloud.width * cloud.point_step);
  assert.deepEqual(client.messages('/sim/driver'), [{data: 'nobody'}]);
  assert.ok(client.times.length > 2);
  assert.ok(client.times.every((time, i) => i === 0 || time > client.times[i - 1]));

  client.protocol.unsubscribe([...client.topicOf].find(([, topic]) => topic === '/odom')[0]);
  await client.next('/clock', 5);
  const count = client.messages('/odom').length;
  await client.next('/clock', 50);
  assert.equal(client.messages('/odom').length, count);
  await client.close();
});

test('commands move the ego, services stop, step, place and reset it', async (t) => {
  const client = await Client.open(t, simulator);
  client.subscribe('/vehicle/state', '/sim/driver', '/clock');
  const state = await client.next('/vehicle/state');
  const moved = () => client.messages('/vehicle/state').at(-1).pose.position.x -
      state.pose.position.x;
  await eventually(async () => {
    client.drive(5);
    await client.next('/vehicle/state', 5);
    return moved() > 0.5;
  }, 'the car to move');
  assert.deepEqual(client.messages('/sim/driver').at(-1), {data: 'browser'});

  assert.deepEqual(await client.call('/sim/pause'), {success: true, message: 'paused'});
  const stands = client.messages('/clock').length;
  assert.equal((await client.call('/sim/step')).success, true);
  await client.until(() => client.messages('/clock').length === stands + 1);
  const command = 2;  // step
  assert.equal((await client.call('/sim/control', {command})).success, true);
  await client.until(() => client.messages('/clock').length === stands + 2);

  const pose = {position: {x: 30, y: 2, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}};
  const twist = {linear: {x: 0, y: 0, z: 0}, angular: {x: 0, y: 0, z: 0}};
  assert.equal((await client.call('/sim/set_ego_pose', {pose, twist})).success, true);
  await client.call('/sim/step');
  await client.until(() => client.messages('/vehicle/state').at(-1).pose.position.y === 2);
  assert.ok(Math.abs(client.messages('/vehicle/state').at(-1).pose.position.x - 30) < 0.01);

  const wrong = {position: {x: NaN, y: 0, z: 0}, orientation: pose.orientation};
  assert.match((await client.call('/sim/set_ego_pose', {pose: wrong, twist})).message, /not finite/);
  const nowhere = await client.call('/sim/load_world', {world_bundle_path: '/nowhere'});
  assert.equal(nowhere.success, false);
  assert.equal(nowhere.world_info.world_id, 'minimal_test');

  const initial_pose = {position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 0}};
  assert.equal((await client.call('/sim/reset_world', {initial_pose, reset_time: true})).success, true);
  assert.equal((await client.call('/sim/resume')).success, true);
  await client.until(() => client.messages('/vehicle/state').at(-1).pose.position.x < 15);

  assert.match((await client.callBytes(99, new Uint8Array(8), '')).message, /no service 99/);
  const control = client.services.get('/sim/control');
  assert.match((await client.callBytes(control.id, new Uint8Array(2), '')).message, /is no/);
  await client.close();
});

test('parameters are read, set and heard of; fixed ones are refused', async (t) => {
  const [client, other] = [await Client.open(t, simulator), await Client.open(t, simulator)];
  client.protocol.getParameters([], 'all');
  await client.until(() => client.answers.has('all'));
  assert.equal(client.values.get('vehicle.wheelbase'), 2.8);
  assert.equal(client.values.get('simulation.control_mode'), 'ackermann');
  assert.equal(client.values.get('simulation.real_time_factor'), 1);

  other.protocol.subscribeParameterUpdates(['simulation.real_time_factor']);
  other.protocol.getParameters(['simulation.real_time_factor'], 'first');
  await other.until(() => other.answers.has('first'));
  client.protocol.setParameters([{name: 'simulation.real_time_factor', value: 2}], 'set');
  await client.until(() => client.answers.has('set'));
  assert.equal(client.answers.get('set')[0].value, 2);
  await other.until(() => other.values.get('simulation.real_time_factor') === 2);

  client.protocol.setParameters([{name: 'vehicle.wheelbase', value: 9}], 'fixed');
  await client.until(() => client.answers.has('fixed') && client.statuses.length > 0);
  assert.match(client.statuses[0].message, /vehicle.wheelbase/);
  assert.equal(client.values.get('vehicle.wheelbase'), 2.8);
  client.protocol.setParameters([{name: 'simulation.real_time_factor', value: 1}], 'back');
  await client.until(() => client.answers.has('back'));
  await Promise.all([client.close(), other.close()]);
});

test('the graph tells who listens', async (t) => {
  const client = await Client.open(t, simulator);
  client.protocol.subscribeConnectionGraph();
  await client.until(() => client.graph);
  assert.ok(client.graph.publishedTopics.some(({name}) => name === '/odom'));
  client.subscribe('/odom');
  await client.until(() => client.graph.subscribedTopics.some(
      ({name, subscriberIds}) => name === '/odom' && subscriberIds.length === 1));
  await client.close();
});

test('a topic that nobody listens to, another type and another encoding are refused', async (t) => {
  const client = await Client.open(t, simulator);
  client.protocol.advertise({...kCommand, topic: '/elsewhere'});
  client.protocol.advertise({...kCommand, encoding: 'json'});
  client.protocol.advertise({...kCommand, schemaName: 'geometry_msgs/msg/Twist'});
  await client.until(() => client.statuses.length === 3);
  assert.deepEqual(client.statuses.map(({level}) => level), [2, 2, 2]);
  const garbage = client.protocol.advertise(kCommand);
  client.protocol.sendMessage(garbage, new Uint8Array([0, 1, 0, 0, 7]));
  await client.until(() => client.statuses.length === 4);
  assert.match(client.statuses[3].message, /AckermannDriveStamped/);
  await client.close();
});

test('a client that does not read loses images, and neither loop nor others wait', async (t) => {
  const [slow, quick] = [await Client.open(t, simulator), await Client.open(t, simulator)];
  slow.subscribe('/camera/front/image_raw', '/clock');
  await slow.next('/camera/front/image_raw');
  slow.socket.pause();
  quick.subscribe('/clock', '/camera/front/camera_info');
  const before = (await simulator.session()).dropped;
  await eventually(async () => {
    await quick.next('/clock', 20);
    return (await simulator.session()).dropped >= before + 20;
  }, 'twenty images to be dropped');
  const stamps = quick.received.get('/clock').map(({timestamp}) => timestamp);
  assert.ok(stamps.length > 20 && stamps.every((stamp, i) => i === 0 || stamp > stamps[i - 1]));
  const count = slow.messages('/camera/front/image_raw').length;
  slow.socket.resume();
  await slow.until(() => slow.messages('/camera/front/image_raw').length > count + 3);
  const images = slow.received.get('/camera/front/image_raw').map(({timestamp}) => timestamp);
  assert.ok(images.every((stamp, i) => i === 0 || stamp > images[i - 1]));
  await Promise.all([slow.close(), quick.close()]);
});

// Opens a socket, sends, and gives the code it was closed with.
async function closedWith(...messages) {
  const socket = new WebSocket(simulator.url, [kSubprotocol]);
  try {
    await within(once(socket, 'open'), 'a socket to open');
    for (const message of messages) socket.send(message);
    const [code] = await within(once(socket, 'close'), 'a socket to close');
    return code;
  } finally {
    socket.terminate();
  }
}

test('malformed and oversized messages close their sender only', async (t) => {
  const witness = await Client.open(t, simulator);
  witness.subscribe('/clock');
  assert.equal(await closedWith('{'), 1002);
  assert.equal(await closedWith('[]'), 1002);
  assert.equal(await closedWith('{"op":"subscribe","subscriptions":7}'), 1002);
  assert.equal(await closedWith('{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}'), 1002);
  assert.equal(await closedWith(Buffer.from([])), 1002);
  assert.equal(await closedWith(Buffer.from([9, 1, 2, 3])), 1002);
  assert.equal(await closedWith(Buffer.from([2, 1, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255])), 1002);
  assert.equal(await closedWith(Buffer.alloc((1 << 20) + 1)), 1009);
  await witness.next('/clock', 3);
  await witness.close();
});

async function refusal(options, protocols = [kSubprotocol]) {
  const socket = new WebSocket(simulator.url, protocols, options);
  socket.on('error', () => {});
  try {
    const [, response] = await within(once(socket, 'unexpected-response'), 'a refusal');
    return response.statusCode;
  } finally {
    socket.terminate();
  }
}

test('pages of other origins and other names of this machine are refused', async (t) => {
  assert.equal(await refusal({origin: 'https://evil.example'}), 403);
  assert.equal(await refusal({origin: 'null'}), 403);
  assert.equal(await refusal({origin: `http://localhost:${simulator.port + 1}`}), 403);
  assert.equal(await refusal({headers: {Host: 'evil.example'}}), 403);
  assert.equal(await refusal({}, ['other']), 400);
  for (const origin of ['file://', `http://localhost:${simulator.port}`])
    await (await Client.open(t, simulator, {origin})).close();
  const api = (headers) => fetch(`http://localhost:${simulator.port}/api/world`, {headers})
                               .then(({status}) => status);
  assert.equal(await api({}), 200);
  assert.equal(await api({Origin: 'https://evil.example'}), 403);
  assert.equal(await api({'Sec-Fetch-Site': 'cross-site'}), 403);
});

test('there are places for sixteen clients', async (t) => {
  const clients = [];
  for (let i = 0; i < 16; ++i) clients.push(await Client.open(t, simulator));
  assert.equal(await refusal({}), 503);
  await clients.pop().close();
  await eventually(async () => (await simulator.session()).clients <= 15);
  clients.push(await Client.open(t, simulator));
  await Promise.all(clients.map((client) => client.close()));
});

test('a script drives, a browser takes over, and the script drives on', async (t) => {
  const {mkdtempSync, rmSync, writeFileSync} = await import('node:fs');
  const {tmpdir} = await import('node:os');
  const {join} = await import('node:path');
  const folder = mkdtempSync(join(tmpdir(), 'gs-web-'));
  t.after(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, 'drive.yaml'), 'commands:\n- {at: 0, speed: 2}\n');
  const scripted = await Simulator.start('--script', join(folder, 'drive.yaml'));
  const client = await Client.open(t, scripted);
  client.subscribe('/sim/driver', '/vehicle/state');
  const driverIs = (name) => client.until(() => client.messages('/sim/driver').at(-1)?.data === name);
  await driverIs('script');
  client.drive(-1);
  await driverIs('browser');
  assert.equal((await scripted.session()).driver, 'browser');
  await driverIs('script');
  await client.until(() => client.messages('/vehicle/state').at(-1)?.twist.linear.x > 1.5);
  await client.close();
  assert.equal(await scripted.stop(), 0);
});
