// Configures and builds a preset with the toolchain that the set-up found.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildRoot, nodeModules, projectRoot } from './paths.mjs';
import { withLock } from './private-folder.mjs';
import { SetupError, step } from './report.mjs';
import { capture, which } from './run-process.mjs';

export const isWasm = (preset) => preset.startsWith('wasm');
export const isArm = (preset) => preset === 'native-arm';

function environment(preset, { emscripten, nativeDeps }) {
  const env = { ...process.env, CONV2D_DEPS_DIR: nativeDeps ?? '' };
  if (which('ninja')) env.CMAKE_GENERATOR ??= 'Ninja';
  if (!isWasm(preset)) return env;
  const path = [typescript5(), env.PATH].join(delimiter);
  return { ...env, ...emscripten.env, CONV2D_EMSCRIPTEN: emscripten.root, PATH: path };
}

/** A folder whose only program is TypeScript 5's tsc: --emit-tsd of Emscripten 3.1 calls it in a way that 6 and 7 refuse. */
function typescript5() {
  const folder = join(buildRoot, 'typescript5');
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'tsc');
  if (!existsSync(link)) symlinkSync(join(nodeModules, 'typescript5/bin/tsc'), link);
  return folder;
}

/** What runs CMake for a preset and fails with what it said. */
function cmakeFor(preset, env, { show = false, background = false } = {}) {
  return async (what, args, progress) => {
    const onOutput = (text) => progress(/\[\s*\d+(?:\/\d+|%)\]/.exec(text)?.[0] ?? '');
    const { code, output } = await capture('cmake', args, { cwd: projectRoot, env, show, background, onOutput });
    if (code !== 0) throw new SetupError(`${what} ${preset} failed (exit ${code})\n${withoutProgress(output)}`);
  };
}

/** Configures a preset, so that its build folder says how each source is compiled. `toolchain` is what setUp resolved with. */
export async function configurePreset(preset, toolchain, options) {
  const run = cmakeFor(preset, environment(preset, toolchain), options);
  await step(`configuring ${preset}`, (progress) => run('configuring', ['--preset', preset], progress));
}

/** Builds `targets` (all by default) of a preset. `show` passes CMake's output on; `background` leaves the processors to others. */
export async function buildPreset(preset, toolchain, { targets = [], ...options } = {}) {
  const env = environment(preset, toolchain);
  const run = cmakeFor(preset, env, options);
  const wanted = targets.flatMap((target) => ['--target', target]);
  const parallel = ['--parallel', String(Math.max(cpus().length, 1))];
  // Two builds in one folder would write the same objects.
  await withLock(join(buildRoot, `${preset}.lock`), async () => {
    await configureOnce(preset, env, () => configurePreset(preset, toolchain, options));
    await step(`building ${preset}`, (progress) =>
      run('building', ['--build', '--preset', preset, ...parallel, ...wanted], progress),
    );
  });
}

const asked = /^(?:CONV2D_DEPS_DIR|CONV2D_EMSCRIPTEN|CMAKE_\w+|EM_\w+|CC|CXX|\w*FLAGS)$/;

/**
 * Configures a preset unless it was with the same presets and the same environment: the build itself notices changed CMake
 * files, and Emscripten's configuration takes more than a second.
 */
async function configureOnce(preset, env, configure) {
  const stamp = join(buildRoot, preset, 'configured-for');
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, 'CMakePresets.json')));
  for (const name of Object.keys(env).sort()) if (asked.test(name)) hash.update(`${name}=${env[name]}\n`);
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  await configure();
  writeFileSync(stamp, wanted);
}

/** What the compilers said, without the line for every file. */
function withoutProgress(output) {
  return output.replace(/^\[\s*\d+(?:\/\d+|%)\] (?:Building|Linking|Built) .*\n/gm, '');
}

/** One per variant of the module. Chromium and Firefox take the first, WebKit the second; threads come after large problems. */
export const ModulePresets = ['wasm-relaxed', 'wasm-simd', 'wasm-threads'];

/** A variant of the module that the page loads, into web/src/wasm/generated. */
export function buildModule(preset, toolchain, options = {}) {
  return buildPreset(preset, toolchain, { ...options, targets: ['conv2d_module'] });
}

export async function buildModules(toolchain, options) {
  for (const preset of ModulePresets) await buildModule(preset, toolchain, options);
}

/** The static site in web/dist, from modules that are built. */
export async function buildSite() {
  const { build } = await import('vite');
  await step('building the site', () =>
    build({ configFile: join(projectRoot, 'web/vite.config.ts'), logLevel: 'warn' }),
  );
}
