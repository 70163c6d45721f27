// The steps of a release, in their order. One entry adds a step:
//   name, title   its name, and what it makes
//   needs         names of the steps without which it cannot run
//   fix           what to do if it fails for a reason that its error does not mend
//   run           ({ toolchain, version, folder, empty, progress }) -> what it says at its end

import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeWheel } from '../pack/make-wheel.mjs';
import { zipOf } from '../pack/zip.mjs';
import { buildModules, buildSingleFile, buildSite } from '../setup/cmake-build.mjs';
import { buildRoot, projectRoot } from '../setup/paths.mjs';
import { closingLine, megabytes, SetupError } from '../setup/report.mjs';
import { vitest } from '../test/runners.mjs';
import { buildArchive, makeArchive, requireCleanCheckout } from './source-archive.mjs';

export const Steps = [
  {
    name: 'checkout',
    title: 'clean checkout',
    needs: [],
    fix: 'run it in a clone made by git',
    run: requireCleanCheckout,
  },
  {
    name: 'notes',
    title: 'changes, license and notices',
    needs: [],
    fix: 'mend CHANGELOG.md',
    run({ version, folder }) {
      writeFileSync(join(folder, 'CHANGELOG.md'), sectionOf(version));
      for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES.txt'])
        copyFileSync(join(projectRoot, name), join(folder, name));
      return `those of ${version}`;
    },
  },
  {
    name: 'source',
    title: 'source archive',
    needs: ['checkout'],
    fix: 'update git to 2.30 or newer',
    run: async ({ version, folder, toolchain }) =>
      sizeOf(await makeArchive(join(folder, `conv2d-${version}-source.tar.gz`), version, toolchain.nativeDeps)),
  },
  {
    name: 'library',
    title: 'library from the source archive, without git and network',
    needs: ['source'],
    fix: 'unpack the archive and run the commands of docs/cpp.md in it',
    run: ({ version, folder, empty, progress }) =>
      buildArchive(join(folder, `conv2d-${version}-source.tar.gz`), join(empty, 'source'), progress),
  },
  {
    name: 'modules',
    title: 'modules of WebAssembly',
    needs: [],
    fix: 'npm run build',
    async run({ toolchain }) {
      await buildModules(toolchain);
      return 'built';
    },
  },
  {
    name: 'site',
    title: 'site',
    needs: ['modules'],
    fix: 'npm run build',
    async run({ version, folder }) {
      await buildSite();
      const file = join(folder, `conv2d-${version}-site.zip`);
      writeFileSync(file, zipOf(filesBelow(join(projectRoot, 'web/dist'))));
      return sizeOf(file);
    },
  },
  {
    name: 'page',
    title: 'page in one file',
    needs: ['modules'],
    fix: 'npm run build -- --single',
    async run({ version, folder, toolchain }) {
      const file = join(folder, `conv2d-${version}.html`);
      copyFileSync(await buildSingleFile(toolchain), file);
      return sizeOf(file);
    },
  },
  {
    name: 'npm',
    title: 'package for npm',
    needs: ['modules'],
    fix: 'npm run pack',
    async run({ folder }) {
      const { makePackage } = await import('../pack/make-package.mjs');
      const made = await makePackage(join(buildRoot, 'npm'));
      copyFileSync(made, join(folder, basename(made)));
      return sizeOf(join(folder, basename(made)));
    },
  },
  {
    name: 'wheel',
    title: 'wheel for Python, of that library',
    needs: ['library', 'page'],
    fix: 'npm run pack:python',
    async run({ version, folder, empty }) {
      const library = join(empty, 'source/build/cpp/bindings/c/libconv2d_python.so');
      return sizeOf(await makeWheel(library, join(folder, `conv2d-${version}.html`), folder));
    },
  },
  {
    name: 'sums',
    title: 'SHA256SUMS',
    needs: ['notes', 'source', 'site', 'page', 'npm', 'wheel'],
    fix: 'make room on the disk',
    run({ folder }) {
      const lines = filesBelow(folder).map(
        ([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
      );
      writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
      return `${lines.length} files`;
    },
  },
  {
    name: 'use',
    title: 'each artifact, installed in an empty folder and used',
    needs: ['library', 'modules', 'page'],
    fix: 'the test that failed names the artifact; repeat it with npm test -- --only package',
    async run({ toolchain, folder, empty, progress }) {
      process.env.CONV2D_RELEASE = folder;
      process.env.CONV2D_RELEASE_BUILD = join(empty, 'source/build');
      const tests = vitest('package');
      const { code, passed, failed, failures } = await tests.run({ toolchain, thorough: false, words: [], progress });
      if (code !== 0) throw new SetupError(`${closingLine({ passed, failed })}\n${failures}`);
      return closingLine({ passed, failed });
    },
  },
];

const sizeOf = (file) => `${basename(file)}, ${megabytes(statSync(file).size)}`;

/** All files below a folder as [path, content], in one order on every machine. */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [file.slice(folder.length + 1), readFileSync(file)]);

/** The section of a version in the changelog. */
function sectionOf(version) {
  const sections = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const found = sections.find((section) => section.split('\n', 1)[0] === `## ${version}`);
  if (!found) throw new SetupError(`CHANGELOG.md has no section "## ${version}"`, 'write what changes for users');
  if (/^not released/im.test(found))
    throw new SetupError(`CHANGELOG.md says that ${version} is not released`, 'remove that line from its section');
  return `# Changes\n\n${found.trimEnd()}\n`;
}
