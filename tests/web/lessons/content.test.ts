import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { Formula, readContent } from '../../../web/site/content';
import { COUNTS, READS_RESULT } from '../../../web/src/app/lesson/exercise/counts';
import { pointersOf, selectorOf } from '../../../web/src/app/lesson/pointers';
import { GRADIENTS, type StepData } from '../../../web/src/lessons/lesson';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { type Check, count, either, fields, link, list, map, matching, oneOf, text } from './schema';

// The fields of each file of web/content. What they say is checked beside: lessons.test.ts, asks.test.ts, exercises.test.ts.

const CONTENT = new URL('../../../web/content/', import.meta.url);
const namesIn = (folder: string) => readdirSync(new URL(folder, CONTENT)).filter((name) => name.endsWith('.yaml'));
const contentOf = (file: string): unknown => readContent(readFileSync(new URL(file, CONTENT), 'utf8'));

const gradients = list(oneOf(...GRADIENTS));
const cells = matching(/^d?[a-z]+\d?\.\d+(,d?[a-z]+\d?\.\d+)*$/, 'cells, as in dw.4,dw.8');
/** A size, an explicit padding, or its mode. */
const size = either(count, oneOf('explicit_sides'), map(count));
const formula: Check = (value, at) => (value instanceof Formula ? [] : [`${at} is not a formula`]);
const conditions = matching(/^[\w.-]+=[^\s=&]*(&[\w.-]+=[^\s=&]*)*$/, 'fields, as in h=7&w=7');

const lesson = fields({
  title: text,
  sentence: text,
  minutes: count,
  gradients,
  steps: list(
    fields({
      ...{ title: text, link, words: text, 'formula?': text, task: text },
      'asks?': either(
        matching(/^d?[a-z]+\d?\.\d+$/, 'a cell, a count or options'),
        fields({ count: text, is: count }),
        fields({ options: list(text), right: count }),
      ),
      ...{ 'hides?': text, 'keys?': text, 'later?': cells, 'gradients?': gradients, 'hint?': text },
      ...{ 'solution?': conditions, 'goal?': conditions, 'points?': list(text) },
      ...{ outcome: text, notes: text },
    }),
  ),
});

const FILES: Readonly<Record<string, Check>> = {
  'paths.yaml': list(
    fields({ title: text, lessons: list(text), ending: fields({ title: text, words: text, next: text }) }),
  ),
  'exercises.yaml': list(
    fields({
      ...{ id: matching(/^[a-z]+(-[a-z]+)*$/, 'a name'), title: text, sentence: text, words: text },
      ...{ seed: count, questions: count, 'mistakes?': list(text) },
      asks: list(
        either(
          matching(/^(y|dx|dw|db)$|^d?y\d$/, 'a tensor or a question'),
          oneOf(...Object.keys(COUNTS), ...Object.keys(READS_RESULT)),
        ),
      ),
      varies: map(list(either(count, matching(/^\S*$/, 'a value of a link')))),
    }),
  ),
  'counts.yaml': map(
    fields({
      ...{ title: text, right: formula, hints: list(text) },
      mistakes: list(fields({ title: text, sentence: text, value: formula, 'applies?': formula })),
    }),
  ),
  'experiments.yaml': fields({
    experiments: list(
      fields({ label: text, 'kind?': oneOf('remainder', 'bias'), 'on?': map(size), 'off?': map(size) }),
    ),
    openings: list(link),
  }),
  'reads.yaml': fields({
    hints: fields({ y: text, dw: text, dx: text }),
    mistakes: list(
      fields({
        ...{ title: text, sentence: text },
        assumes: fields({ 'before?': count, 'after?': count, 'stride?': count, 'dilation?': count }),
      }),
    ),
  }),
  'examples.yaml': list(fields({ title: text, examples: list(fields({ title: text, link, sentence: text })) })),
  'derivation.yaml': list(fields({ title: text, words: text, formulas: list(text), lesson: text })),
};

const checkFor = (file: string): Check => FILES[file] ?? lesson;
const errorsIn = (file: string, value = contentOf(file)) =>
  checkFor(file)(value, '').map((error) => `${file}: ${error}`);

test('the files have the right fields', () => {
  const files = [...namesIn('.'), ...namesIn('lessons').map((name) => `lessons/${name}`)];
  expect(files.length).toBe(Object.keys(FILES).length + LESSONS.length);
  expect(files.flatMap((file) => errorsIn(file))).toEqual([]);
});

test.each<readonly [what: string, error: string, change: (content: string) => string]>([
  ['a missing task', 'steps.1.task is missing', (yaml) => yaml.replace(/ {4}task: >\n(?: {6}.*\n)+/, '')],
  ['a misspelled field', 'steps.1.titles is unknown', (yaml) => yaml.replace('  - title:', '  - titles:')],
  [
    'an unknown gradient',
    'gradients.1 is not one of dx, dw, db, dy',
    (yaml) => yaml.replace('gradients: []', 'gradients: [x]'),
  ],
  [
    'a text in place of a number',
    'minutes is not a whole number',
    (yaml) => yaml.replace(/minutes: \d+/, 'minutes: few'),
  ],
  [
    'a link with its address',
    'steps.1.link is not a link',
    (yaml) => yaml.replace('link: ', 'link: https://a.org/ h='),
  ],
  [
    'a cell without its index',
    'steps.2.asks is not a cell, a count or options',
    (yaml) => yaml.replace('asks: y.8', 'asks: y'),
  ],
  [
    'a later cell without its index',
    'steps.1.later is not cells, as in dw.4,dw.8',
    (yaml) => yaml.replace('later: y.8', 'later: y'),
  ],
  ['no steps', 'steps is missing', (yaml) => yaml.replace(/^steps:[\s\S]*/m, '')],
])('names %s with its file', (_what, error, change) => {
  const file = 'lessons/one-window.yaml';
  const yaml = readFileSync(new URL(file, CONTENT), 'utf8');
  expect(errorsIn(file, readContent(change(yaml)))).toContain(`${file}: ${error}`);
});

test('names a wrong field of exercises, examples and paths', () => {
  expect(errorsIn('exercises.yaml', [{ id: 'a', asks: ['rows'], varies: { h: 3 } }])).toEqual(
    expect.arrayContaining([
      'exercises.yaml: 1.asks.1 is not a tensor or a question',
      'exercises.yaml: 1.varies.h is not a list',
    ]),
  );
  expect(errorsIn('examples.yaml', [{ title: 'a', examples: [{ title: 'b', link: 'h=4', sentence: 7 }] }])).toEqual([
    'examples.yaml: 1.examples.1.sentence is not a text',
  ]);
  expect(errorsIn('paths.yaml', {})).toEqual(['paths.yaml: the file is not a list']);
});

test('a formula has only sizes and arithmetic', () => {
  for (const text of ['alert(1);', 'a => 3;', 'a[0]', 'a.b'])
    expect(() => readContent(`right: !formula ${text}`), text).toThrow('is not a formula');
});

test('every lesson is in one path, and the derivation names lessons', () => {
  const ids = LESSONS.map(({ id }) => id);
  expect([...ids].sort()).toEqual(
    namesIn('lessons')
      .map((name) => basename(name, '.yaml'))
      .sort(),
  );
  const steps = contentOf('derivation.yaml') as readonly { readonly lesson: string }[];
  expect(steps.filter(({ lesson: id }) => !ids.includes(id))).toEqual([]);
});

test('pointers name parts of the page', () => {
  const steps: readonly StepData[] = LESSONS.flatMap((each) => each.steps);
  expect(steps.flatMap(pointersOf).filter((pointer) => selectorOf(pointer) === '')).toEqual([]);
});
