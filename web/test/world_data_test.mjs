// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.mjs";

const { readGround, readMapPoints, readWorld } = await load("world_data");
const { RecordedPath } = await load("flight/path_position");

function ground(width, height, heights) {
  const bytes = new ArrayBuffer(20 + 4 * heights.length);
  const view = new DataView(bytes);
  [1, 2, 0.5].forEach((value, i) => view.setFloat32(4 * i, value, true));
  view.setUint32(12, width, true);
  view.setUint32(16, height, true);
  heights.forEach((value, i) => view.setFloat32(20 + 4 * i, value, true));
  return bytes;
}

test("ground is read as it was written", () => {
  const read = readGround(ground(2, 2, [0, 1, NaN, 3]));
  assert.deepEqual([read.origin_x, read.origin_y, read.resolution], [1, 2, 0.5]);
  assert.deepEqual([...read.heights], [0, 1, NaN, 3]);
});

test("ground whose size does not fit its bytes is no ground", () => {
  assert.equal(readGround(ground(4000000000, 2, [0, 1, 2, 3])), undefined);
  assert.equal(readGround(ground(2, 2, [0, 1, 2])), undefined);
  assert.equal(readGround(new ArrayBuffer(3)), undefined);
});

test("points whose number does not fit their bytes are no points", () => {
  assert.equal(readMapPoints(new Uint8Array([255, 255, 255, 255, 0]).buffer), undefined);
  assert.equal(readMapPoints(new ArrayBuffer(4)).positions.length, 0);
});

test("polygons with holes become rings", () => {
  const ring = [[0, 0], [1, 0], [1, 1]];
  assert.equal(readWorld({ drivable: [[ring, ring], [ring]] }).drivable.length, 3);
});

test("a world of anything is a world", () => {
  for (const value of [null, [], "x", { vehicle: 3, cameras: "y", drivable: [[[NaN, 1]]], trajectory: [[1]] }]) {
    const world = readWorld(value);
    assert.ok(world.vehicle.length > 0);
    assert.deepEqual(world.trajectory, []);
  }
});

// East for 10 m, then north for 10 m.
const kPath = new RecordedPath(readWorld({ trajectory: [[0, 0, 1], [10, 0, 1], [10, 10, 1]] }));

test("left of the path is the positive side", () => {
  assert.equal(kPath.length, 20);
  const place = kPath.at(5, 2);
  assert.deepEqual([place.x, place.y, place.z, place.yaw], [5, 2, 1, 0]);
  const later = kPath.at(15, 2);
  assert.ok(Math.hypot(later.x - 8, later.y - 5) < 1e-9);
  assert.ok(Math.abs(later.yaw - Math.PI / 2) < 1e-9);
});

test("the distance to the path is the shortest", () => {
  assert.equal(kPath.distanceTo(5, -3), 3);
  assert.equal(kPath.distanceTo(13, 14), 5);
});

test("a world without a path has no places on it", () => {
  const none = new RecordedPath(readWorld({}));
  assert.equal(none.length, 0);
  assert.equal(none.at(1, 0), undefined);
});
