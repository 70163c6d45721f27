import { defineConfig, type Rolldown } from 'vite';
import { bootScript } from './site/boot-script.ts';
import { content } from './site/content.ts';
import { embedPage } from './site/embed-page.ts';
import { ISOLATION, siteHeaders } from './site/headers.ts';
import { icons } from './site/icons.ts';
import { contentPolicy } from './site/policy.ts';
import { serviceWorker } from './site/service-worker.ts';
import { shorterScripts } from './site/shorter-scripts.ts';
import { singleFile } from './site/single-file.ts';
import { styleSheets } from './style-sheets.ts';

// Imported by Emscripten's loader in Node only.
const nodeOnly = ['module'];

/** True if a module that `is` the start of a chunk needs the module by static imports. */
function isNeeded(
  by: (module: Rolldown.ModuleInfo) => boolean,
  id: string,
  modules: Rolldown.ChunkingContext,
  seen = new Set<string>(),
): boolean {
  const module = modules.getModuleInfo(id);
  if (!module || seen.has(id)) return false;
  seen.add(id);
  return by(module) || module.importers.some((importer) => isNeeded(by, importer, modules, seen));
}

const isEntry = ({ isEntry }: Rolldown.ModuleInfo) => isEntry;
const isSecond = ({ id }: Rolldown.ModuleInfo) => id.endsWith('/app/deferred/deferred-parts.ts');
/** These may be needed before the first numbers: they do not wait for the second chunk. */
const isEarly = ({ id }: Rolldown.ModuleInfo) =>
  /\/(start-embed\.tsx|(parse-link|write-link|compress|restore-page)\.ts|HeatGrid\.tsx)$/.test(id);

/** Mode `single`: the same site in one file. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  // Relative addresses: the built site works from any path of a static file server.
  base: './',
  plugins: [
    content(),
    styleSheets(),
    bootScript(),
    shorterScripts(),
    mode === 'single' ? singleFile() : [contentPolicy(), siteHeaders(), icons(), embedPage(), serviceWorker()],
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Only the page: the benchmark pages (bench/) have packages of their own. The worker's import is listed, because finding it at
  // the start of the worker would reload the page.
  optimizeDeps: { entries: ['index.html'], include: ['wasm-feature-detect'] },
  worker: {
    format: 'es',
    plugins: () => [shorterScripts()],
    rolldownOptions: {
      external: nodeOnly,
      checks: { pluginTimings: false },
      // All but the entry of the worker is in a chunk of its own. Otherwise later chunks would import the worker's entry, and
      // WebKit (WebKitGTK 2.50) would run it a second time, with an engine that has no problem and answers each edit with an error.
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'engine',
              name: (id, modules) =>
                isNeeded(isEntry, id, modules) && !modules.getModuleInfo(id)?.isEntry ? 'engine' : null,
            },
          ],
        },
      },
    },
  },
  server: { headers: ISOLATION },
  // Removes the Node part of Emscripten's loader.
  define: { 'typeof process': '"undefined"' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // The style sheets need layers, :has(), oklch() and popovers: nothing is rewritten for older browsers.
    cssTarget: ['chrome114', 'firefox125', 'safari17'],
    // A wasm module compiles while it streams, which needs a file instead of a data: URL. A loader that starts workers from its
    // own address needs a file, too.
    assetsInlineLimit: (path) => (/\.(wasm|mjs)$/.test(path) ? false : undefined),
    reportCompressedSize: false,
    // Every browser with WebAssembly SIMD and the CSS of this page has modulepreload. No preload list for later chunks: it added
    // 1.2 kB to the first chunk, and the service worker has cached them by then.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      external: nodeOnly,
      // Warnings about slow plugins depend on the machine.
      checks: { pluginTimings: false },
      // One chunk for the first page: splitting off the parts shared with later views compresses worse.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              debugName: 'page',
              name(id, modules) {
                if (isNeeded(isEntry, id, modules)) return 'page';
                return isNeeded(isSecond, id, modules) && !isNeeded(isEarly, id, modules) ? 'second' : null;
              },
              test: /\.tsx?(\?.*)?$|\.css$|\.js$|\.mjs$|\0/,
            },
          ],
        },
      },
    },
  },
}));
