// Configures and builds a preset with the toolchain of the set-up.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { compilerCache } from './compiler-cache.mjs';
import { buildRoot, nodeModules, projectRoot } from './paths.mjs';
import { withLock } from './private-folder.mjs';
import { SetupError, step } from './report.mjs';
import { capture, which } from './run-process.mjs';

export const isWasm = (preset) => preset.startsWith('wasm');
export const isArm = (preset) => preset === 'native-arm';

async function environment(preset, { emscripten, nativeDeps, nativePeers }) {
  const env = { ...process.env, CONV2D_DEPS_DIR: nativeDeps ?? '', CONV2D_PEERS_DIR: nativePeers ?? '' };
  if (which('ninja')) env.CMAKE_GENERATOR ??= 'Ninja';
  // The folder of the counters of gcov is written into the objects. native-tidy compiles nothing.
  if (['native-coverage', 'native-tidy'].includes(preset)) return env;
  if (!isWasm(preset)) return { ...env, ...(await compilerCache()) };
  const { root } = emscripten;
  const path = [typescript5(), env.PATH].join(delimiter);
  const wasm = { ...env, ...emscripten.env, CONV2D_EMSCRIPTEN: root, PATH: path };
  return { ...wasm, ...(await compilerCache({ emscripten: root, env: wasm })) };
}

/** A folder with only tsc of TypeScript 5: --emit-tsd of Emscripten 3.1 calls it in a way that 6 and 7 reject. */
function typescript5() {
  const folder = join(buildRoot, 'typescript5');
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'tsc');
  if (!existsSync(link)) symlinkSync(join(nodeModules, 'typescript5/bin/tsc'), link);
  return folder;
}

/** A function that runs CMake for a preset and fails with its output. */
function cmakeFor(preset, env, { show = false, background = false } = {}) {
  return async (what, args, progress) => {
    const onOutput = (text) => progress(/\[\s*\d+(?:\/\d+|%)\]/.exec(text)?.[0] ?? '');
    const { code, output } = await capture('cmake', args, { cwd: projectRoot, env, show, background, onOutput });
    if (code !== 0) throw new SetupError(`${what} ${preset} failed (exit ${code})\n${withoutProgress(output)}`);
  };
}

/** Configures a preset, which writes compile_commands.json. `toolchain` is the result of setUp. */
export async function configurePreset(preset, toolchain, options) {
  const run = cmakeFor(preset, await environment(preset, toolchain), options);
  await step(`configuring ${preset}`, (progress) => run('configuring', ['--preset', preset], progress));
}

/**
 * Builds `targets` (default: all) of a preset. `show` prints the output of CMake; `background` builds at low priority.
 */
export async function buildPreset(preset, toolchain, { targets = [], ...options } = {}) {
  const env = await environment(preset, toolchain);
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

const relevant = /^(?:CONV2D_DEPS_DIR|CONV2D_EMSCRIPTEN|CMAKE_\w+|EM_\w+|CC|CXX|\w*FLAGS)$/;

/**
 * Configures a preset unless it is already configured for these presets and environment. The build itself detects
 * changed CMake files, and configuring Emscripten takes more than a second.
 */
async function configureOnce(preset, env, configure) {
  const stamp = join(buildRoot, preset, 'configured-for');
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, 'CMakePresets.json')));
  for (const name of Object.keys(env).sort()) if (relevant.test(name)) hash.update(`${name}=${env[name]}\n`);
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  await configure();
  writeFileSync(stamp, wanted);
}

/** The output of the compilers without the progress lines. */
function withoutProgress(output) {
  return output.replace(/^\[\s*\d+(?:\/\d+|%)\] (?:Building|Linking|Built) .*\n/gm, '');
}

/**
 * The variants of the module. Chromium and Firefox use the first, WebKit the second; threads load after the first large
 * problem.
 */
export const ModuleVariants = ['relaxed', 'simd', 'threads'];

/** Builds variants of the module into web/src/wasm/generated. */
export async function buildModules(toolchain, { variants = ModuleVariants, ...options } = {}) {
  const build = (preset, isOfPreset) => {
    const targets = variants.filter(isOfPreset).map((name) => `conv2d_${name}_module`);
    return targets.length > 0 && buildPreset(preset, toolchain, { ...options, targets });
  };
  // Together: the links at the end of each use one processor.
  await Promise.all([
    build('wasm-simd', (name) => name !== 'threads'),
    build('wasm-threads', (name) => name === 'threads'),
  ]);
}

/** Builds the module that judges arrays into web/src/wasm/generated. */
export const buildCheckModule = (toolchain) =>
  buildPreset('wasm-simd', toolchain, { targets: ['conv2d_check_module'] });

/** Builds the static site in web/dist from built modules. */
export const buildSite = () => buildPage('building the site', {});

/** Builds the site in one file, with its modules, and returns its path. */
export async function buildSingleFile(toolchain, options) {
  await buildModules(toolchain, { ...options, variants: ['relaxed', 'simd'] });
  await buildPage('building the page in one file', { mode: 'single' });
  return join(buildRoot, 'single/conv2d.html');
}

async function buildPage(what, options) {
  const { build } = await import('vite');
  await step(what, () => build({ configFile: join(projectRoot, 'web/vite.config.ts'), logLevel: 'warn', ...options }));
}
