import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { pack } from './pack.ts';
import { inlineScripts, singlePolicy, withPolicy } from './policy.ts';
import { scriptOf } from './script.ts';

const SOURCE = join(import.meta.dirname, '../src/boot/single.ts');
const ICON = join(import.meta.dirname, '../public/icon.svg');

/** Types of the files inside, in their order: a worker comes after what it loads, the page's script is last. */
const TYPES = {
  '.wasm': 'application/wasm',
  '.txt': 'text/plain;charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
} as const;

/** As in web/src/boot/single.ts. */
const PAGE_SCRIPT = 'module';

const isTyped = (extension: string): extension is keyof typeof TYPES => extension in TYPES;

/** Around the code of a worker that runs in the page; see web/src/boot/single.ts. */
const IN_PAGE = ['((self,fetch)=>{', '\n})(conv2dSelf.self,conv2dSelf.readData)'] as const;

/** A part of index.html that must be there. */
function replaced(html: string, part: RegExp, text: string): string {
  if (!part.test(html)) throw new Error(`index.html has no ${part}`);
  return html.replace(part, () => text);
}

/**
 * The site in one file, which also works without a server: from the disk, and in a frame's srcdoc. Everything is
 * packed into index.html (web/src/boot/single.ts). A file that is opened so cannot import others, so that each script is whole.
 */
export function singleFile(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'single-file',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    config: () => ({
      publicDir: false,
      worker: {
        format: 'iife',
        plugins: () => [withoutThreads()],
        rolldownOptions: { output: { codeSplitting: false } },
      },
      build: {
        outDir: '../build/single',
        emptyOutDir: true,
        // In kB: the one script of the page is meant to be large.
        chunkSizeWarningLimit: 2000,
        rolldownOptions: { output: { codeSplitting: false } },
      },
      // Scripts read the address of a file from the list of those that were unpacked.
      experimental: {
        renderBuiltUrl: (name, { hostType }) =>
          hostType === 'js' ? { runtime: `conv2dFiles[${JSON.stringify(name)}]` } : { relative: true },
      },
    }),
    load: (id) => (id.endsWith('/loading/start-worker.ts') ? "export { startWorker } from './file-worker';" : null),
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const icon = `data:image/svg+xml,${encodeURIComponent(await readFile(ICON, 'utf8'))}`;
        const alone = replaced(html, /<link rel="manifest"[^>]*>/, '');
        return replaced(alone, /(?<=<link rel="icon" href=")[^"]*/, icon);
      },
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const folder = join(config.root, config.build.outDir);
        const page = await pageOf(folder);
        for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
        await writeFile(join(folder, 'conv2d.html'), page);
      },
    },
  };
}

/** A file has no shared memory, which threads need. */
const withoutThreads = (): Plugin => ({
  name: 'without-threads',
  load: (id) => (id.endsWith('/worker/threads.ts') ? 'export const offerThreads = () => undefined;' : null),
});

interface File {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The files of a built site beside index.html. */
async function filesIn(site: string, html: string): Promise<readonly File[]> {
  const names = await readdir(join(site, 'assets'));
  const files = names.map(async (name): Promise<File> => {
    const extension = extname(name);
    if (!isTyped(extension)) throw new Error(`the page in one file has no place for ${name}`);
    const type = html.includes(`src="./assets/${name}"`) ? PAGE_SCRIPT : TYPES[extension];
    return { name: `assets/${name}`, type, content: await readFile(join(site, 'assets', name)) };
  });
  const order: readonly string[] = [...Object.values(TYPES), PAGE_SCRIPT];
  const at = ({ type }: File) => order.indexOf(type);
  return (await Promise.all(files)).toSorted((a, b) => at(a) - at(b) || (a.name < b.name ? -1 : 1));
}

async function pageOf(site: string): Promise<string> {
  const html = await readFile(join(site, 'index.html'), 'utf8');
  const files = await filesIn(site, html);
  const textsOf = (wanted: string) => files.flatMap(({ type, content }) => (type === wanted ? content.toString() : []));
  const scripts = textsOf(PAGE_SCRIPT);
  if (scripts.length !== 1) throw new Error(`the page has ${scripts.length} scripts in place of one`);
  const list = files.map(({ name, type, content }) => ({ name, type, size: content.length }));
  const starter = await scriptOf(SOURCE, { FILES: JSON.stringify(list), IN_PAGE: JSON.stringify(IN_PAGE) });
  const packed = pack(Buffer.concat(files.map(({ content }) => content)));
  const bare = replaced(html, /<script type="module"[^>]*><\/script>/, '').replace(/<link rel="stylesheet"[^>]*>/g, '');
  const whole = replaced(
    // Frames show this file itself, not a page beside it.
    replaced(bare, /<html/, '<html data-embed-page=""'),
    /<\/body>/,
    `<script type="application/octet-stream" id="packed">${packed}</script>\n<script>${starter}</script>\n</body>`,
  );
  const inPage = textsOf(TYPES['.js']).map((code) => IN_PAGE.join(code));
  return withPolicy(whole, singlePolicy([...inlineScripts(whole), ...scripts, ...inPage], textsOf(TYPES['.css'])));
}
