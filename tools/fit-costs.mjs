// npm run fit-costs: fits the coefficients of the cost model (cpp/src/cost) to times measured by `npm run bench`.

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
  RESULT.json         output of npm run bench -- --json RESULT.json: all shapes, one thread, the algorithms that can be the fastest
  MORE.json           further runs: coefficients that choose worse in one of them are rejected
  --write             write the tables that improve choices and worsen none to cpp/src/cost`;

const room = join(projectRoot, 'cpp/src/cost');

/** The files with the tables (web/bench/src/fit/table.ts). */
const FILES = { header: join(room, 'constants.hpp'), overrides: join(room, 'tables.cpp') };

/** The parties of the benchmark, and the table with the coefficients of their build. */
const FAMILIES = [
  { party: 'ours', family: 'kZen3', preset: 'native-release', program: 'conv2d_costs' },
  { party: 'ours-relaxed', family: 'kWasmRelaxed', preset: 'wasm-simd', program: 'conv2d_costs_relaxed.js' },
  { party: 'ours-simd', family: 'kWasmSimd', preset: 'wasm-simd', program: 'conv2d_costs.js' },
];

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SetupError(`${file} cannot be read: ${error.message}`, 'npm run bench -- --json RESULT.json');
  }
}

/** The error of a logarithm, as a factor. */
const factor = (residual) => `x ${Math.exp(residual).toFixed(2)}`;

/** One mean per run. */
const formatMeans = ({ means }) => means.map((mean) => mean.toFixed(4)).join(', ');

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help || positionals.length === 0) return say(usage);
  const files = positionals.map(readResults);
  await setUp({});
  const { runnerImport } = await import('vite');
  const { module: fit } = await runnerImport(join(benchFolder, 'src/fit/index.ts'), { configFile: false });
  const coefficients = fit.readCoefficients(readFileSync(FILES.header, 'utf8'));
  const wanted = FAMILIES.flatMap((each) => {
    const runs = files.flatMap((results) => results.filter(({ parties }) => each.party in parties));
    return runs.length > 0 ? [{ ...each, runs }] : [];
  });
  const toolchain = await setUp({ native: true, wasm: wanted.some(({ preset }) => preset.startsWith('wasm')) });
  for (const preset of new Set(wanted.map((each) => each.preset))) {
    const targets = wanted.filter((each) => each.preset === preset).map(({ program }) => program.replace(/\.js$/, ''));
    await buildPreset(preset, toolchain, { targets });
  }
  for (const each of wanted) fitOne(fit, coefficients, each, values.write === true);
});

function fitOne(fit, coefficients, { party, family, preset, program, runs }, write) {
  const ask = askerOf(join(buildRoot, preset, program), party);
  const start = ask([]).values;
  if (start.length !== coefficients.length)
    throw new SetupError(
      `cost/constants.hpp: ${coefficients.length} coefficients in the source, ${start.length} in the program`,
    );
  const found = fit.fitFamily(runs, party, start, (values) => ask(values).costs);
  say(
    `\n${party} (${family}): ${found.choices.length} races, chosen / best ${formatMeans(found)}, errors ${factor(found.residual)}`,
  );
  for (const candidate of found.candidates)
    say(
      `  fitted: chosen / best ${formatMeans(candidate)}, errors ${factor(candidate.residual)}; ` +
        `${candidate.changed.length} choices change, ${candidate.worse.length} for the worse`,
    );
  say(
    `  largest errors: ${found.errors
      .slice(0, 5)
      .map(({ algorithm, residual }) => `${algorithm} ${factor(residual)}`)
      .join(', ')}`,
  );
  if (!fit.explains(found)) say('  The model does not explain these times: its terms are wrong, not its coefficients.');
  const { accepted } = found;
  if (!accepted) return say('  The coefficients stay: every fit that improves a choice also worsens one.');
  for (const { race, algorithm, ratio } of accepted.changed) say(`  ${race}: ${algorithm}, ${ratio.toFixed(2)}`);
  accepted.coefficients.forEach((coefficient, i) => {
    if (Math.abs(Math.log(coefficient / start[i])) > 0.02)
      say(`  ${coefficients[i].group}.${coefficients[i].name}: ${start[i]} -> ${coefficient}`);
  });
  if (!write) return undefined;
  const [{ engine, machine, date }] = runs;
  const where = `Measured with ${engine} on ${machine}, ${date.slice(0, 10)}; fitted by npm run fit-costs.`;
  const before = { header: readFileSync(FILES.header, 'utf8'), overrides: readFileSync(FILES.overrides, 'utf8') };
  const after = fit.writeTable(before, family, where, accepted.coefficients);
  for (const [name, path] of Object.entries(FILES)) writeFileSync(path, after[name]);
  return say(`  wrote ${family} to cpp/src/cost`);
}

/** Returns a function that runs the cost program with given coefficients. In a browser the weights stay packed. */
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
