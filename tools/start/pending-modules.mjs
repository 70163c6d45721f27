// A Vite plugin for modules that are built while the page is already served: a request for one waits for its build, and
// finished builds do not reload pages that use another module.

import { say } from '../setup/report.mjs';

const address = /\/wasm\/generated\/(?:conv2d-(\w+)|mistakes|digits)\.(?:mjs|wasm)(?:$|\?)/;
/** Modules without variants belong to this one. */
const plain = 'simd';

/** `variants` are the pending builds; `expect(variant, promise)` registers a build that has started. */
export function pendingModules(variants) {
  const pending = new Map(variants.map((variant) => [variant, defer()]));
  const variantOf = (path) => {
    const found = address.exec(path);
    return found && (found[1] ?? plain);
  };

  /** Resolves when the module of this address is built; immediately for other addresses. */
  async function whenBuilt(path) {
    const entry = pending.get(variantOf(path));
    if (!entry) return;
    if (!entry.reported) say(`  a browser is waiting for the module ${variantOf(path)}, which is still building`);
    entry.reported = true;
    await entry.promise;
  }

  const plugin = {
    name: 'pending-modules',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        whenBuilt(request.url ?? '').then(() => next(), next);
      });
    },
    // Resolves imports of files that do not exist yet.
    resolveId(source, importer) {
      const path = importer && source.startsWith('.') ? new URL(source, `file://${importer}`).pathname : source;
      return pending.has(variantOf(path)) ? path : null;
    },
    async load(id) {
      await whenBuilt(id);
      return null;
    },
    // No page has loaded a module that is only now built.
    hotUpdate({ file }) {
      return pending.has(variantOf(file)) ? [] : undefined;
    },
  };

  return {
    plugin,
    expect(variant, built) {
      const entry = pending.get(variant);
      // The watcher reports new files shortly after they are written.
      const forget = () => setTimeout(() => pending.delete(variant), 2000);
      const fail = () => entry.reject(new Error(`the module ${variant} failed to build; see the terminal`));
      built.then(entry.resolve, fail).finally(forget);
    },
  };
}

function defer() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  // Avoids an unhandled rejection if a build fails before any request.
  deferred.promise.catch(() => {});
  return deferred;
}
