// Drives conv2d playgrounds that are shown in frames. A plain module without dependencies: copy it beside your page.
// docs/embedding.md has the messages themselves, for who would rather write them by hand.

/**
 * What a frame shows, as a link of the playground says it.
 * @typedef {object} State
 * @property {string} link What stands behind the "#" of a link.
 * @property {Record<string, string>} fields The same, taken apart: { h: "5", stride: "2", mode: "dx" }.
 * @property {string[]} omitted Inputs that are too large for a link.
 */

/**
 * A cell that the reader points at, or keeps.
 * @typedef {object} Selected
 * @property {string} tensor
 * @property {number} index Flat, row-major.
 * @property {string} name As the page writes it: "y[1,2]".
 * @property {number | null} value null: it is hidden, or not a number of x, w, b, y, dy, dx, dw or db.
 * @property {boolean} kept It stays when the pointer goes elsewhere.
 */

/** @typedef {{ state: State, complaints: string[] }} Done `complaints`: what was ignored, one sentence each. */
/** @typedef {string | Record<string, string | number | boolean>} Wanted The text of a link, or its fields. */
/** @typedef {{ change: (state: State) => void, select: (cell: Selected | null) => void, ready: () => void }} Listeners */

/**
 * @typedef {object} Embed
 * @property {() => Promise<State>} get
 * @property {(wanted: Wanted) => Promise<Done>} set Opens a state, and nothing else of before.
 * @property {(fields: Record<string, string | number | boolean | null>) => Promise<Done>} change Replaces these fields; null takes one away.
 * @property {<Name extends keyof Listeners>(name: Name, listener: Listeners[Name]) => () => void} on Returns what ends it. "ready": the frame was loaded again.
 * @property {() => void} close
 */

const VERSION = 1;

/** A state that was not taken. `fault` is a word for programs, the message a sentence for people. */
export class EmbedError extends Error {
  /** @param {string} fault @param {string[]} complaints */
  constructor(fault, complaints) {
    super(complaints.join(' '));
    this.name = 'EmbedError';
    this.fault = fault;
    this.complaints = complaints;
  }
}

/**
 * The address for the src of a frame.
 * @param {string} site Where the playground is: "https://conv2d.example/".
 * @param {{ mode?: string, state?: string, theme?: 'light' | 'dark', origin?: string }} [wanted] `origin`: of the page that may
 * drive the frame, this one unless told; `state`: the part of a link behind its "#".
 */
export function embedAddress(site, { mode = 'board', state = '', theme, origin = location.origin } = {}) {
  const address = new URL('embed.html', site);
  address.searchParams.set('embed', mode);
  if (theme) address.searchParams.set('theme', theme);
  // A page that was opened as a file has none that could be told from others: it may show a frame, not drive it.
  if (origin !== 'null') address.searchParams.set('origin', origin);
  address.hash = state.replace(/^[^#]*#/, '');
  return address.href;
}

/**
 * Waits until the playground in a frame answers.
 * @param {HTMLIFrameElement} frame Its src must name this page as `origin`, as embedAddress does.
 * @param {{ timeout?: number }} [options] In milliseconds.
 * @returns {Promise<Embed>}
 */
export async function connect(frame, { timeout = 30_000 } = {}) {
  const { origin } = new URL(frame.src);
  /** @type {Map<string, { done: (answer: any) => void, fail: (error: Error) => void }>} */
  const waiting = new Map();
  const listeners = { change: new Set(), select: new Set(), ready: new Set() };
  let last = 0;
  let greeted = false;

  /** @param {object} message @param {string} [to] @returns {Promise<any>} */
  const ask = (message, to = origin) =>
    new Promise((done, fail) => {
      last += 1;
      const id = String(last);
      waiting.set(id, { done, fail });
      frame.contentWindow?.postMessage({ conv2d: VERSION, id, ...message }, to);
    });
  // To whoever is in the frame by now, for it says nothing: from then on the frame tells what happens in it.
  const greet = () => ask({ do: 'hello' }, '*');

  /** @param {MessageEvent} event */
  const onMessage = ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data?.conv2d !== VERSION) return;
    if (data.event === 'ready') {
      void greet();
      if (greeted) for (const each of listeners.ready) each();
    } else if (data.event === 'change') for (const each of listeners.change) each(data.state);
    else if (data.event === 'select') for (const each of listeners.select) each(data.cell);
    else if (waiting.has(data.id)) {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (!data.ok) asked?.fail(new EmbedError(data.fault, data.complaints));
      else {
        greeted = true;
        asked?.done({ state: data.state, complaints: data.complaints });
        onGreeted();
      }
    }
  };
  let onGreeted = () => {};
  window.addEventListener('message', onMessage);
  const close = () => window.removeEventListener('message', onMessage);

  await new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      close();
      reject(new EmbedError('silent', [`The frame did not answer: does its address name ${location.origin}?`]));
    }, timeout);
    onGreeted = () => {
      clearTimeout(late);
      resolve(undefined);
    };
    // It may have been ready before anybody listened.
    greet().catch(reject);
  });

  return {
    get: async () => (await ask({ do: 'get' })).state,
    set: (state) => ask({ do: 'set', state }),
    change: (state) => ask({ do: 'change', state }),
    on(name, listener) {
      const set = /** @type {Set<unknown>} */ (listeners[name]);
      set.add(listener);
      return () => set.delete(listener);
    },
    close,
  };
}
