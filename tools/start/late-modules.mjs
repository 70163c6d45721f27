// A Vite plugin for modules that are still being built while the page is served already: a browser that asks for one gets it
// when it is there, and a page that has another one is not reloaded when it comes.

import { say } from '../setup/report.mjs';

const address = /\/wasm\/generated\/(?:conv2d-(\w+)|mistakes|race)\.(?:mjs|wasm)(?:$|\?)/;
/** What has no variants comes with this one. */
const plain = 'simd';

/** `presets` are those to come; `expect(preset, promise)` tells of a build that has begun. */
export function lateModules(presets) {
  const coming = new Map(presets.map((preset) => [preset, defer()]));
  const variantOf = (path) => {
    const found = address.exec(path);
    return found && `wasm-${found[1] ?? plain}`;
  };

  /** Resolves when the module of this address is there; at once for all other addresses. */
  async function there(path) {
    const entry = coming.get(variantOf(path));
    if (!entry) return;
    if (!entry.awaited) say(`  a browser waits for the module ${variantOf(path)}, which is being built`);
    entry.awaited = true;
    await entry.promise;
  }

  const plugin = {
    name: 'late-modules',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        there(request.url ?? '').then(() => next(), next);
      });
    },
    // An import of a file that is not there yet is no mistake.
    resolveId(source, importer) {
      const path = importer && source.startsWith('.') ? new URL(source, `file://${importer}`).pathname : source;
      return coming.has(variantOf(path)) ? path : null;
    },
    async load(id) {
      await there(id);
      return null;
    },
    // Nobody can have loaded a module before it was built.
    hotUpdate({ file }) {
      return coming.has(variantOf(file)) ? [] : undefined;
    },
  };

  return {
    plugin,
    expect(preset, built) {
      const entry = coming.get(preset);
      // The watcher sees the new files a moment after they were written.
      const forget = () => setTimeout(() => coming.delete(preset), 2000);
      const fail = () => entry.reject(new Error(`${preset} could not be built; the terminal says why`));
      built.then(entry.resolve, fail).finally(forget);
    },
  };
}

function defer() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  // Whoever asks hears of it; a build that fails before anybody asked is no unhandled rejection.
  deferred.promise.catch(() => {});
  return deferred;
}
