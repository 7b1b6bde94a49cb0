// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.mjs";

const { kPictureType, kCloudType, namesOfType, sensorIdOf } = await load("topics");

test("what can be shown is found by its type, whatever it is called", () => {
  const topics = [
    { name: "/camera/front/image_raw", type: "sensor_msgs/msg/Image" },
    { name: "/camera/front/image_raw/compressed", type: kPictureType },
    { name: "/thermal/roof/picture", type: kPictureType },
    { name: "/radar/left/points", type: kCloudType },
    { name: "/imu/main/data", type: "sensor_msgs/msg/Imu" },
  ];
  assert.deepEqual(namesOfType(topics, kPictureType), [
    "/camera/front/image_raw/compressed",
    "/thermal/roof/picture",
  ]);
  assert.deepEqual(namesOfType(topics, kCloudType), ["/radar/left/points"]);
});

test("a sensor's topic names its id", () => {
  assert.equal(sensorIdOf("/camera/front/image_raw/compressed"), "front");
  assert.equal(sensorIdOf("/odd"), "/odd");
});
