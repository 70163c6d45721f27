import { DEFAULT_LOOK, type Look } from '../look/look';
import type { Cell } from '../protocol/cell';
import { checkDesc } from '../protocol/shapes';
import { parseCount } from '../sources/exact-text';
import { OPENING_CELL, openingProblem } from '../state/problem';
import type { Draft, Field, Linked, Missing } from './field';
import { FIELDS, LINK_VERSION } from './fields';
import { problemOf } from './input-fields';
import { completed, SIZE_FIELDS } from './size-fields';
import { decoded, quoted } from './text';

/** A link understood as far as it can be. */
export interface ParsedLink extends Linked {
  /** What was said of the look; the rest of `look` is as everybody sees it first. */
  readonly said: Partial<Look>;
  /** A cell that is explained until somebody points at another: of the opening problem. */
  readonly suggested: Cell | null;
  /** What could not be understood and was ignored, one sentence each. */
  readonly complaints: readonly string[];
  /** What the link names but could not carry. */
  readonly missing: readonly Missing[];
}

type Complain = (sentence: string) => void;

/** Reads the hash of a link (with or without "#"). An empty one is the opening problem. */
export function parseLink(hash: string): ParsedLink {
  const complaints: string[] = [];
  const complain: Complain = (sentence) => complaints.push(sentence);
  const opening = (): ParsedLink => ({
    problem: openingProblem(),
    look: DEFAULT_LOOK,
    said: {},
    suggested: OPENING_CELL,
    complaints,
    missing: [],
  });
  const texts = readTexts(hash.replace(/^#/, ''), complain);
  if (texts.size === 0) return opening();
  const version = readVersion(texts, complain);

  const draft = emptyDraft();
  readInto(draft, SIZE_FIELDS, texts, complain);
  draft.desc = completed(draft);
  const error = checkDesc(draft.desc);
  if (error) {
    complain(`The link's sizes do not go together (${error.message}); the opening problem is shown instead.`);
    return opening();
  }
  readInto(
    draft,
    FIELDS.filter((field) => !SIZE_FIELDS.includes(field)),
    texts,
    complain,
  );
  if (version === 1) noticeGaps(texts, draft);
  const { look: said, missing } = draft;
  return { problem: problemOf(draft), look: { ...DEFAULT_LOOK, ...said }, said, suggested: null, complaints, missing };
}

/** The text of `x` names one of the program's own pictures, which have to be there before it is parsed. */
export const needsSamples = (hash: string): boolean =>
  readTexts(hash.replace(/^#/, ''), () => undefined)
    .get('x')
    ?.startsWith('sample:') ?? false;

const emptyDraft = (): Draft => ({
  sizes: {},
  desc: completed({ sizes: {} }),
  tensors: {},
  dy: { kind: 'ones' },
  algorithms: {},
  look: {},
  missing: [],
});

/** The texts by key; short forms are written out. */
function readTexts(hash: string, complain: Complain): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const part of hash.split('&').filter((piece) => piece !== '')) {
    const equals = part.indexOf('=');
    const typed = part.slice(0, equals < 0 ? undefined : equals);
    const key = typed === 'v' ? typed : keyOf(typed);
    const text = equals < 0 ? null : decoded(part.slice(equals + 1));
    if (text === null || key === null) complain(`${quoted(part)} in the link is unknown and was ignored.`);
    else {
      if (texts.has(key)) complain(`${key} is in the link more than once; the last one counts.`);
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
        complain(`${key} is ${quoted(text)} in the link, but must be ${expected}; it was ignored.`);
      }
    }
  }
}

/** Version 1 left inputs out that it could not carry, and said nothing. */
function noticeGaps(texts: ReadonlyMap<string, string>, { missing }: Draft): void {
  if (!texts.has('x')) missing.push({ input: 'x', picture: '' });
  if (!texts.has('dy')) missing.push({ input: 'dy', picture: null });
}
