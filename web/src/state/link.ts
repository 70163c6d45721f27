import { type ConvDesc, PASSES, type Padding } from '../protocol/problem';
import { encodeValues, MOST_VALUES } from './payload';
import type { InputName, Problem } from './problem';
import { sourceText } from './source-text';
import type { InputTensor } from './sources';

/**
 * A problem as the hash of a link, readable where it can be:
 *   v=1&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones
 * Keys are the names of ConvDesc ("weights", because w is the width); stride, dilation: "2" or "2x1" (rows x columns);
 * padding: a mode, "1", or "top,bottom,left,right"; inputs: a generator, "~" and the values where cells were changed.
 */
export interface Link {
  /** Without the "#". */
  readonly hash: string;
  /** Inputs that are too large for a link, or came from a file: who opens it sees a generator's numbers there. */
  readonly omitted: readonly InputName[];
}

export const LINK_VERSION = 1;

export function linkOf(problem: Problem): Link {
  const { desc, x, w, b, dy, algorithms } = problem;
  const omitted: InputName[] = [];
  const parts: string[] = [`v=${LINK_VERSION}`, ...descParts(desc)];
  const tensor = (name: 'x' | 'w' | 'b', key: string, input: InputTensor) => {
    const text = tensorText(input);
    if (!text.complete) omitted.push(name);
    if (text.value !== '') parts.push(`${key}=${text.value}`);
  };
  tensor('x', 'x', x);
  tensor('w', 'weights', w);
  if (b) tensor('b', 'bias', b);
  const dyValue = dyText(dy);
  if (dyValue === null) omitted.push('dy');
  else parts.push(`dy=${dyValue}`);
  for (const pass of PASSES) {
    const name = algorithms[pass];
    if (name !== undefined) parts.push(`${pass}=${encodeURIComponent(name)}`);
  }
  return { hash: parts.join('&'), omitted };
}

const pair = (rows: number, cols: number): string => (rows === cols ? String(rows) : `${rows}x${cols}`);

function descParts(desc: ConvDesc): readonly string[] {
  const { layout, n, h, w, c, k, kh, kw, groups } = desc;
  const parts = [`h=${h}`, `w=${w}`, `kh=${kh}`, `kw=${kw}`];
  parts.push(`stride=${pair(desc.stride_h, desc.stride_w)}`, `padding=${paddingText(desc)}`);
  const dilation = pair(desc.dilation_h, desc.dilation_w);
  if (dilation !== '1') parts.push(`dilation=${dilation}`);
  for (const [key, value] of Object.entries({ n, c, k, groups })) if (value !== 1) parts.push(`${key}=${value}`);
  if (layout !== 'nhwc') parts.push(`layout=${layout}`);
  return parts;
}

function paddingText({ padding_mode, padding }: ConvDesc): string {
  if (padding_mode !== 'explicit_sides') return padding_mode;
  const { top, bottom, left, right }: Padding = padding;
  return top === bottom && top === left && top === right ? String(top) : [top, bottom, left, right].join(',');
}

function tensorText({ source, edited, data }: InputTensor): { readonly value: string; readonly complete: boolean } {
  const generator = sourceText(source);
  if (generator !== null && !edited) return { value: generator, complete: true };
  if (data.length > MOST_VALUES) return { value: generator ?? '', complete: false };
  return { value: `${generator ?? 'constant:0'}~${encodeValues(data)}`, complete: true };
}

function dyText(dy: Problem['dy']): string | null {
  switch (dy.kind) {
    case 'ones':
      return 'ones';
    case 'random':
      return `random:${dy.seed}`;
    case 'one_hot':
      return `one_hot:${dy.index}`;
    case 'values':
      if (dy.data.length > MOST_VALUES) return null;
      return `values:${dy.shape.join('.')}~${encodeValues(dy.data)}`;
    case 'mse':
    case 'log_cosh':
      if (dy.target === null) return `${dy.kind}:0`;
      return dy.target.length > MOST_VALUES ? null : `${dy.kind}~${encodeValues(dy.target)}`;
  }
}
