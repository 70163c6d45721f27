import { LINK_LIMITS } from '../link/field';
import { encoded, quoted, shortened } from '../link/text';
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

/** The texts of fields; null: removed. */
export type GivenFields = Readonly<Record<string, string | null>>;

/** A state with arrays, or with what was sent in place of one (arrays.ts). */
export interface ArraysRequest {
  readonly do: 'set' | 'change';
  readonly fields: GivenFields;
  readonly arrays: Readonly<Record<string, unknown>>;
}

export type EmbedRequest = { readonly id: Id } & (
  | { readonly do: 'hello' }
  | { readonly do: 'get'; readonly tensors?: readonly TensorName[] }
  | { readonly do: 'set'; readonly link: string }
  /** Replaces these fields; null removes a field. */
  | { readonly do: 'change'; readonly fields: GivenFields }
  | ArraysRequest
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
  const long = isRecord(state) ? longField(state) : undefined;
  if (long !== undefined) return refused('refused', tooLongText(long));
  const read = readFields(state, task === 'set' ? 'the text of a link or ' : '');
  if (typeof read === 'string') return refused('message', read);
  const { fields, arrays } = read;
  if (Object.keys(arrays).length > 0) return { id, do: task, fields, arrays };
  return task === 'change' ? { id, do: task, fields } : { id, do: task, link: linkFromFields(fields) };
}

/** True of no arrays, which are objects, too. */
export const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !isList(data);

/** An array, or a typed array. */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** null: not a list of names, or one that has a name twice. */
function readTensors(names: unknown): readonly TensorName[] | null {
  if (!Array.isArray(names) || names.length > TENSORS.length) return null;
  const known = names.filter((name): name is TensorName => typeof name === 'string' && isTensor(name));
  return new Set(known).size === names.length ? known : null;
}

/** More than a link has fields. */
const MOST_FIELDS = 256;

export const MOST_AXES = 4;

/** The field that makes a state certainly too long for a link. Counts, and stops at the limit: encoding too many values takes seconds. */
function longField(state: Readonly<Record<string, unknown>>): string | undefined {
  let left: number = LINK_LIMITS.characters;
  const isTooLong = (value: unknown, axes = 0): boolean => {
    const isWhole = typeof value === 'string' || (isList(value) && !Array.isArray(value));
    left -= isWhole ? value.length : 1;
    if (isWhole || axes > MOST_AXES || typeof value !== 'object' || value === null) return left < 0;
    const entries = Array.isArray(value) ? value : Object.values(value);
    for (const entry of entries) if (isTooLong(entry, axes + 1)) return true;
    return left < 0;
  };
  return Object.entries(state).find(([, value]) => isTooLong(value))?.[0];
}

export const tooLongText = (field: string): string =>
  `${shortened(field)} is too long: all fields together have at most ${LINK_LIMITS.characters.toLocaleString('en')} characters, as a link. Send fewer values.`;

/** The fields of a state, with all that is no text apart; or what is wrong with one. */
function readFields(state: unknown, orLink: string): Omit<ArraysRequest, 'do'> | string {
  if (!isRecord(state)) return `In a message, state must be ${orLink}an object of fields.`;
  const entries = Object.entries(state);
  if (entries.length > MOST_FIELDS) return `state has ${entries.length} fields. Send at most ${MOST_FIELDS}.`;
  const wrong = entries.find(([key]) => !/^[^&=#]{1,200}$/.test(key));
  if (wrong) return `${quoted(wrong[0])} in state is no name of a field.`;
  const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const fields = entries.flatMap(([key, value]) =>
    value === null ? [[key, null]] : isText(value) ? [[key, String(value)]] : [],
  );
  const arrays = entries.filter(([, value]) => value !== null && !isText(value));
  return { fields: Object.fromEntries(fields), arrays: Object.fromEntries(arrays) };
}

/** A field that is null is left out. */
export const linkFromFields = (fields: GivenFields): string =>
  Object.entries(fields)
    .flatMap(([key, value]) => (value === null ? [] : `${key}=${encoded(value)}`))
    .join('&');

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
