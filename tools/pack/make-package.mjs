// The npm package from modules that are built: web/src/engine as one file with its types, and beside it the library's builds.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'vite';
import { nodeModules, projectRoot } from '../setup/paths.mjs';
import { mustRun } from '../setup/run-process.mjs';

const Entry = join(projectRoot, 'web/src/engine/index.ts');
const Generated = join(projectRoot, 'web/src/wasm/generated');
const Modules = ['conv2d-simd', 'conv2d-relaxed', 'conv2d-threads'];

/** Makes the tarball, in the folder `target` where all of it is made, and returns its path. */
export async function makePackage(target) {
  const folder = join(target, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(folder);
  await declare(target, join(folder, 'types'));
  for (const name of Modules) {
    cpSync(join(Generated, `${name}.wasm`), join(folder, `${name}.wasm`));
    writeFileSync(
      join(folder, `${name}.mjs`),
      withoutImports(readFileSync(join(Generated, `${name}.mjs`), 'utf8'), name),
    );
  }
  const { version, license, engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const described = {
    name: 'conv2d',
    version,
    description: '2-D convolution, forwards and backwards, with SIMD kernels in WebAssembly',
    license,
    type: 'module',
    exports: { '.': { types: './types/engine/index.d.ts', default: './index.js' }, './package.json': './package.json' },
    sideEffects: false,
    engines,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readme());
  writeFileSync(join(folder, 'LICENSE'), licences());
  cpSync(join(projectRoot, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  const { stdout } = await mustRun('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  return join(target, stdout.trim());
}

/** Our own files as few; the loaders of the modules stay as they are, since they find their .wasm beside themselves. */
async function bundle(folder) {
  const beside = {
    name: 'loaders-beside',
    enforce: 'pre',
    resolveId: (id) => (/\/generated\/.*\.mjs$/.test(id) ? { id: `./${basename(id)}`, external: 'relative' } : null),
    renderChunk: (code) => code.replace(/(new URL\(["'])[^"']*\/generated\//g, '$1./'),
  };
  await build({
    configFile: false,
    root: join(projectRoot, 'web'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [beside],
    // As for a server: a bundle for pages would have the files that it names by address inside itself.
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      rolldownOptions: {
        input: { index: Entry },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

/** A loader asks Node for its modules without an import, which bundlers for pages would follow and warn of. */
function withoutImports(loader, name) {
  const text = loader.replace(/await import\((["']\w+["'])\)/g, 'process.getBuiltinModule($1)');
  if (text === loader || /\bimport\b(?!\.meta)/.test(text))
    throw new Error(`${name}.mjs imports otherwise than before`);
  return text;
}

/** The types of the entry and of what it names, and no more: the module's own are not meant for others. */
async function declare(target, folder) {
  const all = join(target, 'types');
  rmSync(all, { recursive: true, force: true });
  const config = join(target, 'tsconfig.json');
  const files = [Entry, join(projectRoot, 'web/src/wasm/modules.d.ts')];
  const compilerOptions = { rootDir: join(projectRoot, 'web/src'), types: ['vite/client'], typeRoots: [nodeModules] };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(projectRoot, 'web/tsconfig.worker.json'), compilerOptions, files, include: [] }),
  );
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', all];
  await mustRun(process.execPath, [join(nodeModules, 'typescript/bin/tsc'), '-p', config, ...options], {
    cwd: projectRoot,
    what: 'writing the types',
  });
  const needed = ['engine/index.d.ts'];
  for (const name of needed) {
    // Every way of resolving modules finds `./x.js`; some find no `./x`.
    const text = readFileSync(join(all, name), 'utf8').replace(/(from ')(\.[^']*)'/g, (_, from, to) => {
      const file = `${join(dirname(name), to)}.d.ts`;
      if (!needed.includes(file)) needed.push(file);
      return `${from}${to}.js'`;
    });
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
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
