import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { scriptOf } from './script.ts';

const SOURCE = join(import.meta.dirname, '../src/service-worker/service-worker.ts');
/** Not needed offline: a file for servers, the service worker itself, and the page for frames in other sites. */
const EXCLUDED = ['_headers', '404.html', 'sw.js', 'embed.html'];

/** Builds the service worker after the site. Not in development, because cached files would not update. */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: () => writeServiceWorker(join(config.root, config.build.outDir)),
    },
  };
}

type File = readonly [name: string, integrity: string];

/** Writes sw.js into the folder of a built site, with the list of all its files. */
export async function writeServiceWorker(site: string): Promise<void> {
  const entries = await readdir(site, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !EXCLUDED.includes(name))
    .sort();
  const files = await Promise.all(
    names.map(async (name): Promise<File> => {
      const digest = digestOf(await readFile(join(site, name)), 'base64');
      // Some servers redirect from /index.html to /.
      return [name === 'index.html' ? './' : name, `sha256-${digest}`];
    }),
  );
  await writeFile(join(site, 'sw.js'), await scriptFor(files));
}

function scriptFor(files: readonly File[]): Promise<string> {
  const list = JSON.stringify(files);
  return scriptOf(SOURCE, { FILES: list, BUILD: JSON.stringify(digestOf(list, 'hex').slice(0, 12)) });
}

const digestOf = (data: Buffer | string, encoding: 'base64' | 'hex') =>
  createHash('sha256').update(data).digest(encoding);
