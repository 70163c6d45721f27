import type { FileVerdict, LayerVerdict, TensorVerdict } from '../../src/protocol/verdict';
import type { PageLink } from './page-link';

/** A verdict as text for people. */

export interface Report {
  /** As given on the command line. */
  readonly file: string;
  readonly verdict: FileVerdict;
  readonly notes: readonly string[];
  /** By the index of the layer. */
  readonly links: ReadonlyMap<number, PageLink>;
  /** The address of the page, or ''. */
  readonly page: string;
}

const VERDICTS: Readonly<Record<FileVerdict['verdict'], string>> = {
  right: 'right',
  wrong: 'wrong',
  cannot_tell: 'cannot tell',
};

/** In the order of the columns. */
const RESULTS = ['y', 'dx', 'dw', 'db'] as const;

const markOf = ({ verdict }: TensorVerdict): string =>
  verdict === 'matches' ? '✓' : verdict === 'cannot_tell' ? '?' : '✗';

/** Whether a layer needs more than its row of the table. */
export const isDetailed = ({ layers }: FileVerdict, { tensors }: LayerVerdict): boolean =>
  layers.length === 1 || Object.values(tensors).some(({ verdict }) => verdict !== 'matches');

export function consoleReport({ file, verdict, notes, links, page }: Report): string {
  const { layers, unused, joins = [] } = verdict;
  const lines = [`${file}: ${VERDICTS[verdict.verdict]}. ${verdict.sentence}`];
  lines.push(...notes.map((note) => `  Note: ${note}`));
  if (layers.length > 1) lines.push(...tableOf(layers).map(indented));
  lines.push(
    ...joins
      .filter(({ relation }) => relation === 'differs')
      .map(({ from, to, tensors }) => `  ${from} and ${to}: ${tensors} differs, but must be equal`),
  );
  for (const [index, layer] of layers.entries()) {
    if (isDetailed(verdict, layer)) lines.push(...layerLines(layer, links.get(index), page).map(indented));
  }
  if (unused.length > 0) lines.push(`  Not used: ${unused.join(', ')}`);
  return lines.join('\n');
}

const indented = (line: string): string => `  ${line}`;

function tableOf(layers: readonly LayerVerdict[]): readonly string[] {
  const head = ['layer', 'kind', 'geometry', ...RESULTS];
  return aligned([
    head,
    ...layers.map((layer) => {
      const marks = RESULTS.map((name) => layer.tensors[name]).map((tensor) => (tensor ? markOf(tensor) : ''));
      return [layer.name || '(no name)', layer.kind, geometryText(layer), ...marks];
    }),
  ]);
}

const both = (pair: readonly number[]): string => [...new Set(pair)].join(' x ');

function geometryText({ kind, geometry }: LayerVerdict): string {
  if (!geometry) return '';
  const { kernel, stride, padding, dilation, groups, output_padding = [], order } = geometry;
  // A 1-D convolution has one row.
  const axes = (pair: readonly number[]) => both(kind === 'conv1d' ? pair.slice(-1) : pair);
  const sides = kind === 'conv1d' ? padding.slice(2) : padding;
  const isEqual = sides.every((side) => side === sides[0]);
  return [
    `kernel ${kind === 'conv1d' ? axes(kernel) : kernel.join(' x ')}`,
    `stride ${axes(stride)}`,
    `padding ${isEqual ? sides[0] : sides.join(', ')}`,
    ...(dilation.some((step) => step > 1) ? [`dilation ${axes(dilation)}`] : []),
    ...(groups > 1 ? [`${groups} groups`] : []),
    ...(output_padding.some(Boolean) ? [`output padding ${both(output_padding)}`] : []),
    ...(order.x ? [`x ${order.x}`] : []),
    ...(order.w ? [`w ${order.w}`] : []),
  ].join(', ');
}

const DY: Readonly<Record<LayerVerdict['dy'], string>> = {
  file: '',
  owner: '',
  ones: 'dy is not in the file. 1 in each cell fits: the gradient of y.sum()',
  mean: 'dy is not in the file. 1 / size in each cell fits: the gradient of y.mean()',
  y: 'dy is not in the file. y fits: the gradient of (y * y).sum() / 2',
  missing: '',
};

function layerLines(layer: LayerVerdict, link: PageLink | undefined, page: string): readonly string[] {
  const { name, kind, evidence, alternatives = [], told_apart_by, dy, tensors } = layer;
  const geometry = geometryText(layer);
  const operands = [...new Set(Object.values(tensors).flatMap((tensor) => tensor.operands))];
  const rows = Object.entries(tensors).map(([tensor, one]) => [markOf(one), tensor, one.array, one.sentence]);
  return [
    `${name === '' ? '' : `${name}: `}${kind}${geometry === '' ? '' : `, ${geometry}`}`,
    ...[
      ...(evidence === '' ? [] : [`Evidence: ${evidence}`]),
      ...alternatives.map((other) => `Fits as well: ${other}`),
      ...(told_apart_by === undefined ? [] : [told_apart_by]),
      ...(operands.length === 0 ? [] : [`Judged with: ${operands.join(', ')}`]),
      ...(DY[dy] === '' ? [] : [DY[dy]]),
      ...aligned(rows),
      ...linkLines(link, page),
    ].map(indented),
  ];
}

function linkLines(link: PageLink | undefined, page: string): readonly string[] {
  if (!link) return [];
  if ('reason' in link) return [`No link to the page: ${link.reason}`];
  if (page === '') return [`On the page, with this after its address: #${link.hash}`];
  return [`On the page: ${page.replace(/#.*$/s, '')}#${link.hash}`];
}

/** Columns two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}
