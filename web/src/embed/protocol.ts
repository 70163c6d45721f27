import { LINK_LIMITS } from '../link/field';
import { encoded, encodeValues } from '../link/text';
import { isTensor, type Shape, TENSORS, type TensorName } from '../protocol/problem';

/** The messages between an embed and its host page, described in docs/embedding.md. */

/** The messages of a version never change. */
const VERSION = 1;

/** The fields of a link by key: { h: "5", stride: "2", mode: "dx", "dx.t": "4" }. */
type Fields = Readonly<Record<string, string>>;

/** The state of the embed, as a link. */
export interface EmbedState {
  /** The part of a link after its "#". */
  readonly link: string;
  /** The same, as fields. */
  readonly fields: Fields;
  /** Inputs that are too large for the link: it opens with other values for them. */
  readonly omitted: readonly string[];
}

/** An answer has the id of its request. */
type Id = string | number;

export type EmbedRequest = { readonly id: Id } & (
  | { readonly do: 'hello' }
  | { readonly do: 'get'; readonly tensors?: readonly TensorName[] }
  | { readonly do: 'set'; readonly link: string }
  /** Replaces these fields; null removes a field. */
  | { readonly do: 'change'; readonly fields: Readonly<Record<string, string | null>> }
);

/** A tensor of the shown problem. */
interface EmbedTensor {
  /** Four sizes in the layout's order; b and db are [1, 1, 1, k]. */
  readonly shape: Shape;
  /** Row-major; null: hidden, or not a number. */
  readonly values: readonly (number | null)[];
}

/** null: the problem has no such tensor. */
type EmbedTensors = Readonly<Partial<Record<TensorName, EmbedTensor | null>>>;

export type EmbedFault = 'version' | 'message' | 'refused' | 'costly' | 'unread' | 'overtaken' | 'failed';

export type EmbedAnswer =
  | {
      readonly ok: true;
      readonly state: EmbedState;
      /** Those that "get" asked for. */
      readonly tensors?: EmbedTensors;
      /** One sentence for each field that was ignored. */
      readonly complaints: readonly string[];
    }
  | { readonly ok: false; readonly fault: EmbedFault; readonly complaints: readonly string[] };

/** The hovered or pinned cell. */
export interface Selected {
  readonly tensor: string;
  /** Flat, row-major in the layout of the problem. */
  readonly index: number;
  /** As on the page: "y[1,2]". */
  readonly name: string;
  /** null: hidden, or not a cell of the eight tensors. */
  readonly value: number | null;
  /** True: pinned. */
  readonly kept: boolean;
}

type EmbedEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'change'; readonly state: EmbedState }
  | { readonly event: 'select'; readonly cell: Selected | null };

interface Refused {
  readonly id: Id;
  readonly fault: EmbedFault;
  readonly complaints: readonly string[];
}

/** The request in a message, the reason for refusing it, or null if it is not a message for this page. */
function readRequest(data: unknown): EmbedRequest | Refused | null {
  if (!isRecord(data) || !('conv2d' in data)) return null;
  const { conv2d, id, do: task, state } = data;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const refused = (fault: EmbedFault, sentence: string): Refused => ({ id, fault, complaints: [sentence] });
  if (conv2d !== VERSION) return refused('version', `This frame supports version ${VERSION} of the messages only.`);
  if (task === 'get' && data.tensors !== undefined) {
    const tensors = readTensors(data.tensors);
    return tensors
      ? { id, do: task, tensors }
      : refused('message', `In a message, tensors must be a list of ${TENSORS.join(', ')}.`);
  }
  if (task === 'hello' || task === 'get') return { id, do: task };
  if (task !== 'set' && task !== 'change') {
    return refused('message', 'In a message, do must be "hello", "get", "set" or "change".');
  }
  if (task === 'set' && typeof state === 'string') return { id, do: task, link: state.replace(/^[^#]*#/, '') };
  if (isLongerThanLink(state)) {
    const most = LINK_LIMITS.characters.toLocaleString('en');
    return refused('refused', `The link was not opened: its values are too many; the limit is ${most} characters.`);
  }
  const fields = readFields(state);
  if (!fields) {
    const text = task === 'set' ? 'a link or ' : '';
    return refused(
      'message',
      `In a message, state must be ${text}an object with a string or a number for each field, or an array for x, weights, bias or dy.`,
    );
  }
  if (task === 'change') return { id, do: task, fields };
  const given = Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return { id, do: task, link: linkFromFields(given) };
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** null: not a list of names, or one that has a name twice. */
function readTensors(names: unknown): readonly TensorName[] | null {
  if (!Array.isArray(names) || names.length > TENSORS.length) return null;
  const known = names.filter((name): name is TensorName => typeof name === 'string' && isTensor(name));
  return new Set(known).size === names.length ? known : null;
}

/** More than a link has fields. */
const MOST_FIELDS = 256;

/** Whether a state is certainly too long for a link. Counts, and stops at the limit: encoding too many values takes seconds. */
function isLongerThanLink(state: unknown): boolean {
  let left: number = LINK_LIMITS.characters;
  const spend = (value: unknown, axes = 0): boolean => {
    if (value instanceof Float32Array || typeof value === 'string') left -= value.length;
    else left -= 1;
    if (axes <= MOST_AXES && Array.isArray(value)) for (const entry of value) if (spend(entry, axes + 1)) return true;
    return left < 0;
  };
  return isRecord(state) && Object.values(state).some((value) => spend(value));
}

function readFields(state: unknown): Readonly<Record<string, string | null>> | null {
  if (!isRecord(state)) return null;
  const entries = Object.entries(state);
  const read = entries.map(([key, value]) => fieldOf(key, value));
  if (entries.length > MOST_FIELDS || read.includes(null)) return null;
  // A size that the host gives wins over that of a matrix, in any order.
  return Object.assign({}, ...read, ...entries.map(([, value], at) => (typeof value === 'object' ? null : read[at])));
}

/** The field, with the sizes of a matrix; null if it is not valid. */
function fieldOf(key: string, value: unknown): Readonly<Record<string, string | null>> | null {
  if (!/^[^&=#]{1,200}$/.test(key)) return null;
  if (value === null) return { [key]: null };
  return ['string', 'number', 'boolean'].includes(typeof value) ? { [key]: String(value) } : fieldsOfArray(key, value);
}

export const linkFromFields = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([key, value]) => `${key}=${encoded(value)}`).join('&');

/** The fields of a link that this page wrote. */
export const fieldsOf = (link: string): Fields =>
  Object.fromEntries(
    link.split('&').map((part) => {
      const [key = '', value = ''] = part.split(/=(.*)/s);
      return [key, decodeURIComponent(value)];
    }),
  );

export interface HostChannel {
  /** Sends an event to the host, if it has sent "hello". */
  readonly send: (told: EmbedEvent) => void;
  readonly stop: () => void;
}

/**
 * Receives the messages of the host. A message counts if it comes from the parent window and from an allowed origin;
 * any other has no effect and no answer. An answer goes to the origin of its request only.
 */
export function openHostChannel(
  page: Window,
  origins: readonly string[],
  answer: (request: EmbedRequest) => Promise<EmbedAnswer>,
): HostChannel {
  const host = page.parent;
  /** Origin of the host after "hello". */
  let listener: string | null = null;
  const send = (origin: string, message: object) => host.postMessage({ conv2d: VERSION, ...message }, origin);
  const onMessage = async ({ source, origin, data }: MessageEvent) => {
    if (source !== host || !origins.includes(origin)) return;
    const request = readRequest(data);
    if (!request) return;
    const { id } = request;
    if ('fault' in request) {
      send(origin, { id, ok: false, fault: request.fault, complaints: request.complaints });
      return;
    }
    const answered = await answer(request).catch(
      (cause): EmbedAnswer => ({ ok: false, fault: 'failed', complaints: [`The request failed (${cause}).`] }),
    );
    if (request.do === 'hello') listener = origin;
    send(origin, { id, ...answered });
  };
  // A top-level window is its own parent.
  if (host === page) return { send: () => undefined, stop: () => undefined };
  page.addEventListener('message', onMessage);
  for (const origin of hostOf(page, origins)) send(origin, { event: 'ready' });
  return {
    send(told) {
      if (listener !== null) send(listener, told);
    },
    stop: () => page.removeEventListener('message', onMessage),
  };
}

/** Origins to send "ready" to. Only the parent's, in browsers that have `ancestorOrigins`. */
function hostOf({ location }: Window, origins: readonly string[]): readonly string[] {
  const { ancestorOrigins } = location as { readonly ancestorOrigins?: DOMStringList };
  return ancestorOrigins ? origins.filter((origin) => origin === ancestorOrigins[0]) : origins;
}

/** Nested arrays of numbers as values of a state: { x: [[1, 2], [3, 4]] }. */

/** The source before the values, and the sizes that a matrix sets. */
const INPUTS: Readonly<Record<string, { readonly source: string; readonly sizes: readonly string[] }>> = {
  x: { source: 'brought', sizes: ['h', 'w'] },
  weights: { source: 'brought', sizes: ['kh', 'kw'] },
  bias: { source: 'brought', sizes: [] },
  b: { source: 'brought', sizes: [] },
  dy: { source: 'values', sizes: [] },
};

const MOST_AXES = 4;

/** The lengths of the axes; null if rows differ in length, if anything else is inside, or if there are more than four axes. */
function shapeOf(value: unknown, axes = 0): readonly number[] | null {
  if (typeof value === 'number') return [];
  if (!Array.isArray(value) || axes === MOST_AXES) return null;
  const [first = null, ...others] = value.map((entry) => shapeOf(entry, axes + 1));
  return first && others.every((other) => other?.join() === first.join()) ? [value.length, ...first] : null;
}

/** The array as fields of a link: its values, and the sizes of a matrix. null: not an array of this input. */
function fieldsOfArray(key: string, value: unknown): Readonly<Record<string, string>> | null {
  const input = Object.hasOwn(INPUTS, key) ? INPUTS[key] : undefined;
  const typed = value instanceof Float32Array ? [...value] : value;
  const shape = shapeOf(typed);
  if (!input || !shape || !Array.isArray(typed)) return null;
  const values = Float32Array.from(typed.flat(MOST_AXES));
  const sizes = shape.length === 2 ? input.sizes.map((name, axis) => [name, String(shape[axis])] as const) : [];
  return { ...Object.fromEntries(sizes), [key]: `${input.source}~${encodeValues(values)}` };
}
