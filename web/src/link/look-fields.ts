import { DEFAULT_LOOK, type Look, MODES, type ModeId, SIDES, type ViewState } from '../look/look';
import { isHideable, isLockable } from '../look/parts';
import { MOST_BESIDE } from '../protocol/limits';
import { numberText, parseNumber } from '../sources/exact-text';
import { cellText, parseCell } from './cell-text';
import type { Field } from './field';
import { FORMER_VIEWS } from './former-views';
import { decoded, encoded } from './text';

/** Fields of the look, written where they differ from the default. */

/** One of several words. */
const word = <Name extends keyof Look, Word extends Look[Name] & string>(
  key: string,
  name: Name,
  words: readonly Word[],
): Field => ({
  key,
  write: ({ look }) => (look[name] === DEFAULT_LOOK[name] ? null : String(look[name])),
  read(text, { look }) {
    const found = words.find((candidate) => candidate === text);
    if (found === undefined) return words.join(', ');
    look[name] = found;
    return null;
  },
});

/** "dx.way=gather&dx.t=5": the options of a mode. */
const settings = (mode: ModeId): Field => ({
  key: `${mode}.`,
  write: ({ look }) =>
    Object.entries(look.settings[mode] ?? {}).map(
      ([name, value]) => [`${mode}.${encoded(name)}`, settingText(value)] as const,
    ),
  read(text, { look }, key) {
    const name = decoded(key.slice(mode.length + 1));
    if (!name || text === '') return 'a name and a value';
    const before: ViewState = look.settings?.[mode] ?? {};
    look.settings = { ...look.settings, [mode]: { ...before, [name]: parseSetting(text) } };
    return null;
  },
});

/** A field of a view that is gone: it is translated before fields are read (former-views.ts). */
const former = (view: string): Field => ({ key: `${view}.`, write: () => null, read: () => null });

const isFormer = (part: string): boolean => FORMER_VIEWS.some((view) => part === `mode.${view}`);

/** A string that would be read as a number or a boolean gets the prefix "~". */
function settingText(value: string | number | boolean): string {
  if (typeof value !== 'string') return typeof value === 'number' ? numberText(value) : String(value);
  return parseSetting(value) === value ? encoded(value) : `~${encoded(value)}`;
}

function parseSetting(text: string): string | number | boolean {
  if (text.startsWith('~')) return text.slice(1);
  if (text === 'true' || text === 'false') return text === 'true';
  const number = parseNumber(text);
  return number !== null && numberText(number) === text ? number : text;
}

const cell: Field = {
  key: 'cell',
  write: ({ look: { pinned } }) => pinned && cellText(pinned),
  read(text, { look }) {
    const read = parseCell(text);
    if (!read || read.index === null) return 'a tensor and the index of a cell, as in y.12';
    look.pinned = { tensor: read.tensor, index: read.index };
    return null;
  },
};

const focus: Field = {
  key: 'slice',
  write({ look }) {
    const parts = Object.entries(look.focus).flatMap(([axis, index]) => (index === 0 ? [] : `${axis}${index}`));
    return parts.length === 0 ? null : parts.join('.');
  },
  read(text, { look }) {
    const match = /^(?:n(\d{1,9}))?\.?(?:c(\d{1,9}))?\.?(?:k(\d{1,9}))?$/.exec(text);
    if (!match || text === '') return 'an image, a channel and a filter, as in n1.c2.k3';
    const [n, c, k] = [match[1], match[2], match[3]].map((digits) => Number(digits ?? 0));
    look.focus = { n: n ?? 0, c: c ?? 0, k: k ?? 0 };
    return null;
  },
};

/** A text that a part of the page parses later; only its pattern is checked here. */
const text = (name: 'code' | 'race' | 'times' | 'lesson' | 'answers', pattern: RegExp, what: string): Field => ({
  key: name,
  write: ({ look }) => look[name],
  read(written, { look }) {
    if (!pattern.test(written)) return what;
    look[name] = written;
    return null;
  },
});

/** The link of the second problem, encoded. It is parsed when the comparison opens. */
const compared: Field = {
  key: 'with',
  write: ({ look }) => (look.with === null ? null : encoded(look.with)),
  read(text, { look }) {
    if (text.length > MOST_BESIDE) return `a link of at most ${MOST_BESIDE.toLocaleString('en')} characters`;
    look.with = text;
    return null;
  },
};

/** Hidden tensors and cells, and hidden parts of the page. */
const hidden: Field = {
  key: 'hidden',
  also: ['hide'],
  write({ look: { masked, absent } }) {
    const names = [...masked.map(cellText), ...absent];
    return names.length === 0 ? null : names.join(',');
  },
  read(text, { look }) {
    const names = text.split(',').filter((name) => !isFormer(name));
    const absent = new Set(names.filter(isHideable));
    const cells = names.filter((name) => !isHideable(name)).map(parseCell);
    // An entry of C is a weight and is hidden with it.
    const known = cells.flatMap((entry) => (entry && entry.tensor !== 'C' ? [entry] : []));
    if (known.length < cells.length) return 'tensors, cells or parts of the page, as in dx,y.12,mode.lowering,stride';
    look.masked = known;
    look.absent = [...absent];
    return null;
  },
};

const locked: Field = {
  key: 'locked',
  also: ['lock'],
  write: ({ look }) => (look.locked.length === 0 ? null : look.locked.join(',')),
  read(text, { look }) {
    const names = new Set(text.split(',').filter((name) => !isFormer(name)));
    const known = [...names].filter(isLockable);
    if (known.length < names.size) return 'parts of the page, as in stride,mode.dw,x';
    look.locked = known;
    return null;
  },
};

export const LOOK_FIELDS: readonly Field[] = [
  word('mode', 'mode', MODES),
  ...MODES.map(settings),
  ...FORMER_VIEWS.map(former),
  cell,
  focus,
  word('colours', 'transfer', ['linear', 'root']),
  word('side', 'side', SIDES),
  text('lesson', /^[a-z0-9-]{1,40}\.[1-9]\d?$/, 'the name of a lesson and the number of a step, as in padding.2'),
  text('answers', /^(\d{1,6}:)?[\d.+_ehmr-]{0,999}$/i, 'the answers of an exercise set, as in 41_-7h_r'),
  word('lecture', 'lecture', ['words', 'stage']),
  text('code', /^[a-z]{1,20}(\.(y|dx|dw|db)){0,2}$/, 'a language and a result, as in numpy.dx'),
  text('race', /^[\w.-]{1,200}$/, 'a race, as in S1-R4.y-dx'),
  text('times', /^[\w.,:~+-]{1,12000}$/, 'the times of a race'),
  compared,
  word('controls', 'controls', ['open', 'folded']),
  hidden,
  locked,
];
