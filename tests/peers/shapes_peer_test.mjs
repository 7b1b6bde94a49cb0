// SPDX-License-Identifier: Apache-2.0
// GLB and GeoJSON files of ours, judged by the Khronos validator and by Mapbox' geojsonhint.
// GS_PEER_DIR names the folder that write_peer_files filled.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import geojsonhint from '@mapbox/geojsonhint';
import validator from 'gltf-validator';

const directory = process.env.GS_PEER_DIR;
assert.ok(directory, 'set GS_PEER_DIR to the folder that write_peer_files filled');

for (const name of ['mesh.glb', 'bare_mesh.glb', 'empty_mesh.glb', 'compact_mesh.glb',
                    'empty_compact_mesh.glb', 'tsdf_mesh.glb',
                    'poisson_mesh.glb']) {
  test(`the Khronos validator finds nothing wrong with ${name}`, async () => {
    const bytes = new Uint8Array(readFileSync(join(directory, name)));
    const report = await validator.validateBytes(bytes);
    const {numErrors, numWarnings, messages} = report.issues;
    assert.equal(numErrors + numWarnings, 0, JSON.stringify(messages, null, 1));
  });
}

// No message is accepted: it does not mind metres, nor the 2008 member `crs` that our schema requires.
for (const name of ['drivable.geojson', 'empty_drivable.geojson']) {
  test(`geojsonhint finds nothing wrong with ${name}`, () => {
    const text = readFileSync(join(directory, name), 'utf8');
    assert.deepEqual(geojsonhint.hint(text), []);
  });
}
