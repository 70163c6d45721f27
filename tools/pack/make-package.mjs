// Makes the npm package from built modules: web/package as one file with its types, the command conv2d-check, and the builds
// of the library.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeModules, projectRoot } from '../setup/paths.mjs';
import { mustRun } from '../setup/run-process.mjs';
import { projectVersion } from '../setup/version.mjs';
import { bundle, Generated } from './bundle.mjs';
import { bundleCommand, CommandFile } from './bundle-command.mjs';
import { oneDeclarationFile } from './one-declaration-file.mjs';

const Entry = 'web/package/index.ts';
const Modules = ['conv2d-simd', 'conv2d-relaxed', 'conv2d-threads', 'check'];

/** Makes the package in the folder `target` and returns the path of the tarball. */
export async function makePackage(target) {
  const folder = join(target, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle({ entry: Entry, name: 'index', folder });
  await bundleCommand(folder);
  writeFileSync(join(folder, 'index.d.ts'), await declarations(target));
  for (const name of Modules) {
    cpSync(join(Generated, `${name}.wasm`), join(folder, `${name}.wasm`));
    writeFileSync(
      join(folder, `${name}.mjs`),
      withoutImports(readFileSync(join(Generated, `${name}.mjs`), 'utf8'), name),
    );
  }
  const { license, engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const described = {
    name: 'conv2d',
    version: projectVersion(),
    description: '2-D convolution and its gradients, computed by SIMD kernels in WebAssembly',
    keywords: ['convolution', 'conv2d', 'gradients', 'backpropagation', 'webassembly', 'wasm', 'simd'],
    license,
    type: 'module',
    bin: { 'conv2d-check': `./${CommandFile}` },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    sideEffects: false,
    engines,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  cpSync(join(projectRoot, 'docs/javascript.md'), join(folder, 'README.md'));
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES.txt', 'CHANGELOG.md'])
    cpSync(join(projectRoot, name), join(folder, name));
  const { stdout } = await mustRun('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  return join(target, stdout.trim());
}

/** The loader gets modules of Node without an import: bundlers for pages would follow an import and warn. */
function withoutImports(loader, name) {
  const text = loader.replace(/await import\((["']\w+["'])\)/g, 'process.getBuiltinModule($1)');
  if (text === loader || /\bimport\b(?!\.meta)/.test(text)) throw new Error(`${name}.mjs has unexpected imports`);
  return text;
}

/** The types of the entry and of the names that it uses. The types of the module itself are internal. */
export async function declarations(target) {
  const all = join(target, 'types');
  rmSync(all, { recursive: true, force: true });
  const config = join(target, 'tsconfig.json');
  const files = [join(projectRoot, Entry), join(projectRoot, 'web/src/wasm/modules.d.ts')];
  const compilerOptions = { rootDir: join(projectRoot, 'web'), types: ['vite/client'], typeRoots: [nodeModules] };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(projectRoot, 'web/tsconfig.worker.json'), compilerOptions, files, include: [] }),
  );
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', all];
  await mustRun(process.execPath, [join(nodeModules, 'typescript/bin/tsc'), '-p', config, ...options], {
    cwd: projectRoot,
    what: 'writing the types',
  });
  return oneDeclarationFile(join(all, 'package/index.d.ts'));
}
