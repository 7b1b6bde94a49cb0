// SPDX-License-Identifier: Apache-2.0
// The ground as a shaded mesh with a grid of 10 m, tinted where the world is drivable. The tint is a
// picture laid over the mesh, so that it follows every slope.
import * as three from "three";
import { themeColor } from "../theme";
import type { Ground } from "../world_data";

const kFlatHalfSize = 200;

const kVertex = `
  varying vec3 v_map;
  varying vec3 v_normal;
  void main() {
    v_map = position;
    v_normal = normal;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const kFragment = `
  uniform vec3 base;
  uniform vec3 grid;
  uniform vec3 tint;
  uniform sampler2D drivable;
  uniform vec4 extent;  // lower x y, size x y of the picture
  uniform float tint_strength;
  varying vec3 v_map;
  varying vec3 v_normal;

  float lines(float every) {
    vec2 at = v_map.xy / every;
    vec2 width = fwidth(at);
    vec2 away = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
    float fade = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
    return (1.0 - min(min(away.x, away.y), 1.0)) * fade;
  }

  void main() {
    vec3 n = normalize(v_normal);
    float light = dot(n, normalize(vec3(0.35, 0.25, 0.9)));
    vec3 color = base * (0.45 + 0.61 * max(light, 0.0));
    vec2 uv = (v_map.xy - extent.xy) / extent.zw;
    float inside = texture2D(drivable, uv).r;
    color = mix(color, tint, inside * tint_strength);
    color = mix(color, grid, 0.55 * lines(10.0));
    gl_FragColor = vec4(color, 1.0);
    #include <colorspace_fragment>
  }`;

function flatGround(): Ground {
  const resolution = kFlatHalfSize;
  const heights = new Float32Array(9);
  return { origin_x: -kFlatHalfSize, origin_y: -kFlatHalfSize, resolution, width: 3, height: 3, heights };
}

// Every stride-th sample; triangles only where all three corners are known.
function meshOf(ground: Ground, most_cells: number): three.BufferGeometry {
  const stride = Math.max(1, Math.ceil(Math.max(ground.width, ground.height) / most_cells));
  const columns = Math.floor((ground.width - 1) / stride) + 1;
  const rows = Math.floor((ground.height - 1) / stride) + 1;
  const positions = new Float32Array(3 * columns * rows);
  const indices: number[] = [];
  const isKnown = (i: number): boolean => !Number.isNaN(positions[3 * i + 2]!);
  for (let r = 0; r < rows; ++r) {
    for (let c = 0; c < columns; ++c) {
      const i = r * columns + c;
      positions[3 * i] = ground.origin_x + c * stride * ground.resolution;
      positions[3 * i + 1] = ground.origin_y + r * stride * ground.resolution;
      positions[3 * i + 2] = ground.heights[r * stride * ground.width + c * stride]!;
    }
  }
  const add = (a: number, b: number, c: number): void => {
    if (isKnown(a) && isKnown(b) && isKnown(c)) indices.push(a, b, c);
  };
  for (let r = 0; r + 1 < rows; ++r) {
    for (let c = 0; c + 1 < columns; ++c) {
      const i = r * columns + c;
      add(i, i + 1, i + columns);
      add(i + 1, i + columns + 1, i + columns);
    }
  }
  // What no triangle uses must not poison the bounding sphere.
  for (let i = 2; i < positions.length; i += 3) if (Number.isNaN(positions[i]!)) positions[i] = 0;
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", new three.BufferAttribute(positions, 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

export class GroundLayer {
  readonly object: three.Mesh<three.BufferGeometry, three.ShaderMaterial>;
  readonly extent: three.Vector4;
  private readonly ground: Ground;

  constructor(known: Ground | undefined, most_cells: number) {
    this.ground = known ?? flatGround();
    const { origin_x, origin_y, width, height, resolution } = this.ground;
    this.extent = new three.Vector4(
      origin_x,
      origin_y,
      (width - 1) * resolution,
      (height - 1) * resolution,
    );
    const material = new three.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      side: three.DoubleSide,
      polygonOffset: true, // lines on the ground win
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      uniforms: {
        base: { value: new three.Color() },
        grid: { value: new three.Color() },
        tint: { value: new three.Color() },
        drivable: { value: null },
        extent: { value: this.extent },
        tint_strength: { value: 0 },
      },
    });
    this.object = new three.Mesh(meshOf(this.ground, most_cells), material);
    this.applyTheme();
  }

  applyTheme(): void {
    const { uniforms } = this.object.material;
    (uniforms["base"]!.value as three.Color).set(themeColor("scene-ground"));
    (uniforms["grid"]!.value as three.Color).set(themeColor("scene-grid"));
    (uniforms["tint"]!.value as three.Color).set(themeColor("scene-drivable"));
  }

  // The picture of the drivable area, or none.
  tint(picture: three.Texture | null): void {
    this.object.material.uniforms["drivable"]!.value = picture;
    this.object.material.uniforms["tint_strength"]!.value = picture ? 0.45 : 0;
  }

  // NaN where nothing is known.
  heightAt(x: number, y: number): number {
    const { origin_x, origin_y, resolution, width, height, heights } = this.ground;
    const column = Math.round((x - origin_x) / resolution);
    const row = Math.round((y - origin_y) / resolution);
    if (column < 0 || row < 0 || column >= width || row >= height) return NaN;
    return heights[row * width + column]!;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
