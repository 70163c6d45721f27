// Builds the documentation as a static site: the guides (docs/*.md) and the reference of C++, C, Python and JavaScript, from the
// comments of their sources.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../setup/node-modules.mjs';
import { buildRoot } from '../setup/paths.mjs';
import { SetupError, step } from '../setup/report.mjs';
import { mustRun } from '../setup/run-process.mjs';
import { brokenLinks } from './check-links.mjs';
import { writeGuides } from './guides.mjs';
import { writeReference } from './reference.mjs';

const folder = import.meta.dirname;
const work = join(buildRoot, 'docs');
/** The folder of the built site. */
export const docsSite = join(work, 'site');
/** The path of the site on its server. */
export const docsBase = '/docs/';

/** A lock file of its own: only the documentation needs them. */
const PACKAGES = {
  folder,
  name: 'docs-packages',
  title: 'installing the npm packages of the documentation (150 MB, in tools/docs only)',
  what: 'npm ci in tools/docs',
};

/**
 * Builds the site for the path `base` of a server; resolves with the number of its links. `page` is the address of the page, by
 * default the folder above. Fails if a public name has no comment, or a link leads nowhere.
 */
export async function buildDocs({ base = docsBase, page = new URL('..', `http://localhost${base}`).pathname } = {}) {
  await ensureInstalled(PACKAGES);
  const pages = join(work, 'pages');
  for (const old of [pages, docsSite]) rmSync(old, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  writeGuides(pages, page);
  const undocumented = await step('reading the comments of the sources', () => writeReference(pages, work));
  refuse('public names without a comment', undocumented);
  const command = [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build', folder];
  await step('building the pages', () =>
    mustRun(process.execPath, [...command, '--outDir', docsSite], {
      what: 'vitepress',
      env: { ...process.env, CONV2D_DOCS_BASE: base },
    }),
  );
  const { count, broken } = brokenLinks(docsSite, { base, page });
  refuse('broken links', broken);
  return count;
}

function refuse(what, list) {
  if (list.length > 0) throw new SetupError(`${what}:\n  ${list.join('\n  ')}`);
}
