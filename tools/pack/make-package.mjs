// The npm package from modules that are built: web/src/engine as one file with its types, and beside it the library's builds.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { buildRoot, nodeModules, projectRoot } from '../setup/paths.mjs';
import { mustRun } from '../setup/run-process.mjs';

const Entry = join(projectRoot, 'web/src/engine/index.ts');
const Generated = join(projectRoot, 'web/src/wasm/generated');
const Modules = ['conv2d-simd', 'conv2d-relaxed'];

/** Makes the tarball and returns its path. */
export async function makePackage() {
  const folder = join(buildRoot, 'npm', 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(folder);
  await declare(join(folder, 'types'));
  for (const name of Modules) {
    for (const end of ['mjs', 'wasm']) cpSync(join(Generated, `${name}.${end}`), join(folder, `${name}.${end}`));
  }
  const { version, license, engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const described = {
    name: 'conv2d',
    version,
    description: '2-D convolution, forwards and backwards, with SIMD kernels in WebAssembly',
    license,
    type: 'module',
    exports: { '.': { types: './types/engine/index.d.ts', default: './index.js' } },
    engines,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readme());
  writeFileSync(join(folder, 'LICENSE'), licences());
  cpSync(join(projectRoot, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  const target = join(buildRoot, 'npm');
  const { stdout } = await mustRun('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  return join(target, stdout.trim());
}

/** One file; the loaders of the modules stay files of their own, since they find their .wasm beside themselves. */
async function bundle(folder) {
  const beside = {
    name: 'loaders-beside',
    enforce: 'pre',
    resolveId: (id) => (/\/generated\/.*\.mjs$/.test(id) ? { id: `./${basename(id)}`, external: 'relative' } : null),
  };
  await build({
    configFile: false,
    root: join(projectRoot, 'web'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [beside],
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry: Entry, formats: ['es'], fileName: () => 'index.js' },
    },
  });
}

/** The types of the entry and of what it names. */
async function declare(folder) {
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', folder];
  const config = join(buildRoot, 'npm', 'tsconfig.json');
  const files = [Entry, join(projectRoot, 'web/src/wasm/modules.d.ts')];
  const compilerOptions = { rootDir: join(projectRoot, 'web/src'), types: ['vite/client'], typeRoots: [nodeModules] };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(projectRoot, 'web/tsconfig.worker.json'), compilerOptions, files, include: [] }),
  );
  await mustRun(process.execPath, [join(nodeModules, 'typescript/bin/tsc'), '-p', config, ...options], {
    cwd: projectRoot,
    what: 'writing the types',
  });
  // What the compiler of the module has written is no source, so it is not written again.
  cpSync(join(Generated, 'conv2d.d.ts'), join(folder, 'wasm/generated/conv2d.d.ts'));
  // Every way of resolving modules finds `./x.js`; some find no `./x`.
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace(/((?:from|import)\(? ?')(\.[^']*)'/g, "$1$2.js'"));
  }
}

/** The README's section, as a page of its own. */
function readme() {
  const [, section] = readFileSync(join(projectRoot, 'README.md'), 'utf8').split('\n## Use it from JavaScript\n');
  return `# conv2d\n${section.split('\n## ')[0]}`;
}

/** Ours, and that of what the bundle contains. */
function licences() {
  const theirs = readFileSync(join(nodeModules, 'wasm-feature-detect/LICENSE'), 'utf8');
  const ours = readFileSync(join(projectRoot, 'LICENSE'), 'utf8');
  return `${ours}\nThe feature detection is that of wasm-feature-detect:\n\n${theirs}`;
}
