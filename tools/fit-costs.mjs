// npm run fit-costs: fits the prices of the cost model (cpp/src/cost) to times that `npm run bench` has measured.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFolder } from './bench/page-server.mjs';
import { buildPreset } from './setup/cmake-build.mjs';
import { relaxedSimdFlags } from './setup/node-flags.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const usage = `npm run fit-costs -- RESULT.json [MORE.json ...] [options]
  RESULT.json         what npm run bench -- --json RESULT.json wrote: all shapes, one thread, the algorithms that can be the best
  MORE.json           further runs: prices that choose worse in one of them are not taken
  --write             write the tables that make the choices better and none worse into cpp/src/cost`;

const room = join(projectRoot, 'cpp/src/cost');

/** The parties of the benchmark, and the table that their build takes its prices from. */
const FAMILIES = [
  { party: 'ours', family: 'kZen3', file: 'zen3.cpp', preset: 'native-release', program: 'conv2d_costs' },
  {
    party: 'ours-relaxed',
    family: 'kWasmRelaxed',
    file: 'wasm_relaxed.cpp',
    preset: 'wasm-simd',
    program: 'conv2d_costs_relaxed.js',
  },
  { party: 'ours-simd', family: 'kWasmSimd', file: 'wasm_simd.cpp', preset: 'wasm-simd', program: 'conv2d_costs.js' },
];

/** Errors of logarithms, as a factor. */
const factor = (residual) => `x ${Math.exp(residual).toFixed(2)}`;

/** By run. */
const meansOf = ({ means }) => means.map((mean) => mean.toFixed(4)).join(', ');

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help || positionals.length === 0) return say(usage);
  const files = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const { runnerImport } = await import('vite');
  const { module: fit } = await runnerImport(join(benchFolder, 'src/fit/index.ts'), { configFile: false });
  const prices = fit.readPrices(readFileSync(join(room, 'constants.hpp'), 'utf8'));
  const wanted = FAMILIES.flatMap((each) => {
    const runs = files.flatMap((results) => results.filter(({ parties }) => each.party in parties));
    return runs.length > 0 ? [{ ...each, runs }] : [];
  });
  const toolchain = await setUp({ native: true, wasm: wanted.some(({ preset }) => preset.startsWith('wasm')) });
  for (const preset of new Set(wanted.map((each) => each.preset))) {
    const targets = wanted.filter((each) => each.preset === preset).map(({ program }) => program.replace(/\.js$/, ''));
    await buildPreset(preset, toolchain, { targets });
  }
  for (const each of wanted) fitOne(fit, prices, each, values.write === true);
});

function fitOne(fit, prices, { party, family, file, preset, program, runs }, write) {
  const ask = askerOf(join(buildRoot, preset, program), party);
  const start = ask([]).values;
  if (start.length !== prices.length)
    throw new SetupError(`cost/constants.hpp: ${prices.length} prices were read, ${start.length} are compiled`);
  const found = fit.fitFamily(runs, party, start, (values) => ask(values).costs);
  say(
    `\n${party} (${family}): ${found.choices.length} races, chosen / best ${meansOf(found)}, errors ${factor(found.residual)}`,
  );
  for (const offer of found.offers)
    say(
      `  fitted: chosen / best ${meansOf(offer)}, errors ${factor(offer.residual)}; ` +
        `${offer.changed.length} choices change, ${offer.worse.length} for the worse`,
    );
  say(
    `  largest errors: ${found.errors
      .slice(0, 5)
      .map(({ algorithm, residual }) => `${algorithm} ${factor(residual)}`)
      .join(', ')}`,
  );
  if (!fit.explains(found)) say('  The model does not explain these times: what it counts is wrong, not its prices.');
  const { taken } = found;
  if (!taken)
    return say('  The prices in force stay: none of the fits chooses better without a worse choice somewhere.');
  for (const { race, algorithm, ratio } of taken.changed) say(`  ${race}: ${algorithm}, ${ratio.toFixed(2)}`);
  taken.prices.forEach((price, i) => {
    if (Math.abs(Math.log(price / start[i])) > 0.02)
      say(`  ${prices[i].group}.${prices[i].name}: ${start[i]} -> ${price}`);
  });
  if (!write) return undefined;
  const [{ engine, machine, date }] = runs;
  const where = `Measured with ${engine} on ${machine}, ${date.slice(0, 10)}; fitted by npm run fit-costs.`;
  writeFileSync(join(room, file), fit.writeTable(family, where, prices, taken.prices));
  return say(`  wrote cpp/src/cost/${file}`);
}

/** What the library says of all algorithms at given prices; in a browser it keeps the weights packed. */
function askerOf(program, party) {
  const [command, first] = program.endsWith('.js')
    ? [process.execPath, [...relaxedSimdFlags(), program]]
    : [program, []];
  const options = party === 'ours' ? [] : ['--packed'];
  return (values) => {
    const { status, stdout, stderr } = spawnSync(command, [...first, ...options, ...values.map(String)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new SetupError(`${program} failed: ${stderr}`);
    return JSON.parse(stdout);
  };
}
