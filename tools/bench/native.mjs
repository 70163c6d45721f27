// The native benchmark: one run of conv2d_bench per shape and pass, to show progress and to exclude slow entries from
// the rounds.

import { mkdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { closePrivateApt } from '../setup/apt-private.mjs';
import { buildPreset, configurePreset } from '../setup/cmake-build.mjs';
import { ensureNativePeers } from '../setup/native-peers.mjs';
import { buildRoot } from '../setup/paths.mjs';
import { SetupError, step } from '../setup/report.mjs';
import { capture, mustRun } from '../setup/run-process.mjs';
import { hasApt, installPackages } from '../setup/system-packages.mjs';

/** The context of the benchmark results has a version under the name of each one. */
const NATIVE_PEERS = ['onednn', 'openblas', 'xnnpack'];

const report = join(buildRoot, 'reports/native-bench.json');

/** Google Benchmark repeats a call for this many seconds per sample. */
const SECONDS_PER_SAMPLE = 0.02;
/** Entries that are this much slower than the fastest keep the single sample of the pilot run. */
const TOO_SLOW = 20;

// biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own notation.
const statusFormat = '${db:Status-Status}';

/** Resolves with a BenchResult (web/bench/src/result.ts): every algorithm, or the planned algorithm and the peers. */
export async function raceNatively(toolchain, { shapes, passes, algorithms, threads, rounds }, peers) {
  await installPackages(await missingPackages());
  const { name, command, tools } = peers ? await withPeers(toolchain) : alone(toolchain);
  // Reconfigures: an older configuration has cached that the packages are missing.
  await configurePreset('native-release', tools);
  await buildPreset('native-release', tools, { targets: [name] });
  const run = runner([...command, join(buildRoot, 'native-release', name)], threads);
  mkdirSync(join(buildRoot, 'reports'), { recursive: true });
  return step('racing natively', async (progress) => {
    const forms = peers
      ? `(ours[^/]*/(plan|strict):|(${NATIVE_PEERS.join('|')})/)`
      : await ourForms(algorithms, join(buildRoot, 'native-release', name));
    const roof = await run('^ceiling/', rounds);
    const parties = nativeParties(roof.context, threads, peers);
    const races = [];
    for (const shape of shapes) {
      for (const pass of passes) {
        progress(`${races.length + 1} of ${shapes.length * passes.length}, ${shape} ${pass}`);
        races.push(await race(run, shape, pass, rounds, threads, forms));
      }
    }
    return {
      where: 'native',
      date: new Date().toISOString(),
      machine: cpus()[0]?.model ?? 'unknown',
      engine: 'native',
      threads: threads[0],
      rounds,
      parties,
      ceilings: ceilingsOf(samplesByName(roof, threads)),
      races,
    };
  });
}

/** The program without peers, which needs nothing to run. */
const alone = (tools) => ({ name: 'conv2d_bench', command: [], tools });

async function withPeers(toolchain) {
  const { folder, command } = await ensureNativePeers().finally(closePrivateApt);
  return { name: 'conv2d_bench_peers', command, tools: { ...toolchain, nativePeers: folder } };
}

/** { name: version } of the parties. `context` is the context of the benchmark results. */
export function nativeParties(context, threads, peers) {
  const ours = threads.map((count) => [count === 1 ? 'ours' : `ours-${count}-threads`, 'this tree']);
  return Object.fromEntries([...ours, ...(peers ? NATIVE_PEERS.map((name) => [name, context[name]]) : [])]);
}

async function missingPackages() {
  if (!hasApt()) return [];
  const name = 'libbenchmark-dev';
  const { stdout } = await capture('dpkg-query', ['--show', '--showformat', statusFormat, name]);
  return stdout.trim() === 'installed' ? [] : [{ name, reason: 'the native benchmark' }];
}

/** Runs the program that `command` begins with. */
const runner = (command, threads) => async (filter, repetitions) => {
  const options = [
    `--threads=${threads.join(',')}`,
    `--benchmark_filter=${filter}`,
    `--benchmark_repetitions=${repetitions}`,
    '--benchmark_enable_random_interleaving=true',
    `--benchmark_min_time=${SECONDS_PER_SAMPLE}`,
    `--benchmark_out=${report}`,
    '--benchmark_out_format=json',
  ];
  const [program, ...first] = command;
  // The thread pools of the peers.
  const counts = { OMP_NUM_THREADS: String(threads[0]), OPENBLAS_NUM_THREADS: String(threads[0]) };
  await mustRun(program, [...first, ...options], { env: { ...process.env, ...counts } });
  // The spread of equal samples is written as NaN, which JSON does not support.
  return JSON.parse(readFileSync(report, 'utf8').replace(/: -?(nan|inf(inity)?)\b/gi, ': null'));
};

/** A part of a regular expression that matches the names of our entries. */
async function ourForms(algorithms, program) {
  if (algorithms === 'all') return 'ours[^/]*/';
  const { stdout } = await capture(program, ['--benchmark_list_tests=true']);
  const names = new Set(stdout.split('\n').flatMap((line) => /\/ours\/(\w+)$/.exec(line)?.[1] ?? []));
  const unknown = algorithms.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new SetupError(`--algorithms: there is no ${unknown.join(', ')}`, `choose from ${[...names].join(', ')}`);
  return `ours[^/]*/(plan:|(${algorithms.join('|')})(/|$))`;
}

async function race(run, shape, pass, rounds, threads, forms) {
  const pilot = samplesByName(await run(`^${shape}/${pass}/${forms}`, 1), threads);
  const failures = [...pilot.values()].filter(({ failure }) => failure);
  const right = [...pilot.values()].filter(({ failure }) => !failure);
  const fastest = Math.min(...right.map(({ samples }) => samples[0]));
  const quick = right.filter(({ samples }) => samples[0] <= TOO_SLOW * fastest).map(({ name }) => name);
  const timed = samplesByName(await run(`^(${quick.join('|')})$`, rounds), threads);
  const first = right[0];
  return {
    shape,
    pass,
    flops: first?.flops ?? 0,
    tensorFloats: first?.tensorFloats ?? 0,
    entries: right.map((entry) => entryOf(timed.get(entry.name) ?? entry)),
    failures: failures.map(({ name, failure }) => ({ ...partyAndForm(name), what: failure })),
  };
}

/**
 * Repetitions of Google Benchmark by name. CPU time if all entries have one thread, so other processes do not count.
 */
function samplesByName({ benchmarks }, threads) {
  const byName = new Map();
  for (const row of benchmarks.filter(({ run_type }) => run_type === 'iteration')) {
    const name = row.run_name;
    const entry = byName.get(name) ?? {
      name,
      samples: [],
      flops: row.flops,
      tensorFloats: row.tensor_floats,
      workspaceFloats: row.workspace_floats,
      error: row.error,
    };
    if (row.error_occurred) entry.failure = row.error_message;
    entry.samples.push(threads.every((count) => count === 1) ? row.cpu_time : row.real_time);
    byName.set(name, entry);
  }
  return byName;
}

function partyAndForm(name) {
  const [, , party, form] = name.split('/');
  return { party, form: form.replace(/:.*/, '') };
}

function entryOf({ name, samples, error, workspaceFloats }) {
  const algorithm = /(?:plan|strict):(.*)/.exec(name)?.[1];
  const kernel = { median: median(samples), samples };
  return { ...partyAndForm(name), error, kernel, workspaceFloats, ...(algorithm ? { algorithm } : {}) };
}

function ceilingsOf(byName) {
  return Object.fromEntries(
    [...byName.values()].map(({ name, samples, flops }) => {
      const speeds = samples.map((milliseconds) => flops / milliseconds / 1e6);
      return [name.replace('ceiling/', ''), { median: median(speeds), best: Math.max(...speeds) }];
    }),
  );
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
