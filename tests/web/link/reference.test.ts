import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinkContent } from '../../../web/src/link/field';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { MODES } from '../../../web/src/look/look';
import { wordOf } from '../../../web/src/sources/loss';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { VIEWS } from '../../../web/src/views/list';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone, tensorOf } from '../support/alone';
import { layerOf } from '../support/problems';
import { pythonWith, runPrograms } from '../support/python';
import { INPUTS, LOOK, LOSSES, SETTINGS, SIZES, TENSOR_SOURCES } from './reference/descriptions';
import {
  describedAs,
  documentText,
  linkWith,
  NETWORK_EXAMPLE,
  PLAIN_FIELDS,
  refusalOf,
  SHORT_EXAMPLE,
  SMALL,
} from './reference/document';

// docs/links.md agrees with the tables of fields, and what it says is true. CONV2D_DOCS=write writes it anew.

const DOCUMENT = new URL('../../../docs/links.md', import.meta.url);
const KEYS = PLAIN_FIELDS.map(({ key }) => key);

beforeAll(loadSamples);

/** The state of a link without complaints. */
function opened(link: string): LinkContent {
  const { problem, look, fault, complaints } = parseLink(link);
  expect({ link, fault, complaints }).toEqual({ link, fault: null, complaints: [] });
  return { problem, look };
}

test('docs/links.md is what the tables of fields give', () => {
  const text = documentText();
  if (process.env['CONV2D_DOCS'] === 'write') writeFileSync(DOCUMENT, text);
  expect(readFileSync(DOCUMENT, 'utf8'), 'CONV2D_DOCS=write stores it anew').toBe(text);
});

test('describes every field and no other', () => {
  expect([SIZES, INPUTS, LOOK].flatMap((all) => Object.keys(all)).sort()).toEqual([...KEYS].sort());
});

// 3 x 3 over 4 x 4: four windows, 16 cells of x, nine weights. The largest values are the third of dy, the seventh of dx, the sixth of dw.
const LARGEST = {
  dy: tensorOf([1, 2, 2], [0, 1, -2, 1]),
  dx: tensorOf([1, 4, 4], [0, 0, 1, 0, 0, 0, -7, 0, 0, 0, 0, 0, 0, 0, 0, 3]),
  dw: tensorOf([1, 3, 3], [0, 0, 0, 0, 1, 5, 0, 0, -4]),
};
test.each([
  ['dx', 'scatter', 't', 3, 'of `scatter`: `dy`'],
  ['dx', 'gather', 't', 7, 'the largest `dx`'],
  ['dx', 'full_conv', 't', 7, 'the largest `dx`'],
  ['dw', 'dilated_dy', 't', 6, 'the largest `dw`'],
  ['dw', 'direct', 'accumulated', 3, 'the largest `dy`'],
  ['dw', 'sum', 'bias-t', 3, 'the largest `dy`'],
] as const)('%s by %s without the setting %s is at step %i, as described', async (mode, way, setting, steps, words) => {
  const view = await VIEWS.find(({ id }) => id === mode)?.load();
  const found = view?.needs(alone(geometryOf(makeDesc()), { tensors: LARGEST }), { way });
  expect(found?.flatMap((need) => (need.kind === 'partial' ? [need.steps] : []))).toEqual([steps]);
  expect(SETTINGS[mode][setting]?.[1]).toContain(words);
});

describe.each(KEYS)('%s', (key) => {
  const described = describedAs(key);
  const base = described.beside ?? 'v=2';

  test('the example opens, changes the state, and is written again', () => {
    const state = opened(linkWith(described));
    expect(described.example.startsWith(`${key}=`)).toBe(true);
    expect(state).not.toEqual(opened(base));
    if (key === 'kernel') return;
    const again = writeLink(state).hash.split('&').map(decodeURIComponent);
    // "with" contains a link.
    expect(again.join('&')).toContain(described.example);
  });

  test('the default is what a link without the field opens', () => {
    const { initial } = described;
    if (initial !== null) expect(opened(`v=2&${key}=${initial}`)).toEqual(opened('v=2&n=1'));
    // Sizes follow other sizes; the default of the others is not written.
    else if (key !== 'w' && key !== 'kw' && key !== 'weights')
      expect(writeLink(opened('v=2&n=1')).hash).not.toMatch(new RegExp(`(^|&)${key}=`));
  });

  test('its values are stated: by its description, or by its refusal', () => {
    expect(described.values ?? refusalOf(key)).toBeTruthy();
  });
});

test('the networks of the document open', () => {
  for (const example of [NETWORK_EXAMPLE, SHORT_EXAMPLE]) expect(documentText()).toContain(example);
  expect(opened(SHORT_EXAMPLE).problem.layers.map(({ kind }) => kind)).toEqual(['conv', 'relu']);
  expect(
    opened(NETWORK_EXAMPLE)
      .problem.layers.slice(1)
      .map(({ kind }) => kind),
  ).toEqual(['relu', 'max_pool', 'conv']);
});

test('defaults that follow from other sizes', () => {
  expect(layerOf(opened('h=5').problem).desc).toMatchObject({ h: 5, w: 5 });
  expect(layerOf(opened('kh=2').problem).desc).toMatchObject({ kh: 2, kw: 2 });
  expect(layerOf(opened('kh=2&c=2').problem).w.source).toEqual({ kind: 'countdown', from: 8 });
});

test.each(
  [TENSOR_SOURCES, LOSSES].flatMap((all) =>
    Object.entries(all).flatMap(([kind, { examples }]) => examples.map((example) => [example, kind] as const)),
  ),
)('%s is a source of the kind %s', (example, kind) => {
  const link = linkWith({ example, beside: SMALL });
  const { problem } = opened(link);
  const key = example.split('=')[0] as 'x' | 'weights' | 'bias' | 'dy';
  const source = {
    x: problem.x.source,
    weights: layerOf(problem).w.source,
    bias: layerOf(problem).b?.source,
    dy: { kind: wordOf(problem.loss) },
  }[key];
  expect(source?.kind).toBe(kind);
  if (example.endsWith('i8.AQIDBA') && key === 'x') expect([...problem.x.data]).toEqual([1, 2, 3, 4]);
  expect(decodeURIComponent(writeLink({ problem, look: opened(link).look }).hash)).toContain(example);
});

test('the value of the document is 1, 2, 3, 4, and its Python writes values', () => {
  const [, link = ''] = /`(x=brought~f32\.[\w-]+)`/.exec(documentText()) ?? [];
  expect([...opened(linkWith({ example: link, beside: SMALL })).problem.x.data]).toEqual([1, 2, 3, 4]);
  const python = pythonWith('numpy', 'python3-numpy');
  if (!python) return;
  const [, program = ''] = /```python\n(.*?)```/s.exec(documentText()) ?? [];
  const values = Float32Array.from({ length: 16 }, (_, at) => at);
  const text = Buffer.from(values.buffer).toString('base64url');
  expect(opened(`h=4&kh=3&x=brought~f32.${text}`).problem.x.data).toEqual(values);
  expect(runPrograms(python, [`${program}\nassert link_values(x) == "f32.${text}"`])).toEqual(['passed']);
});

// Names that a view changes: onState({ way: id, t: '' }). Some are computed: { [name]: on }.
const CHANGED = /onState\(\{((?:\$\{\w+\}|[^{}])*)/g;

/** The names of the properties: not what is in brackets. */
const namesIn = (inside: string): readonly string[] => {
  const bare = inside.replace(/\((?:[^()]|\([^()]*\))*\)?|\[[^\]]*\]:[^,]*/g, '');
  return [...bare.matchAll(/(?:^|,)\s*(\w+)/g)].flatMap(([, name]) => name ?? []);
};

/** Where a folder has another name than its view in links. */
const FOLDERS: Readonly<Record<string, string>> = { board: 'overview', lowering: 'im2col' };

describe.each(MODES)('the settings of the view %s', (mode) => {
  const folder = new URL(`../../../web/src/views/${FOLDERS[mode] ?? mode}/`, import.meta.url);
  const sources = readdirSync(folder)
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const named = Object.keys(SETTINGS[mode]);

  test('are all described', () => {
    const changed = sources.flatMap((text) =>
      [...text.matchAll(CHANGED)].flatMap(([, inside = '']) => namesIn(inside)),
    );
    expect(new Set(changed.filter((name) => !named.includes(name)))).toEqual(new Set());
    // The sizes of the tab "Sizes and coverage" have computed names only.
    expect(changed.length > 0 || mode === 'geometry').toBe(true);
  });

  test('are read by the view, and opened by a link', () => {
    const all = sources.join('\n');
    const isRead = (name: string) => all.includes(name.replace(/^(both|row|col)-/, '}-'));
    expect(named.filter((name) => !isRead(name))).toEqual([]);
    for (const name of named) expect(opened(`${mode}.${name}=3`).look.settings).toEqual({ [mode]: { [name]: 3 } });
  });
});
