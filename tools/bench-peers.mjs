// npm run bench:peers: compares this project with other libraries, in one run of Chromium (or natively: --where
// native).

import { raceInChromium } from './bench/chromium.mjs';
import { raceNatively } from './bench/native.mjs';
import { readOptions } from './bench/options.mjs';
import { benchFolder } from './bench/page-server.mjs';
import { writeReport } from './bench/write-report.mjs';
import { buildModules } from './setup/cmake-build.mjs';
import { ensureInstalled } from './setup/node-modules.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const usage = `npm run bench:peers -- [options]
  --shapes S1,R2      named shapes (tests/problems/named_shapes.json); all by default
  --passes fwd,dx     fwd, dx, dw, db or their long names; all by default
  --parties ort,...   litert, tfjs, ort, ort-training; all by default
                      (natively: always oneDNN, OpenBLAS and XNNPACK of Debian trixie)
  --variant all       relaxed (default), simd, all
  --where native      chromium (default), native, all
  --threads 1         threads of every party; 1,2 races ours on both, the others on 1
  --rounds 15         interleaved rounds
  --json FILE --table FILE --plot FILE.svg`;

/** A lock file of its own: only this benchmark needs them. */
const PEERS = {
  folder: benchFolder,
  name: 'peer-packages',
  title: "installing the peers' npm packages (350 MB, in web/bench only)",
  what: 'npm ci in web/bench',
  // Their install scripts download native builds that a browser does not need.
  options: ['--ignore-scripts'],
};

await runMain(async () => {
  const options = readOptions({
    parties: ['litert', 'tfjs', 'ort', 'ort-training'],
    where: ['chromium', 'native'],
  });
  if (options.help) return say(usage);
  const [web, native] = ['chromium', 'native'].map((where) => options.where.includes(where));
  const toolchain = await setUp({ wasm: web, browser: web, native });
  const results = [];
  if (web) {
    await ensureInstalled(PEERS);
    await buildModules(toolchain);
    results.push(await raceInChromium('peers', options, true));
  }
  if (native) results.push(await raceNatively(toolchain, options, true));
  await writeReport(results, options.files);
});
