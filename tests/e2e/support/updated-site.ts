import { cp, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeServiceWorker } from '../../../web/site/service-worker.ts';
import { DIST } from './site';

const renamed = (asset: string): string => asset.replace(/(\.m?js|\.css|\.wasm)$/, 'z$1');

/**
 * Creates a folder with a future version of the site: every file has a different name, and the page a different title.
 */
export async function createUpdatedSite(): Promise<string> {
  const newer = await mkdtemp(join(tmpdir(), 'conv2d-newer-'));
  await cp(DIST, newer, { recursive: true });
  const assets = await readdir(join(newer, 'assets'));
  const texts = ['index.html', ...assets.filter((name) => /\.(m?js|css)$/.test(name)).map((name) => `assets/${name}`)];
  for (const name of texts) {
    let text = await readFile(join(newer, name), 'utf8');
    for (const asset of assets) text = text.replaceAll(asset, renamed(asset));
    await writeFile(join(newer, name), text.replace('<title>', '<title>Newer '));
  }
  for (const asset of assets) await rename(join(newer, 'assets', asset), join(newer, 'assets', renamed(asset)));
  await writeServiceWorker(newer);
  return newer;
}
