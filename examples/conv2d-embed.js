// Controls conv2d playgrounds in frames. One module without dependencies: copy it to your site.
// docs/embedding.md describes the messages.

/**
 * The state of a frame.
 * @typedef {object} State
 * @property {string} link The text of a link after its "#".
 * @property {Record<string, string>} fields The same as fields: { h: "5", stride: "2", mode: "dx" }.
 * @property {string[]} omitted Inputs that are too large for a link.
 */

/**
 * A cell that the reader points at or has pinned.
 * @typedef {object} Selected
 * @property {string} tensor
 * @property {number} index Flat, row-major.
 * @property {string} name The name on the page: "y[1,2]".
 * @property {number | null} value null if it is hidden or does not belong to x, w, b, y, dy, dx, dw or db.
 * @property {boolean} kept Whether the cell is pinned.
 */

/** @typedef {{ state: State, complaints: string[] }} Outcome `complaints`: what was ignored, one sentence each. */
/** @typedef {number[] | number[][] | number[][][] | number[][][][] | ArrayBufferView} Numbers Flat, nested or typed. */
/** @typedef {Numbers | { values: Numbers | (number | null)[], shape?: number[], axes?: string }} Values Of x, weights, bias or dy; `axes`: "NCHW", "OHWI". */
/** @typedef {'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db'} TensorName */
/** @typedef {{ shape: number[], values: (number | null)[] }} Tensor Row-major, in the order of the layout; null: a hidden value. */
/** @typedef {string | Record<string, string | number | boolean | Values | null>} NewState The text of a link, or its fields. */
/** @typedef {{ change: (state: State) => void, select: (cell: Selected | null) => void, ready: () => void }} Listeners */

/**
 * @typedef {object} Embed
 * @property {() => Promise<State>} get
 * @property {(names: TensorName[]) => Promise<Partial<Record<TensorName, Tensor | null>>>} tensors Of the shown problem; null: it has no such tensor.
 * @property {(state: NewState) => Promise<Outcome>} set Opens a state; omitted fields get their defaults.
 * @property {(fields: Record<string, string | number | boolean | Values | null>) => Promise<Outcome>} change Replaces these fields and keeps all others; null removes one.
 * @property {<Name extends keyof Listeners>(name: Name, listener: Listeners[Name]) => () => void} on Returns a function that removes the listener. "ready": the frame was reloaded.
 * @property {() => void} close
 */

const VERSION = 1;

/** A request that failed. `fault` is a code, `message` a sentence. */
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
 * Returns the address for the src of a frame.
 * @param {string} site The address of the playground: "https://conv2d.example/".
 * @param {{ mode?: string, state?: string, theme?: 'light' | 'dark', origin?: string }} [options] `origin`: the page that can
 * control the frame, by default this one; `state`: the text of a link after its "#".
 */
export function embedAddress(site, { mode = 'board', state = '', theme, origin = location.origin } = {}) {
  const address = new URL('embed.html', site);
  address.searchParams.set('embed', mode);
  if (theme) address.searchParams.set('theme', theme);
  // A page that was opened as a file has the origin "null", which cannot be identified: it can show a frame but not control it.
  if (origin !== 'null') address.searchParams.set('origin', origin);
  address.hash = state.replace(/^[^#]*#/, '');
  return address.href;
}

/**
 * Connects to the playground in a frame.
 * @param {HTMLIFrameElement} frame Its src must name this page as `origin`, as embedAddress does.
 * @param {{ timeout?: number }} [options] Timeout in ms.
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
  // Starts events. Sent to any origin, because the frame can still be loading; the message has no private data.
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
        asked?.done({ state: data.state, complaints: data.complaints, tensors: data.tensors });
        onGreeted();
      }
    }
  };
  let onGreeted = () => {};
  window.addEventListener('message', onMessage);
  const close = () => window.removeEventListener('message', onMessage);

  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      close();
      reject(
        new EmbedError('silent', [`The frame did not answer. Check that its address has origin=${location.origin}.`]),
      );
    }, timeout);
    onGreeted = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    // The frame can be ready before this listener exists.
    greet().catch(reject);
  });

  /** @param {Outcome} answer */
  const outcome = ({ state, complaints }) => ({ state, complaints });
  return {
    get: async () => (await ask({ do: 'get' })).state,
    tensors: async (names) => (await ask({ do: 'get', tensors: names })).tensors ?? {},
    set: async (state) => outcome(await ask({ do: 'set', state })),
    change: async (state) => outcome(await ask({ do: 'change', state })),
    on(name, listener) {
      const set = /** @type {Set<unknown>} */ (listeners[name]);
      set.add(listener);
      return () => set.delete(listener);
    },
    close,
  };
}
