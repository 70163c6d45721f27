/** The messages between an embed and the page that shows it: docs/embedding.md describes them. */

/** What a version says never changes. */
export const VERSION = 1;

/** The parts of a link by their keys: { h: "5", stride: "2", mode: "dx", "dx.t": "4" }. */
export type Fields = Readonly<Record<string, string>>;

/** What is seen, as a link says it. */
export interface State {
  /** What stands behind the "#" of a link. */
  readonly link: string;
  /** The same, taken apart. */
  readonly fields: Fields;
  /** Inputs that are too large for a link: who opens it gets other numbers in their place. */
  readonly omitted: readonly string[];
}

/** Who asks gets an answer with the same id. */
export type Id = string | number;

export type Request = { readonly id: Id } & (
  | { readonly do: 'hello' | 'get' }
  /** Opens what the fields say, and nothing else of before, as a link does. */
  | { readonly do: 'set'; readonly link: string }
  /** Replaces these fields; null takes one away. */
  | { readonly do: 'change'; readonly fields: Readonly<Record<string, string | null>> }
);

export type Fault = 'version' | 'message' | 'refused' | 'costly' | 'unread' | 'overtaken' | 'failed';

export type Answer =
  | {
      readonly ok: true;
      readonly state: State /** What was ignored, one sentence each. */;
      readonly complaints: readonly string[];
    }
  | { readonly ok: false; readonly fault: Fault; readonly complaints: readonly string[] };

/** A cell that the reader points at, or keeps. */
export interface Selected {
  readonly tensor: string;
  /** Flat, row-major in the layout of the problem. */
  readonly index: number;
  /** As the page writes it: "y[1,2]". */
  readonly name: string;
  /** null: it is hidden, or no number of one of the eight tensors. */
  readonly value: number | null;
  /** It stays when the pointer goes elsewhere. */
  readonly kept: boolean;
}

export type Told =
  | { readonly event: 'ready' }
  | { readonly event: 'change'; readonly state: State }
  | { readonly event: 'select'; readonly cell: Selected | null };

interface Refused {
  readonly id: Id;
  readonly fault: Fault;
  readonly complaints: readonly string[];
}

/** The request in a message; why it is none; or null, when it is no message of this kind at all. */
export function readRequest(data: unknown): Request | Refused | null {
  if (!isRecord(data) || !('conv2d' in data)) return null;
  const { conv2d, id, do: task, state } = data;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const refused = (fault: Fault, sentence: string): Refused => ({ id, fault, complaints: [sentence] });
  if (conv2d !== VERSION) return refused('version', `This frame speaks version ${VERSION} of the messages alone.`);
  if (task === 'hello' || task === 'get') return { id, do: task };
  if (task !== 'set' && task !== 'change') {
    return refused('message', 'A message must say do: "hello", "get", "set" or "change".');
  }
  if (task === 'set' && typeof state === 'string') return { id, do: task, link: state.replace(/^[^#]*#/, '') };
  const fields = readFields(state);
  if (!fields) {
    const text = task === 'set' ? 'the text of a link, or ' : '';
    return refused(
      'message',
      `The state of a message must be ${text}an object with a text or a number for each field.`,
    );
  }
  if (task === 'change') return { id, do: task, fields };
  const given = Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return { id, do: task, link: linkOf(given) };
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** More than a link has parts. */
const MOST_FIELDS = 256;

function readFields(state: unknown): Readonly<Record<string, string | null>> | null {
  if (!isRecord(state)) return null;
  const entries = Object.entries(state);
  const isField = ([key, value]: readonly [string, unknown]) =>
    /^[^&=#]{1,200}$/.test(key) && (value === null || ['string', 'number', 'boolean'].includes(typeof value));
  if (entries.length > MOST_FIELDS || !entries.every(isField)) return null;
  return Object.fromEntries(entries.map(([key, value]) => [key, value === null ? null : String(value)]));
}

/** Half of a character that takes two cannot be encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

export const linkOf = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([key, value]) => `${key}=${encoded(value)}`).join('&');

/** Of a link that this page wrote. */
export const fieldsOf = (link: string): Fields =>
  Object.fromEntries(
    link.split('&').map((part) => {
      const [key = '', value = ''] = part.split(/=(.*)/s);
      return [key, decodeURIComponent(value)];
    }),
  );
