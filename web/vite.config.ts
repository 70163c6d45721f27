import { defineConfig, type Rolldown } from 'vite';
import { earlyScript } from './site/early-script.ts';
import { embedPage } from './site/embed-page.ts';
import { ISOLATION, siteHeaders } from './site/headers.ts';
import { icons } from './site/icons.ts';
import { contentPolicy } from './site/policy.ts';
import { serviceWorker } from './site/service-worker.ts';
import { styleSheets } from './style-sheets.ts';

// Emscripten's loader imports it in Node only; a browser never comes to that line.
const nodeOnly = ['module'];

/** Whether the first page needs a module, through whatever it imports; what is imported on demand comes later. */
function isFirst(id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  const module = modules.getModuleInfo(id);
  if (!module || seen.has(id)) return false;
  seen.add(id);
  return module.isEntry || module.importers.some((importer) => isFirst(importer, modules, seen));
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the built site works from any sub-path of any static file server.
  base: './',
  plugins: [styleSheets(), earlyScript(), contentPolicy(), siteHeaders(), icons(), embedPage(), serviceWorker()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The page alone: the benchmark's pages (bench/) have packages of their own, which are fetched when it runs. What only the
  // worker imports is named: found when the worker starts, it would reload the page that has just come up.
  optimizeDeps: { entries: ['index.html'], include: ['wasm-feature-detect'] },
  worker: {
    format: 'es',
    rolldownOptions: {
      external: nodeOnly,
      checks: { pluginTimings: false },
      // All but the worker's first lines stand in a file of their own: what is fetched later shares some of it, and would
      // import the worker's own file. WebKit (WebKitGTK 2.50) runs that a second time then, with an engine that knows no
      // problem and answers every edit with an error.
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'engine',
              name: (id, modules) => (isFirst(id, modules) && !modules.getModuleInfo(id)?.isEntry ? 'engine' : null),
            },
          ],
        },
      },
    },
  },
  server: { headers: ISOLATION },
  // The loader of the module looks for Node, whose half no browser needs to download.
  define: { 'typeof process': '"undefined"' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // What the style sheets use anyway (layers, :has(), oklch(), popovers): nothing is rewritten for older ones.
    cssTarget: ['chrome114', 'firefox125', 'safari17'],
    // The module is fetched and compiled while it streams in; a data: URL could not be. And a loader that starts workers
    // from its own address must have one.
    assetsInlineLimit: (path) => (/\.(wasm|mjs)$/.test(path) ? false : undefined),
    reportCompressedSize: false,
    // Every browser with WebAssembly SIMD and the CSS of this page knows modulepreload. What a later file imports is not named
    // in the first one, where the list of it all weighed 1.2 kB: the service worker has fetched it by then.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      external: nodeOnly,
      // A slow machine is nothing that somebody who starts the page could mend.
      checks: { pluginTimings: false },
      // One file for the first page: one that was cut where later views share something with it compresses worse.
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'page',
              name: (id, modules) => (isFirst(id, modules) ? 'page' : null),
              test: /\.tsx?$|\.css$|\.js$|\.mjs$|\0/,
            },
          ],
        },
      },
    },
  },
});
