import type { DySource } from '../protocol/messages';
import { type ConvDesc, PASSES, type PaddingMode, type Shape } from '../protocol/problem';
import { bShape, checkDesc, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { editDySource } from './edits';
import { generated } from './inputs';
import { LINK_VERSION } from './link';
import type { TensorKind } from './logical';
import { decodeValues } from './payload';
import { DEFAULT_DESC, defaultProblem, type Problem } from './problem';
import { parseSource } from './source-text';
import type { Generator, InputTensor } from './sources';

/** A link understood as far as it can be; what could not be is ignored and said in `complaints`, one sentence each. */
export interface ParsedLink {
  readonly problem: Problem;
  readonly complaints: readonly string[];
}

type Complain = (sentence: string) => void;

/** Short forms that people type. */
const ALIASES: Readonly<Record<string, string>> = { s: 'stride', p: 'padding', d: 'dilation', g: 'groups' };

const KEYS: ReadonlySet<string> = new Set([
  ...['v', 'layout', 'n', 'h', 'w', 'c', 'k', 'kh', 'kw', 'kernel', 'stride', 'dilation', 'groups', 'padding'],
  ...['x', 'weights', 'bias', 'dy'],
  ...PASSES,
]);

/** Reads the hash of a link (with or without "#"). An empty one is the default problem. */
export function parseLink(hash: string): ParsedLink {
  const complaints: string[] = [];
  const complain: Complain = (sentence) => complaints.push(sentence);
  const fields = readFields(hash.replace(/^#/, ''), complain);
  if (fields.size === 0) return { problem: defaultProblem(), complaints };
  const version = Number(fields.get('v') ?? LINK_VERSION);
  if (version > LINK_VERSION)
    complain('The link was made by a newer version of this page; parts of it may be missing.');

  const desc = readDesc(fields, complain);
  const error = checkDesc(desc);
  if (error) {
    complain(`The link's sizes do not go together (${error.message}); the default problem is shown instead.`);
    return { problem: defaultProblem(), complaints };
  }
  return { problem: readInputs(desc, fields, complain), complaints };
}

function readFields(text: string, complain: Complain): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.split('&').filter((piece) => piece !== '')) {
    const equals = part.indexOf('=');
    const typed = part.slice(0, equals < 0 ? undefined : equals);
    const key = ALIASES[typed] ?? typed;
    const value = equals < 0 ? null : decoded(part.slice(equals + 1));
    if (value === null || !KEYS.has(key)) complain(`"${part.slice(0, 40)}" in the link is unknown and was ignored.`);
    else fields.set(key, value);
  }
  return fields;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readDesc(fields: ReadonlyMap<string, string>, complain: Complain): ConvDesc {
  const ignored = (key: string, expected: string) =>
    complain(
      `${key} is "${(fields.get(key) ?? '').slice(0, 40)}" in the link, but must be ${expected}; it was ignored.`,
    );
  const count = (key: string, otherwise: number): number => {
    const text = fields.get(key);
    if (text === undefined) return otherwise;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    ignored(key, 'a whole number');
    return otherwise;
  };
  const axes = (key: string, otherwise: number): readonly [number, number] => {
    const text = fields.get(key);
    const match = /^(\d{1,15})(?:x(\d{1,15}))?$/.exec(text ?? '');
    if (match) return [Number(match[1]), Number(match[2] ?? match[1])];
    if (text !== undefined) ignored(key, 'a whole number, or two with an x between them');
    return [otherwise, otherwise];
  };
  const h = count('h', DEFAULT_DESC.h);
  const [kernelRows, kernelCols] = axes('kernel', DEFAULT_DESC.kh);
  const kh = count('kh', kernelRows);
  const [stride_h, stride_w] = axes('stride', 1);
  const [dilation_h, dilation_w] = axes('dilation', 1);
  const layout = fields.get('layout') ?? 'nhwc';
  if (layout !== 'nhwc' && layout !== 'nchw') ignored('layout', 'nhwc or nchw');
  return {
    layout: layout === 'nchw' ? 'nchw' : 'nhwc',
    n: count('n', 1),
    h,
    // One size is enough for squares.
    w: count('w', h),
    c: count('c', 1),
    k: count('k', 1),
    kh,
    kw: count('kw', fields.has('kh') && !fields.has('kernel') ? kh : kernelCols),
    ...{ stride_h, stride_w, dilation_h, dilation_w },
    groups: count('groups', 1),
    ...readPadding(fields, ignored),
  };
}

const MODES: readonly PaddingMode[] = ['valid', 'same', 'full'];

function readPadding(
  fields: ReadonlyMap<string, string>,
  ignored: (key: string, expected: string) => void,
): Pick<ConvDesc, 'padding_mode' | 'padding'> {
  const none = { top: 0, bottom: 0, left: 0, right: 0 };
  const text = fields.get('padding');
  if (text === undefined) return { padding_mode: 'explicit_sides', padding: none };
  const mode = MODES.find((candidate) => candidate === text);
  if (mode) return { padding_mode: mode, padding: none };
  const sides = text.split(',');
  const numbers = sides.map(Number);
  if ((sides.length !== 1 && sides.length !== 4) || !sides.every((side) => /^\d{1,15}$/.test(side))) {
    ignored('padding', 'valid, same, full, a number, or four of them (top,bottom,left,right)');
    return { padding_mode: 'explicit_sides', padding: none };
  }
  const [top = 0, bottom = top, left = top, right = top] = numbers;
  return { padding_mode: 'explicit_sides', padding: { top, bottom, left, right } };
}

function readInputs(desc: ConvDesc, fields: ReadonlyMap<string, string>, complain: Complain): Problem {
  const tensor = (name: 'x' | 'w' | 'b', key: string, kind: TensorKind, shape: Shape, otherwise: Generator) => {
    const text = fields.get(key);
    const read = text === undefined ? null : readTensor(text, name, kind, desc, shape);
    if (text !== undefined && !read) complain(`${key} in the link cannot be read and was ignored.`);
    return read ?? generated(otherwise, kind, desc.layout, shape);
  };
  const weights = wShape(desc);
  const problem: Problem = {
    desc,
    x: tensor('x', 'x', 'pixels', xShape(desc), { kind: 'ramp', from: 0 }),
    // As in the notebook: the last weight is never 0.
    w: tensor('w', 'weights', 'weights', weights, { kind: 'countdown', from: shapeSize(weights) }),
    b: fields.has('bias') ? tensor('b', 'bias', 'bias', bShape(desc), { kind: 'constant', value: 0 }) : null,
    dy: { kind: 'ones' },
    algorithms: Object.fromEntries(PASSES.flatMap((pass) => (fields.has(pass) ? [[pass, fields.get(pass)]] : []))),
  };
  const text = fields.get('dy');
  if (text === undefined) return problem;
  const dy = readDy(text, desc);
  const edited = dy && editDySource(problem, dy);
  if (edited && 'problem' in edited) return edited.problem;
  complain('dy in the link cannot be read; ones are used instead.');
  return problem;
}

function readTensor(
  text: string,
  name: 'x' | 'w' | 'b',
  kind: TensorKind,
  desc: ConvDesc,
  shape: Shape,
): InputTensor | null {
  const [generator = '', payload] = text.split('~', 2);
  const source = parseSource(generator, name);
  if (!source) return null;
  if (payload === undefined) return generated(source, kind, desc.layout, shape);
  const data = decodeValues(payload, shapeSize(shape));
  return data && { shape, data, source, edited: true };
}

function readDy(text: string, desc: ConvDesc): DySource | null {
  const size = shapeSize(yShape(desc));
  const [head = '', payload] = text.split('~', 2);
  const [kind, argument] = head.split(':', 2);
  const number = argument !== undefined && /^\d{1,15}$/.test(argument) ? Number(argument) : null;
  switch (kind) {
    case 'ones':
      return { kind };
    case 'random':
      return number === null ? null : { kind, seed: number };
    case 'one_hot':
      return number === null ? null : { kind, index: number };
    case 'mse':
    case 'log_cosh': {
      if (payload === undefined && number === 0) return { kind, target: null };
      const target = decodeValues(payload ?? '', size);
      return target && { kind, target };
    }
    case 'values': {
      const shape = (argument ?? '').split('.').map(Number);
      const [a = -1, b = -1, c = -1, d = -1] = shape;
      if (shape.length !== 4 || shape.some((extent) => !Number.isSafeInteger(extent) || extent < 0)) return null;
      const data = decodeValues(payload ?? '', a * b * c * d);
      return data && { kind, shape: [a, b, c, d], data };
    }
    default:
      return null;
  }
}
