// npm run bench: times every algorithm of this project, natively and as WebAssembly in Chromium.

import { raceInChromium } from './bench/chromium.mjs';
import { raceNatively } from './bench/native.mjs';
import { readOptions } from './bench/options.mjs';
import { writeReport } from './bench/write-report.mjs';
import { buildModules } from './setup/cmake-build.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const usage = `npm run bench -- [options]
  --shapes S1,R2      named shapes (tests/problems/named_shapes.json); all by default
  --passes fwd,dx     fwd, dx, dw, db or their long names; all by default
  --variant all       relaxed (default), simd, all
  --algorithms plan   names of algorithms, raced beside the plan's choice; all by default
  --where native      native, chromium, all (default)
  --threads 1         threads; 1,2 races both
  --rounds 15         interleaved rounds
  --json FILE --table FILE --plot FILE.svg`;

await runMain(async () => {
  const options = readOptions({ parties: ['ours'], where: ['all', 'native', 'chromium'] });
  if (options.help) return say(usage);
  const [web, native] = ['chromium', 'native'].map((where) => options.where.includes(where));
  const toolchain = await setUp({ wasm: web, browser: web, native });
  const results = [];
  if (native) results.push(await raceNatively(toolchain, options, false));
  if (web) {
    await buildModules(toolchain);
    results.push(await raceInChromium('ours', options, false));
  }
  await writeReport(results, options.files);
});
