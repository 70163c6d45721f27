// npm run docs: the documentation as a static site in build/docs/site.

import { cpSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDocs, docsSite } from './docs/build.mjs';
import { buildModules } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const usage = `npm run docs -- [options]
  --to DIR       also copy the site there, for example to web/dist/docs, beside the page
  --base /docs/  the path of the site on its server (default /docs/)
  --page URL     the address of the page, for links to it (default: the folder above the site)`;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      base: { type: 'string' },
      page: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return say(usage);
  // The reference of JavaScript reads the types of the modules.
  await buildModules(await setUp({ wasm: true, docs: true }));
  const links = await buildDocs({ base: values.base, page: values.page });
  if (values.to) cpSync(docsSite, resolve(values.to), { recursive: true });
  say(`the documentation is in ${relative(projectRoot, docsSite)}; its ${links} links lead somewhere`);
});
