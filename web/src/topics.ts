// SPDX-License-Identifier: Apache-2.0
// Which topics the page can show is a question of their types; no sensor is known by its name.
import type { Topic } from "./connection";

export const kPictureType = "sensor_msgs/msg/CompressedImage";
export const kCloudType = "sensor_msgs/msg/PointCloud2";

export function namesOfType(topics: Topic[], type: string): string[] {
  return topics.filter((t) => t.type === type).map((t) => t.name);
}

// "/camera/front/image_raw/compressed" -> "front": topics of sensors are /kind/id/what.
export function sensorIdOf(topic: string): string {
  return topic.split("/")[2] ?? topic;
}
