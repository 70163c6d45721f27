import {
  DEFAULT_LOOK,
  isHideable,
  isLockable,
  type Look,
  MODES,
  type ModeId,
  SIDE_IDS,
  type TeacherQuestion,
  type ViewState,
} from '../look/look';
import { isTensor } from '../protocol/problem';
import { shapeOf, shapeSize } from '../protocol/shapes';
import { numberText, parseCount, parseExact } from '../sources/exact-text';
import { shownIndex } from '../state/problem';
import type { Field } from './field';
import { cellText, decoded, encoded, nameText, parseCell, parseName } from './text';

/** Fields of the look, written where they differ from the default. */

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

/** A string that would be read as a number or a boolean gets the prefix "~". */
function settingText(value: string | number | boolean): string {
  if (typeof value !== 'string') return typeof value === 'number' ? numberText(value) : String(value);
  return parseSetting(value) === value ? encoded(value) : `~${encoded(value)}`;
}

function parseSetting(text: string): string | number | boolean {
  if (text.startsWith('~')) return text.slice(1);
  if (text === 'true' || text === 'false') return text === 'true';
  return parseExact(text) ?? text;
}

/** Missing: the first layer with weights. */
const layer: Field = {
  key: 'layer',
  write({ problem, look: { layer } }) {
    const index = shownIndex(problem, layer);
    return index > shownIndex(problem, null) ? String(index + 1) : null;
  },
  read(text, { look }) {
    const number = parseCount(text);
    if (!number) return 'the number of a layer, as in 2';
    look.layer = number - 1;
    return null;
  },
};

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
const text = (name: 'code' | 'lesson' | 'answers' | 'seed' | 'date', pattern: RegExp, what: string): Field => ({
  key: name,
  write: ({ look }) => look[name],
  read(written, { look }) {
    if (!pattern.test(written)) return what;
    look[name] = written;
    return null;
  },
});

/** Control characters, and those that reverse the direction of the text; joiners are letters in some scripts. */
const UNPRINTABLE = /(?![\u200c\u200d])\p{C}/gu;

/** Plain text of at most `most` characters on one line. */
export const printable = (text: string, most: number): string =>
  [...text.replace(/\s/gu, ' ').replace(UNPRINTABLE, '').replace(/ +/g, ' ').trim()].slice(0, most).join('').trimEnd();

export const MOST_NAME = 60;

const student: Field = {
  key: 'name',
  write: ({ look }) => (look.student === null ? null : encoded(look.student)),
  read(text, { look }) {
    if (text === '' || printable(text, MOST_NAME) !== text) return `a name of at most ${MOST_NAME} characters`;
    look.student = text;
    return null;
  },
};

/** A digest that cannot be read never fits. */
const digest: Field = {
  key: 'digest',
  write: ({ look }) => look.digest,
  read(text, { look }) {
    look.digest = /^[0-9a-f]{16}$/.test(text) ? text : '-';
    return null;
  },
};

export const MOST_QUESTIONS = 20;
export const MOST_SENTENCE = 200;

/** "dx.4~Find%20dx[1,1]", "!rows%20of%20y~", "!~Which%20one~*no~yes": texts are names as in `nameText`. */
const questionText = ({ cell, sentence, asks: [name = '', ...options] = [] }: TeacherQuestion): string =>
  [cell ? cellText(cell) : `!${nameText(name)}`, ...[sentence, ...options].map(nameText)].join('~');

const questions: Field = {
  key: 'questions',
  write: ({ look }) => (look.questions.length === 0 ? null : look.questions.map(questionText).join(',')),
  read(text, { look, desc }) {
    const entries = text.split(',');
    const read = entries.flatMap((entry): readonly TeacherQuestion[] => {
      const [name = '', sentence = '', ...options] = entry.split('~').map(parseName);
      if (![sentence, ...options].every((words) => printable(words, MOST_SENTENCE) === words)) return [];
      if (name.startsWith('!')) return [{ cell: null, sentence, asks: [name.slice(1), ...options] }];
      const cell = parseCell(name);
      if (options.length > 0 || !cell || cell.index === null || !isTensor(cell.tensor)) return [];
      if (cell.index >= shapeSize(shapeOf(cell.tensor, desc))) return [];
      return [{ cell: { tensor: cell.tensor, index: cell.index }, sentence }];
    });
    const named = new Set(read.map((question) => (question.cell ? cellText(question.cell) : questionText(question))));
    if (named.size < entries.length || read.length > MOST_QUESTIONS)
      return `at most ${MOST_QUESTIONS} questions about this problem with texts of at most ${MOST_SENTENCE} characters, as in dx.4~Find`;
    look.questions = read;
    return null;
  },
};

const hidden: Field = {
  key: 'hidden',
  also: ['hide'],
  write({ look: { hiddenCells, hiddenParts } }) {
    const names = [...hiddenCells.map(cellText), ...hiddenParts];
    return names.length === 0 ? null : names.join(',');
  },
  read(text, { look, network }) {
    const names = text.split(',');
    const hiddenParts = new Set(names.filter(isHideable));
    const cells = names.filter((name) => !isHideable(name)).map(network?.parseCell ?? parseCell);
    // An entry of C is a weight and is hidden with it.
    const known = cells.flatMap((entry) => (entry && entry.tensor !== 'C' ? [entry] : []));
    if (known.length < cells.length) return 'tensors, cells or parts of the page, as in dx,y.12,mode.lowering,stride';
    look.hiddenCells = known;
    look.hiddenParts = [...hiddenParts];
    return null;
  },
};

const locked: Field = {
  key: 'locked',
  also: ['lock'],
  write: ({ look }) => (look.locked.length === 0 ? null : look.locked.join(',')),
  read(text, { look }) {
    const names = new Set(text.split(','));
    const known = [...names].filter(isLockable);
    if (known.length < names.size) return 'parts of the page, as in stride,mode.dw,x';
    look.locked = known;
    return null;
  },
};

export const LOOK_FIELDS: readonly Field[] = [
  word('mode', 'mode', MODES),
  ...MODES.map(settings),
  layer,
  cell,
  focus,
  word('colours', 'transfer', ['linear', 'root']),
  word('side', 'side', SIDE_IDS),
  text('lesson', /^[a-z0-9-]{1,40}\.[1-9]\d?$/, 'the name of a lesson and the number of a step, as in padding.2'),
  text('answers', /^(\d{1,6}:)?[\d.+_ehmr-]{0,999}$/i, 'the answers of an exercise set, as in 41_-7h_r'),
  student,
  text('seed', /^\d{1,6}(\.each)?$/, 'a number of at most 6 digits, as in 7 or 7.each'),
  text('date', /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/, 'a date and a time, as in 2026-03-01T12:00Z'),
  digest,
  questions,
  word('lecture', 'lecture', ['words']),
  text(
    'code',
    /^(cpp|numpy|pytorch|tensorflow|library|javascript)(\.(y|dx|dw|db|network)){0,2}$/,
    'a language and a result, as in numpy.dx',
  ),
  word('controls', 'controls', ['open', 'folded']),
  hidden,
  locked,
];
