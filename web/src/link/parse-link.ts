import { DEFAULT_LOOK } from '../look/look';
import type { ErrorCode } from '../protocol/problem';
import { AT_ONCE, checkDesc, isMore, type Work, workOf } from '../protocol/shapes';
import { parseCount } from '../sources/exact-text';
import { NO_MEMORY } from '../state/edits';
import {
  type Complain,
  type Field,
  type KnownInputs,
  LINK_LIMITS,
  type LinkTexts,
  networkFields,
  openingLink,
  type ParsedLink,
  type PartialLink,
  type Unpack,
} from './field';
import { FIELDS, LINK_VERSION } from './fields';
import { draftOf, problemOf, SIZE_FIELDS, withDefaults } from './problem-fields';
import { decoded, quoted, shortened } from './text';

/**
 * Reads the hash of a link (with or without "#"). An empty hash is the opening problem. `anyway`: without a limit on
 * the cost. `carried`: values that the link leaves out. `unpack`: decompresses its values (read-link.ts).
 */
export function parseLink(
  hash: string,
  anyway = false,
  knownInputs: KnownInputs = {},
  unpack: Unpack = () => null,
): ParsedLink {
  const complaints: string[] = [];
  const complain: Complain = (sentence) => complaints.push(sentence);
  const opening = (fault: ParsedLink['fault'], costs: Work | null = null): ParsedLink => ({
    ...openingLink(fault, limited(complaints)),
    costs,
    knownInputs,
  });
  const body = hash.replace(/^#/, '');
  const refuse = (why: string): ParsedLink => ({ ...refused(why, complaints), knownInputs });
  const { characters, parts: most } = LINK_LIMITS;
  if (body.length > characters)
    return refuse(`it has ${many(body.length)} characters; the limit is ${many(characters)}`);
  const parts = partsOf(body);
  if (parts.length > most) return refuse(`it has ${many(parts.length)} fields; the limit is ${many(most)}`);
  const texts = readTexts(parts, complain);
  if (texts.size === 0) return opening(parts.length === 0 ? null : 'refused');
  const version = readVersion(texts, complain);

  const draft = draftOf({ knownInputs, unpack });
  readInto(draft, SIZE_FIELDS, texts, complain);
  draft.desc = withDefaults(draft);
  const error = networkFields.code?.read(draft, texts, complain) ?? checkDesc(draft.desc);
  if (error) {
    const why = TOO_LARGE.has(error.code) ? 'is too large for this page' : 'has sizes that do not fit together';
    return refuse(`its problem ${why} (${error.message})`);
  }
  const work = draft.network?.work ?? workOf(draft.desc);
  if (!anyway && isMore(work, AT_ONCE)) return opening('costly', work);
  const all = (draft.network && networkFields.code?.fields) ?? FIELDS;
  const others = all.filter((field) => !SIZE_FIELDS.includes(field));
  readInto(draft, others, texts, complain);
  if (version === 1) noticeGaps(texts, draft);
  const problem = problemOf(draft);
  const { look: lookChanges, missing } = draft;
  return {
    ...opening(null),
    problem,
    look: { ...DEFAULT_LOOK, ...lookChanges },
    lookChanges,
    suggested: null,
    missing,
  };
}

/** Includes compressed values and networks. Rejects if their code fails to load. */
export async function parseCompressed(hash: string, anyway: boolean, knownInputs: KnownInputs): Promise<ParsedLink> {
  if (/(^|[#&])layers?[.=]/.test(hash)) await import('./network-fields');
  const wanted = new Map<string, number>();
  const parse = (unpack: Unpack): ParsedLink => {
    try {
      return parseLink(hash, anyway, knownInputs, unpack);
    } catch (cause) {
      return refused(cause instanceof RangeError ? NO_MEMORY : `it could not be read (${cause})`);
    }
  };
  const parsed = parse((text, bytes) => {
    wanted.set(text, bytes);
    return null;
  });
  if (wanted.size === 0) return parsed;
  // The sizes are known now and bound the decompression.
  const { canCompress, decompress } = await import('./compress');
  if (!canCompress())
    return refused('its values are compressed, and this browser cannot decompress them. Use a newer browser');
  const bytes = await decompress(wanted);
  return { ...parse((text) => bytes.get(text) ?? null), packed: true };
}

const refused = (why: string, complaints: readonly string[] = []): ParsedLink =>
  openingLink('refused', [`The link was not opened: ${why}.`, ...limited(complaints)]);

const TOO_LARGE: ReadonlySet<ErrorCode> = new Set(['out_of_memory', 'beyond_limits']);

const many = (count: number): string => count.toLocaleString('en');

/** The first ones, and the number of the others. */
function limited(complaints: readonly string[]): readonly string[] {
  const first = complaints.slice(0, LINK_LIMITS.complaints);
  const more = complaints.length - first.length;
  return more === 0 ? first : [...first, `… ${many(more)} more.`];
}

/** True if `x` names a sample image, which must be loaded before the link is parsed. */
export const needsSamples = (hash: string): boolean =>
  partsOf(hash.replace(/^#/, '').slice(0, LINK_LIMITS.characters)).some(
    (part) => part.startsWith('x=') && decoded(part.slice('x='.length))?.startsWith('sample:'),
  );

const partsOf = (body: string): readonly string[] => body.split('&').filter((part) => part !== '');

/** Texts by key; short forms of keys are replaced. */
function readTexts(parts: readonly string[], complain: Complain): LinkTexts {
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
  const known = [...FIELDS, ...(networkFields.code?.fields ?? [])];
  const field = known.find((candidate) => isOf(candidate, typed) || candidate.also?.includes(typed));
  if (!field) return null;
  return field.also?.includes(typed) ? field.key : typed;
}

const isOf = ({ key }: Field, typed: string): boolean =>
  key.endsWith('.') ? typed.startsWith(key) && typed.length > key.length : typed === key;

/** The version of the link; null if it has none, as a link that is typed by hand. */
function readVersion(texts: LinkTexts, complain: Complain): number | null {
  const text = texts.get('v');
  if (text === undefined) return null;
  const version = parseCount(text);
  if (version === null || version < 1) {
    complain(`v is ${quoted(text)} in the link, but must be 1 or 2; it was ignored.`);
  } else if (version > LINK_VERSION) {
    complain('A newer version of this page made the link; some of its parts may be missing.');
  }
  return version;
}

function readInto(draft: PartialLink, fields: readonly Field[], texts: LinkTexts, complain: Complain): void {
  for (const field of fields) {
    for (const [key, text] of texts) {
      const expected = isOf(field, key) ? field.read(text, draft, key) : null;
      if (expected !== null) {
        complain(`${shortened(key)} is ${quoted(text)} in the link, but must be ${expected}; it was ignored.`);
      }
    }
  }
}

/** Links of version 1 leave out large inputs without a mark. */
function noticeGaps(texts: LinkTexts, { missing }: PartialLink): void {
  if (!texts.has('x')) missing.push({ input: 'x', image: '' });
  if (!texts.has('dy')) missing.push({ input: 'dy', image: null });
}
