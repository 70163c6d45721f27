import { useId } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { orderOf, sizeIn } from '../../formats/layouts';
import type { ConvDesc, Layout, TensorName } from '../../protocol/problem';
import { resolvePadding, xShape, yShape } from '../../protocol/shapes';
import { counted } from '../../ui/quantities';
import type { Page } from '../page/page';
import { axisSolutions } from './axis-solutions';
import { sizesOf } from './offers';
import type { Solution } from './solve';

interface SolutionsProps {
  readonly solutions: readonly Solution[];
  readonly picked: number;
  /** What to do if another one is right. */
  readonly note: string;
  readonly onPick: (index: number) => void;
}

/** The geometries that all sizes of the file permit, the likeliest first. */
export function Solutions({ solutions, picked, note, onPick }: SolutionsProps) {
  const name = useId();
  const [only, ...others] = solutions;
  if (!only?.isSolved) return null;
  if (others.length === 0) return <p class="numbers__only">{solutionText(only)}</p>;
  return (
    <fieldset class="numbers__solutions">
      <legend>The sizes fit {solutions.length} convolutions, the likeliest first:</legend>
      {solutions.map((solution, index) => (
        <label key={solutionText(solution)}>
          <input type="radio" name={name} checked={index === picked} onChange={() => onPick(index)} />
          <span>{solutionText(solution)}</span>
        </label>
      ))}
      <p class="value-source__note">{note}</p>
    </fieldset>
  );
}

function geometryOf(desc: ConvDesc) {
  const { stride_h, stride_w, dilation_h, dilation_w, padding_mode } = desc;
  return { stride_h, stride_w, dilation_h, dilation_w, padding_mode, padding: resolvePadding(desc) };
}

/** Changes the geometry after the import: sizes cannot tell the solutions apart, but values can. */
export function GeometryChoice({ page, solutions }: { readonly page: Page } & Pick<SolutionsProps, 'solutions'>) {
  const { store } = page;
  const current = JSON.stringify(geometryOf(store.problem.value.desc));
  return (
    <Solutions
      solutions={solutions}
      picked={solutions.findIndex(({ desc }) => JSON.stringify(geometryOf(desc)) === current)}
      note="If y differs below, try another one."
      onPick={(index) => {
        const { desc } = solutions[index] ?? {};
        if (desc) store.setDesc(geometryOf(desc));
      }}
    />
  );
}

/** What a solution implies, and why an array does not fit, in words. */

/** A gradient has the shape of its tensor. */
const PARTNERS: Readonly<Partial<Record<TensorName, TensorName>>> = { dx: 'x', dw: 'w', db: 'b', dy: 'y' };

/** "PyTorch (NCHW, OIHW), stride 2, padding 1, 2 groups: y is [2, 6, 3, 4]" */
export function solutionText(solution: Solution): string {
  const { desc, offers } = solution;
  const output = (['y', 'dy'] as const).find((target) => offers[target]?.reading);
  const shape = output && offers[output]?.listed.shape;
  const all = [ordersText(solution), ...geometryWords(desc), ...groupWords(desc)].join(', ');
  return shape ? `${all}: ${output} is ${shapeText(shape)}` : all;
}

function ordersText({ framework, offers }: Solution): string {
  const names = (['x', 'w', 'y', 'dx', 'dw', 'dy'] as const).flatMap((target) => {
    const order = offers[target]?.reading?.name;
    const isKnown = order === undefined || offers[PARTNERS[target] ?? target]?.reading?.name === order;
    return isKnown && target in PARTNERS ? [] : order === undefined ? [] : [{ target, order }];
  });
  if (!framework) return names.map(({ target, order }) => `${target} ${order}`).join(', ');
  return `${framework.name} (${[...new Set(names.map(({ order }) => order))].join(', ')})`;
}

const pairText = (rows: number, cols: number): string => (rows === cols ? String(rows) : `${rows} × ${cols}`);

function paddingText(desc: ConvDesc): string {
  const { top, bottom, left, right } = resolvePadding(desc);
  if (top + bottom + left + right === 0) return 'no padding';
  if (top === bottom && left === right) return `padding ${pairText(top, left)}`;
  return `padding ${top} above, ${bottom} below, ${left} left and ${right} right`;
}

function geometryWords(desc: ConvDesc): readonly string[] {
  const { stride_h, stride_w, dilation_h, dilation_w } = desc;
  const dilation = pairText(dilation_h, dilation_w);
  const words = [`stride ${pairText(stride_h, stride_w)}`, paddingText(desc)];
  return dilation === '1' ? words : [...words, `dilation ${dilation}`];
}

function groupWords({ groups, c }: ConvDesc): readonly string[] {
  if (groups === 1) return [];
  return [groups === c ? `depthwise (${groups} groups)` : `${groups} groups`];
}

const listText = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Why arrays do not fit, and by which axis. */
export function misfitTexts(solution: Solution): readonly string[] {
  const { offers, contradicted } = solution;
  const misfits = Object.entries(offers).flatMap(([target, { reading }]) =>
    reading ? [] : [misfitText(solution, target as TensorName)],
  );
  return contradicted ? [contradictionText(solution, contradicted), ...misfits] : misfits;
}

/** "With stride 1 and no padding, y would be [2, 6, 4, 5]; [2, 6, 3, 4] needs stride 2 and padding 1." */
function contradictionText({ offers, desc }: Solution, asked: ConvDesc): string {
  const output = offers.y?.reading ? 'y' : 'dy';
  const order = offers[output]?.reading?.axes ?? '';
  const would = shapeIn(asked, order);
  const is = `${shapeText(offers[output]?.listed.shape ?? [])} needs ${listText(geometryWords(desc))}`;
  const result = would.some((size) => size < 1)
    ? 'the kernel would not fit into x'
    : `${output} would be ${shapeText(would)}`;
  return `With ${listText(geometryWords(asked))}, ${result}; ${is}.`;
}

function shapeIn(desc: ConvDesc, order: string): readonly number[] {
  const shape = yShape({ ...desc, layout: 'nhwc' });
  return [...order].map((letter) => sizeIn('NHWC', shape, letter));
}

/** The layout of the images in the file. */
const layoutOf = ({ offers, desc }: Solution): Layout => {
  const axes = (offers.x ?? offers.dx)?.reading?.axes;
  return axes === 'NCHW' ? 'nchw' : axes === 'NHWC' ? 'nhwc' : desc.layout;
};

function misfitText(solution: Solution, target: TensorName): string {
  const { desc, offers } = solution;
  const shape = offers[target]?.listed.shape ?? [];
  const is = `${target} is ${shapeText(shape)}`;
  const partner = offers[PARTNERS[target] ?? target];
  if (partner?.reading) return `${is}, but ${PARTNERS[target]} is ${shapeText(partner.listed.shape)}.`;
  if (target === 'b' || target === 'db') return `${is}, but w has ${counted(desc.k, 'filter')}.`;
  if (target === 'w' || target === 'dw') {
    const x = shapeText((offers.x ?? offers.dx)?.listed.shape ?? xShape(desc));
    return `${is} and x is ${x}: in no axis order do the channels of ${target} divide those of x.`;
  }
  const order = orderOf(target, layoutOf(solution));
  if (target === 'x' || target === 'dx' || shape.length !== order.length) {
    return `${is}: its sizes do not fit this convolution.`;
  }
  const faults = [...order].flatMap((letter, axis) => {
    const why = faultOf(desc, letter, shape[axis] ?? 0);
    return why ? [`axis ${axis + 1} (${letter}) is ${shape[axis]}, but ${why}`] : [];
  });
  const other = target === 'y' ? 'dy' : 'y';
  if (faults.length > 0) return `${is}: ${faults.join('; ')}.`;
  return `${is}, but ${other} is ${shapeText(offers[other]?.listed.shape ?? [])}.`;
}

/** Why an axis of y cannot have this size; null if it can. */
function faultOf(desc: ConvDesc, letter: string, size: number): string | null {
  const { n, k } = sizesOf(desc);
  if (letter === 'N') return size === n ? null : `x has ${counted(n, 'image')}`;
  if (letter === 'C') return size === k ? null : `w has ${counted(k, 'filter')}`;
  const axis = letter === 'H' ? 'row' : 'col';
  if (axisSolutions(desc, axis, size, {}, desc.layout).length > 0) return null;
  const [input, kernel, noun] = axis === 'row' ? [desc.h, desc.kh, 'row'] : [desc.w, desc.kw, 'column'];
  return `no stride and padding gives ${counted(size, noun)} from ${counted(input, noun)} with a kernel of ${kernel}`;
}
