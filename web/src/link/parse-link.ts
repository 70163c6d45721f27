import { DEFAULT_LOOK, type Look } from '../look/look';
import type { Cell } from '../protocol/cell';
import type { ErrorCode } from '../protocol/errors';
import { LINK_LIMITS } from '../protocol/limits';
import { checkDesc } from '../protocol/shapes';
import { AT_ONCE, isMore, type Work, workOf } from '../protocol/work';
import { parseCount } from '../sources/exact-text';
import { NO_MEMORY } from '../state/edits';
import { OPENING_CELL, openingProblem } from '../state/problem';
import type { Carried, Draft, Field, Linked, Missing, Unpack } from './field';
import { FIELDS, LINK_VERSION } from './fields';
import { problemOf } from './input-fields';
import { completed, SIZE_FIELDS } from './size-fields';
import { decoded, quoted, shortened } from './text';

/** A link understood as far as it can be. */
export interface ParsedLink extends Linked {
  /**
   * Why it opens nothing, problem and look being what everybody sees first: its problem cannot be (the complaint says why), or
   * what reads links could not be fetched, or it takes more than is computed unasked (`costs`). Null: it opens.
   */
  readonly fault: 'refused' | 'unread' | 'costly' | null;
  readonly costs: Work | null;
  /** What was said of the look; the rest of `look` is as everybody sees it first. */
  readonly said: Partial<Look>;
  /** A cell that is explained until somebody points at another: of the opening problem. */
  readonly suggested: Cell | null;
  /** What could not be understood and was ignored, one sentence each; of many the first, and how many more there are. */
  readonly complaints: readonly string[];
  /** What the link names but could not carry. */
  readonly missing: readonly Missing[];
  /** What was at hand for it. */
  readonly carried: Carried;
  /** It has compressed numbers, perhaps more than the page's own address would carry. */
  readonly packed: boolean;
}

type Complain = (sentence: string) => void;

/**
 * Reads the hash of a link (with or without "#"). An empty one is the opening problem. `anyway`: whatever it takes to compute.
 * `carried`: what the link leaves out, if it is known. `unpack` has what is compressed in it (read-link.ts).
 */
export function parseLink(
  hash: string,
  anyway = false,
  carried: Carried = {},
  unpack: Unpack = () => null,
): ParsedLink {
  const complaints = new Complaints();
  const complain: Complain = (sentence) => complaints.add(sentence);
  const opening = (fault: ParsedLink['fault'], costs: Work | null = null): ParsedLink => ({
    problem: openingProblem(),
    look: DEFAULT_LOOK,
    said: {},
    suggested: OPENING_CELL,
    fault,
    costs,
    complaints: complaints.all(),
    missing: [],
    carried,
    packed: false,
  });
  const body = hash.replace(/^#/, '');
  if (body.length > LINK_LIMITS.characters) {
    complaints.refuse(
      `The link was not opened: it has ${many(body.length)} characters, at most ${many(LINK_LIMITS.characters)} are read.`,
    );
    return opening('refused');
  }
  const parts = partsOf(body);
  if (parts.length > LINK_LIMITS.parts) {
    complaints.refuse(
      `The link was not opened: it has ${many(parts.length)} parts, at most ${many(LINK_LIMITS.parts)} are read.`,
    );
    return opening('refused');
  }
  const texts = readTexts(parts, complain);
  if (texts.size === 0) return opening(parts.length === 0 ? null : 'refused');
  const version = readVersion(texts, complain);

  const draft = emptyDraft(carried, unpack);
  readInto(draft, SIZE_FIELDS, texts, complain);
  draft.desc = completed(draft);
  const error = checkDesc(draft.desc);
  if (error) {
    const why = TOO_LARGE.has(error.code) ? 'is too large for this page' : 'has sizes that do not go together';
    complaints.refuse(`The link was not opened: its problem ${why} (${error.message}).`);
    return opening('refused');
  }
  const work = workOf(draft.desc);
  if (!anyway && isMore(work, AT_ONCE)) return opening('costly', work);
  readInto(
    draft,
    FIELDS.filter((field) => !SIZE_FIELDS.includes(field)),
    texts,
    complain,
  );
  if (version === 1) noticeGaps(texts, draft);
  const { look: said, missing } = draft;
  return {
    problem: problemOf(draft),
    look: { ...DEFAULT_LOOK, ...said },
    said,
    suggested: null,
    fault: null,
    costs: null,
    complaints: complaints.all(),
    missing,
    carried,
    packed: false,
  };
}

/** With what is compressed in it. Rejects where the part of the page that takes it apart cannot be fetched. */
export async function parseWhole(hash: string, anyway: boolean, carried: Carried): Promise<ParsedLink> {
  const wanted = new Map<string, number>();
  const parse = (unpack: Unpack): ParsedLink => {
    try {
      return parseLink(hash, anyway, carried, unpack);
    } catch (cause) {
      return refused(cause instanceof RangeError ? NO_MEMORY : `it could not be read (${cause})`);
    }
  };
  const parsed = parse((text, bytes) => {
    wanted.set(text, bytes);
    return null;
  });
  if (wanted.size === 0) return parsed;
  // The sizes are known now: what is compressed is taken apart as far as they say, and no further.
  const { isAble, unpacked } = await import('./packed');
  if (!isAble()) return refused('its numbers are compressed, and this browser cannot take them apart; a newer one can');
  const bytes = await unpacked(wanted);
  return { ...parse((text) => bytes.get(text) ?? null), packed: true };
}

const refused = (why: string): ParsedLink => ({
  ...parseLink(''),
  fault: 'refused',
  complaints: [`The link was not opened: ${why}.`],
});

const TOO_LARGE: ReadonlySet<ErrorCode> = new Set(['out_of_memory', 'beyond_limits']);

const many = (count: number): string => count.toLocaleString('en');

/** Sentences, of which only the first are kept; why nothing is opened stands before them. */
class Complaints {
  readonly #first: string[] = [];
  #why: readonly string[] = [];
  #count = 0;

  add(sentence: string): void {
    this.#count += 1;
    if (this.#count <= LINK_LIMITS.complaints) this.#first.push(sentence);
  }

  refuse(why: string): void {
    this.#why = [why];
  }

  all(): readonly string[] {
    const more = this.#count - this.#first.length;
    const said = [...this.#why, ...this.#first];
    return more === 0 ? said : [...said, `… ${many(more)} more.`];
  }
}

/** The text of `x` names one of the program's own pictures, which have to be there before it is parsed. */
export const needsSamples = (hash: string): boolean =>
  partsOf(hash.replace(/^#/, '').slice(0, LINK_LIMITS.characters)).some(
    (part) => part.startsWith('x=') && decoded(part.slice('x='.length))?.startsWith('sample:'),
  );

const emptyDraft = (carried: Carried, unpack: Unpack): Draft => ({
  sizes: {},
  desc: completed({ sizes: {} }),
  tensors: {},
  dy: { kind: 'ones' },
  algorithms: {},
  look: {},
  missing: [],
  carried,
  unpack,
});

const partsOf = (body: string): readonly string[] => body.split('&').filter((part) => part !== '');

/** The texts by key; short forms are written out. */
function readTexts(parts: readonly string[], complain: Complain): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const typed = part.slice(0, equals < 0 ? undefined : equals);
    const key = typed === 'v' ? typed : keyOf(typed);
    const text = equals < 0 ? null : decoded(part.slice(equals + 1));
    if (text === null || key === null) complain(`${quoted(part)} in the link is unknown and was ignored.`);
    else {
      if (texts.has(key)) complain(`${shortened(key)} is in the link more than once; the last one counts.`);
      texts.set(key, text);
    }
  }
  return texts;
}

function keyOf(typed: string): string | null {
  const field = FIELDS.find((candidate) => isOf(candidate, typed) || candidate.also?.includes(typed));
  if (!field) return null;
  return field.also?.includes(typed) ? field.key : typed;
}

const isOf = ({ key }: Field, typed: string): boolean =>
  key.endsWith('.') ? typed.startsWith(key) && typed.length > key.length : typed === key;

/** The version that the link says it has; null when it says none, as one that is typed by hand. */
function readVersion(texts: ReadonlyMap<string, string>, complain: Complain): number | null {
  const text = texts.get('v');
  if (text === undefined) return null;
  const version = parseCount(text);
  if (version === null || version < 1) {
    complain(`v is ${quoted(text)} in the link, but must be the version of a link, 1 or 2; it was ignored.`);
  } else if (version > LINK_VERSION) {
    complain('The link was made by a newer version of this page; parts of it may be missing.');
  }
  return version;
}

function readInto(
  draft: Draft,
  fields: readonly Field[],
  texts: ReadonlyMap<string, string>,
  complain: Complain,
): void {
  for (const field of fields) {
    for (const [key, text] of texts) {
      const expected = isOf(field, key) ? field.read(text, draft, key) : null;
      if (expected !== null) {
        complain(`${shortened(key)} is ${quoted(text)} in the link, but must be ${expected}; it was ignored.`);
      }
    }
  }
}

/** Version 1 left inputs out that it could not carry, and said nothing. */
function noticeGaps(texts: ReadonlyMap<string, string>, { missing }: Draft): void {
  if (!texts.has('x')) missing.push({ input: 'x', picture: '' });
  if (!texts.has('dy')) missing.push({ input: 'dy', picture: null });
}
