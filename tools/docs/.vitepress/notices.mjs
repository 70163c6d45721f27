// notices.txt of the site: the licenses of the packages that it contains.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package of a module, or undefined. */
const packageOf = (id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];

function noticeOf(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  // Some packages have only the name of their license.
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `${author?.name ?? author ?? name}, ${repository?.url ?? ''}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** A plugin of Vite. */
export function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      const folders = new Set(
        modules.map(packageOf).filter((folder) => folder && existsSync(join(folder, 'package.json'))),
      );
      const source = [...folders]
        .sort()
        .map(noticeOf)
        .join(`\n${'-'.repeat(80)}\n\n`);
      // Of the site itself, not of the build that renders its pages.
      if (!this.meta.watchMode && source && !Object.keys(bundle).some((name) => name === 'app.js'))
        this.emitFile({ type: 'asset', fileName: 'notices.txt', source });
    },
  };
}
