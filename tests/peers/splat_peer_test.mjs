// SPDX-License-Identifier: Apache-2.0
// Do other people's programs read what we write, and do we read what they write?
//   node --test tests/peers/        (GS_WORLD_BUILDER: the program, default build/bin/gs-world-builder)
// Once before: npm ci --ignore-scripts (in tests/peers; nothing here needs a GPU).
// Peers: splat-transform (PlayCanvas) for PLY and .splat, the SPZ library of Niantic and Adobe.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import createSpz from '@adobe/spz';

const here = dirname(fileURLToPath(import.meta.url));
const builder = process.env.GS_WORLD_BUILDER ?? join(here, '../../build/bin/gs-world-builder');
const transform = join(here, 'node_modules/@playcanvas/splat-transform/bin/cli.mjs');
const skip = existsSync(builder) ? false : `${builder} is not built`;
const dir = mkdtempSync(join(tmpdir(), 'gs_splat_peer_'));
after(() => rmSync(dir, {recursive: true}));

const run = (...args) => execFileSync(builder, args, {encoding: 'utf8'});
const splatTransform = (...args) => execFileSync(process.execPath, [transform, '-w', ...args]);

const scalars = ['x', 'y', 'z', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3',
                 'opacity', 'f_dc_0', 'f_dc_1', 'f_dc_2'];
const restNames = (degree) =>
    Array.from({length: 3 * ((degree + 1) ** 2 - 1)}, (_, i) => `f_rest_${i}`);

// A binary little-endian PLY of floats: {names, rows: [{name: value}]}.
function readPly(path) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf('end_header\n') + 11;
  const header = bytes.subarray(0, end).toString('latin1');
  assert.match(header, /format binary_little_endian 1.0/);
  const names = [...header.matchAll(/property float (\S+)/g)].map((m) => m[1]);
  const count = Number(header.match(/element vertex (\d+)/)[1]);
  const rows = [];
  for (let i = 0; i < count; ++i)
    rows.push(Object.fromEntries(
        names.map((name, k) => [name, bytes.readFloatLE(end + 4 * (i * names.length + k))])));
  return {names, rows};
}

function writePly(path, names, rows) {
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${rows.length}\n` +
      names.map((name) => `property float ${name}\n`).join('') + 'end_header\n';
  const body = Buffer.alloc(4 * names.length * rows.length);
  rows.forEach((row, i) => names.forEach(
      (name, k) => body.writeFloatLE(row[name], 4 * (i * names.length + k))));
  writeFileSync(path, Buffer.concat([Buffer.from(header, 'latin1'), body]));
}

// Splats that every format can hold, as a world bundle stores them (quaternion x, y, z, w).
function makeRows(count, degree) {
  let state = 12345;
  const random = (low, high) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.fround(low + (high - low) * (state / 2 ** 32));
  };
  return Array.from({length: count}, () => {
    const q = [random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)];
    const length = Math.hypot(...q);
    const row = {};
    for (const name of ['x', 'y', 'z']) row[name] = random(-100, 100);
    for (const k of [0, 1, 2]) row[`scale_${k}`] = random(-7, 1);
    q.forEach((value, k) => row[`rot_${k}`] = Math.fround(value / length));
    row.opacity = random(-4, 4);
    for (const k of [0, 1, 2]) row[`f_dc_${k}`] = random(-1.5, 1.5);
    for (const name of restNames(degree)) row[name] = random(-0.9, 0.9);
    return row;
  });
}

const assertNear = (actual, expected, tolerance, what) =>
    assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, not ${expected}`);

// q and -q are one rotation.
function assertSameRotation(actual, expected, tolerance, what) {
  const dot = [0, 1, 2, 3].reduce((sum, k) => sum + actual[`rot_${k}`] * expected[`rot_${k}`], 0);
  assertNear(Math.abs(dot), 1, tolerance, what);
}

test('splat-transform reads our export and its PLY comes back with the same numbers', {skip}, () => {
  for (const degree of [0, 1, 2, 3]) {
    const at = (name) => join(dir, `${name}${degree}.ply`);
    const names = [...scalars, ...restNames(degree)];
    writePly(at('bundle'), names, makeRows(50, degree));
    run('export', at('bundle'), '--output', at('ours'));
    splatTransform(at('ours'), at('theirs'));
    const ours = readPly(at('ours')).rows;
    const theirs = readPly(at('theirs'));
    assert.equal(theirs.rows.length, ours.length);
    for (const name of names)
      theirs.rows.forEach((row, i) => assert.equal(row[name], ours[i][name], `${name} of ${i}`));
    run('import', at('theirs'), '--output', at('back'));
    assert.deepEqual(readFileSync(at('back')), readFileSync(at('bundle')));
  }
});

test('splat-transform and we see the same in a .splat file', {skip}, () => {
  const records = makeRows(200, 0).map((row) => {
    const bytes = Buffer.alloc(32);
    ['x', 'y', 'z'].forEach((name, k) => bytes.writeFloatLE(row[name], 4 * k));
    [0, 1, 2].forEach((k) => bytes.writeFloatLE(Math.exp(row[`scale_${k}`]), 12 + 4 * k));
    [0, 1, 2].forEach((k) => bytes[24 + k] = Math.round(127 + 80 * row[`f_dc_${k}`] / 1.5));
    bytes[27] = Math.round(255 / (1 + Math.exp(-row.opacity)));
    [3, 0, 1, 2].forEach((k, n) => bytes[28 + n] = Math.round(128 + 127 * row[`rot_${k}`]));
    return bytes;
  });
  const file = join(dir, 'a.splat');
  writeFileSync(file, Buffer.concat(records));
  splatTransform(file, join(dir, 'splat_theirs.ply'));
  run('import', file, '--output', join(dir, 'splat_ours.ply'));
  run('import', join(dir, 'splat_theirs.ply'), '--output', join(dir, 'splat_via.ply'));
  const ours = readPly(join(dir, 'splat_ours.ply')).rows;
  const theirs = readPly(join(dir, 'splat_via.ply')).rows;
  assert.equal(ours.length, 200);
  assert.equal(theirs.length, 200);
  ours.forEach((row, i) => {
    for (const name of ['x', 'y', 'z']) assert.equal(row[name], theirs[i][name]);
    for (const name of scalars.filter((n) => !/^(rot|[xyz])/.test(n)))
      assertNear(row[name], theirs[i][name], 1e-4, `${name} of ${i}`);
    assertSameRotation(row, theirs[i], 1e-4, `rotation of ${i}`);
  });
});

for (const version of [2, 3])
  test(`we read SPZ version ${version} as its own library does`, {skip}, async () => {
    const spz = await createSpz({print: () => {}, printErr: () => {}});
    for (const degree of [0, 1, 2, 3]) {
      const rows = makeRows(300, degree);
      const coefficients = (degree + 1) ** 2 - 1;
      const flat = (names) => Float32Array.from(rows.flatMap((row) => names.map((n) => row[n])));
      // Theirs is [coefficient][channel], the PLY's is [channel][coefficient].
      const shNames = Array.from({length: 3 * coefficients},
                                 (_, i) => `f_rest_${(i % 3) * coefficients + Math.floor(i / 3)}`);
      const saved = spz.saveSpzToBuffer(
          {numPoints: rows.length, shDegree: degree, antialiased: false, extensions: [],
           positions: flat(['x', 'y', 'z']), scales: flat(['scale_0', 'scale_1', 'scale_2']),
           rotations: flat(['rot_0', 'rot_1', 'rot_2', 'rot_3']), alphas: flat(['opacity']),
           colors: flat(['f_dc_0', 'f_dc_1', 'f_dc_2']), sh: flat(shNames)},
          {version, from: spz.CoordinateSystem.RDF, sh1Bits: 8, shRestBits: 8});
      const file = join(dir, `v${version}d${degree}.spz`);
      writeFileSync(file, saved);
      run('import', file, '--output', `${file}.ply`);
      const ours = readPly(`${file}.ply`).rows;
      const theirs = spz.loadSpzFromBuffer(saved, {to: spz.CoordinateSystem.RDF});
      assert.equal(ours.length, rows.length);
      ours.forEach((row, i) => {
        const same = (names, values, tolerance) => names.forEach(
            (name, k) => assertNear(row[name], values[names.length * i + k], tolerance,
                                    `${name} of ${i}`));
        same(['x', 'y', 'z'], theirs.positions, 0);
        same(['scale_0', 'scale_1', 'scale_2'], theirs.scales, 0);
        same(['f_dc_0', 'f_dc_1', 'f_dc_2'], theirs.colors, 1e-5);
        same(['opacity'], theirs.alphas, 1e-4);
        same(shNames, theirs.sh, 0);
        for (const k of [0, 1, 2, 3])
          assertNear(row[`rot_${k}`], theirs.rotations[4 * i + k], 1e-2, `rot_${k} of ${i}`);
        // Version 2 derives w from three bytes: a small w is a guess.
        assertSameRotation(row, rows[i], version === 2 ? 1e-2 : 2e-5, `rotation of ${i}`);
        for (const name of ['x', 'y', 'z'])
          assertNear(row[name], rows[i][name], 0.51 / 4096, `${name} of ${i}, as it was`);
        for (const name of restNames(degree))
          assertNear(row[name], rows[i][name], 0.51 / 128, `${name} of ${i}, as it was`);
      });
    }
  });
