import type { Arguments, FileContents, TensorHeader } from '../../formats/format';
import { axesOf, isAlike, type LayoutReading, readingsOf, sizeIn } from '../../formats/layouts';
import { type ConvDesc, TENSORS, type TensorName } from '../../protocol/problem';
import { checkDesc, resolvePadding } from '../../protocol/shapes';
import { type Assignment, assignmentsOf } from './assign';
import { type GeometrySolution, geometriesOf } from './axis-solutions';
import {
  deviationsOf,
  FRAMEWORKS,
  type Framework,
  frameworkOf,
  isNamedAgainst,
  type Offer,
  type Offers,
  sizesOf,
  type TensorChoices,
} from './offers';

/**
 * Finds which array is which tensor, the axis order of each, and the geometry, from all sizes together. Likelier are
 * solutions that fit more of the arrays; then those with all arrays in the order of one framework and a usual geometry
 * (axis-solutions.ts), with a foreign axis order as unlikely as asymmetric padding; then those without groups, with the
 * axis order that an array's name suggests, and with the layout of the page.
 */
export interface Solution {
  /** The convolution after the import. */
  readonly desc: ConvDesc;
  /** The arrays of the file. One that does not fit has no reading. */
  readonly offers: Offers;
  /** All arrays have its axis orders; null: mixed, or not known. */
  readonly framework: Framework | null;
  /** True if the output in the file determines stride, padding and dilation. */
  readonly isSolved: boolean;
  /** The convolution with the arguments of the file, if these contradict its sizes. */
  readonly contradicted: ConvDesc | null;
}

interface Rated extends Solution {
  /** Less is likelier. Compared from the first number on. */
  readonly cost: readonly number[];
}

/** What there is to solve. */
interface Import {
  readonly tensors: readonly TensorHeader[];
  readonly chosen: TensorChoices;
  /** The convolution of the page, with the arguments of the file. */
  readonly base: ConvDesc;
  readonly given: Arguments;
  /** The geometries of each combination of sizes, which many axis orders share. */
  readonly known: Map<string, readonly GeometrySolution[]>;
}

/** Solutions that the dialog offers, and how much more than the best they may cost. */
const MOST = 4;
const WORTH_SHOWING = 20;
const FOREIGN_ORDER = 20;
/** Cost of a geometry that only the page suggests. */
const RARE = 20;

/** The likeliest solutions, the best first. There is always one. `before`: the convolution of the page. */
export function solutionsOf(contents: FileContents, chosen: TensorChoices, before: ConvDesc): readonly Solution[] {
  // A case file has a descriptor, and its tensors have these sizes.
  const { desc, tensors } = contents;
  const given = desc ? argumentsOf(desc) : contents.given;
  const base = desc ?? withArguments(before, given);
  const task = { tensors, chosen, base, given, known: new Map() };
  const rated = assignmentsOf(contents, chosen, base).map((assignment) => solve(task, assignment));
  const best = rated.reduce((one, other) => (isLess(other[0], one[0]) ? other : one));
  const keys = best.map(({ desc: d, offers }) =>
    JSON.stringify([d, Object.values(offers).map((one) => one.reading?.name)]),
  );
  const unique = best.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  // The others must fit as many arrays.
  const [fits = 0, , , cost = 0] = unique[0]?.cost ?? [];
  const isShown = ({ cost: [misfits = 0, , , other = 0] }: Rated) => misfits === fits && other <= cost + WORTH_SHOWING;
  return unique.filter(isShown).slice(0, MOST);
}

const isLess = (a: Rated | undefined, b: Rated | undefined): boolean => compare(a?.cost ?? [], b?.cost ?? []) < 0;

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

const argumentsOf = (desc: ConvDesc): Arguments => ({
  ...{ stride: [desc.stride_h, desc.stride_w], dilation: [desc.dilation_h, desc.dilation_w] },
  ...{ padding: resolvePadding(desc), groups: desc.groups, layout: desc.layout },
});

const withArguments = (desc: ConvDesc, { stride, dilation, padding, groups }: Arguments): ConvDesc => ({
  ...desc,
  ...(stride && { stride_h: stride[0], stride_w: stride[1] }),
  ...(dilation && { dilation_h: dilation[0], dilation_w: dilation[1] }),
  ...(padding && { padding_mode: 'explicit_sides', padding }),
  ...(groups !== undefined && { groups }),
});

/** Sorted. */
function solve(task: Import, assignment: Assignment): readonly Rated[] {
  const { base } = task;
  const found: Rated[] = [];
  const [xAt, wAt] = [assignment.x ?? assignment.dx, assignment.w ?? assignment.dw];
  // Without x and w, the output has to fit the convolution of the page.
  const given = xAt === undefined && wAt === undefined ? argumentsOf(base) : task.given;
  for (const [xIndex, x] of readings(task, 'x', xAt, base).entries()) {
    const withX = { ...base, ...x?.changes, ...groupsFor(x?.changes?.c ?? base.c, base) };
    for (const [wIndex, w] of readings(task, 'w', wAt, withX).entries()) {
      const sized = withWeights(task, assignment, withX, w, x !== null);
      const axes = { x, dx: x, w, dw: w };
      for (const { changes, y, ...geometry } of outputsOf({ ...task, given }, assignment, sized, axes)) {
        const desc = withGeometry(sized, changes);
        const solution = offered(task, assignment, desc, { ...axes, y, dy: y });
        found.push(rate(task, { ...solution, ...geometry }, geometry.unusual, xIndex + wIndex));
      }
    }
  }
  return found.sort((a, b) => compare(a.cost, b.cost));
}

const groupsFor = (channels: number, { groups }: ConvDesc) => ({ groups: channels % groups === 0 ? groups : 1 });

/** The readings to try; [null] if there is no array. */
function readings(
  { tensors, chosen }: Import,
  target: 'x' | 'w',
  index: number | undefined,
  desc: ConvDesc,
): readonly (LayoutReading | null)[] {
  const listed = index === undefined ? undefined : tensors[index];
  if (!listed) return [null];
  const all = readingsOf(listed.shape, target, sizesOf(desc));
  const own = all.filter((one) => isOwn(one, listed));
  const wanted = all.filter(({ name }) => name === chosen[target]?.reading);
  const possible = [wanted, own, all].find((some) => some.length > 0);
  return possible ?? [null];
}

/** A reading that ignores three or four axes of the file is for the user to choose. */
const isOwn = ({ isReshaped }: LayoutReading, { shape }: TensorHeader): boolean => !isReshaped || shape.length < 3;

/** With the sizes of the weights, or of the bias if there are none. `isGiven`: the file has x. */
function withWeights(
  { base, tensors }: Import,
  { b }: Assignment,
  desc: ConvDesc,
  w: LayoutReading | null,
  isGiven: boolean,
): ConvDesc {
  if (!w?.changes) {
    const bias = b === undefined ? undefined : tensors[b];
    const k = bias && readingsOf(bias.shape, 'b', sizesOf(desc))[0]?.changes?.k;
    return k === undefined ? desc : { ...desc, k };
  }
  const { kh = desc.kh, kw = desc.kw, k = desc.k, c: channels = desc.c } = w.changes;
  // The number of groups: channels of x divided by channels per group, which the weights have.
  const each = channels / desc.groups;
  const apart = desc.c / each;
  if (Number.isInteger(apart) && k % apart === 0) return { ...desc, kh, kw, k, groups: apart };
  if (isGiven) return desc;
  const { groups } = groupsFor(k, base);
  return { ...desc, kh, kw, k, c: each * groups, groups };
}

type Geometry = Partial<Pick<ConvDesc, 'stride_h' | 'stride_w' | 'dilation_h' | 'dilation_w' | 'padding'>>;

interface Output {
  readonly changes: Geometry;
  /** How y or dy is read. */
  readonly y: Pick<LayoutReading, 'axes' | 'shape'> | null;
  readonly isSolved: boolean;
  readonly contradicted: ConvDesc | null;
  readonly unusual: number;
}

/** The geometries that give the shape of y or of dy; if there is neither, or none gives it, that of the page. */
function outputsOf(
  { tensors, chosen, given, base, known }: Import,
  assignment: Assignment,
  desc: ConvDesc,
  { x, w }: Readonly<Record<'x' | 'w', LayoutReading | null>>,
): readonly Output[] {
  const found: Output[] = [];
  const isPyTorch = w?.axes === 'OIHW' || (w?.axes !== 'HWIO' && x?.axes !== 'NHWC');
  for (const target of ['y', 'dy'] as const) {
    const shape = tensors[assignment[target] ?? -1]?.shape ?? [];
    if (found.length > 0) break;
    const wanted = chosen[target]?.reading;
    for (const axes of axesOf(target, shape.length).filter((one) => !wanted || one === wanted)) {
      if (sizeIn(axes, shape, 'N') !== desc.n || sizeIn(axes, shape, 'C') !== desc.k) continue;
      const out = [sizeIn(axes, shape, 'H'), sizeIn(axes, shape, 'W')] as const;
      const solved = (some: Arguments) => {
        const key = JSON.stringify([desc.h, desc.w, desc.kh, desc.kw, out, some, isPyTorch]);
        const all = known.get(key) ?? geometriesOf(desc, out, some, isPyTorch ? 'nchw' : 'nhwc');
        known.set(key, all);
        return all;
      };
      const fitting = solved(given);
      const contradicted = fitting.length === 0 ? withArguments(desc, given) : null;
      const geometries = contradicted ? solved({}) : fitting;
      for (const { changes, cost } of [...geometries.slice(0, MOST), ...ofPage(desc, base, out)]) {
        found.push({ changes, y: { axes, shape }, isSolved: true, contradicted, unusual: cost });
      }
    }
  }
  if (found.length > 0) return found;
  return [{ changes: {}, y: null, isSolved: false, contradicted: null, unusual: 0 }];
}

/** The geometry of the page, which the user can have set for this file. */
function ofPage(desc: ConvDesc, base: ConvDesc, [rows, cols]: readonly [number, number]) {
  const { oh, ow } = sizesOf(desc);
  if (oh !== rows || ow !== cols) return [];
  const { stride_h, stride_w, dilation_h, dilation_w } = base;
  return [{ changes: { stride_h, stride_w, dilation_h, dilation_w, padding: resolvePadding(desc) }, cost: RARE }];
}

/** Keeps the padding mode if it gives the same padding. */
function withGeometry(desc: ConvDesc, changes: Geometry): ConvDesc {
  const kept = { ...desc, ...changes, padding: desc.padding };
  if (!changes.padding) return kept;
  const { top, bottom, left, right } = resolvePadding(kept);
  const sides = changes.padding;
  const isKept = top === sides.top && bottom === sides.bottom && left === sides.left && right === sides.right;
  return isKept ? kept : { ...kept, padding_mode: 'explicit_sides', padding: sides };
}

type Orders = Readonly<Partial<Record<TensorName, Pick<LayoutReading, 'axes' | 'shape'> | null>>>;

/** All arrays as tensors of this convolution, in the axis orders found for x, w and y. */
function offered(
  { tensors, chosen, base }: Import,
  assignment: Assignment,
  desc: ConvDesc,
  orders: Orders,
): Pick<Solution, 'desc' | 'offers' | 'framework'> {
  const offers: Partial<Record<TensorName, Offer>> = {};
  for (const target of TENSORS) {
    const tensor = assignment[target];
    const listed = tensor === undefined ? undefined : tensors[tensor];
    if (tensor === undefined || !listed) continue;
    const all = readingsOf(listed.shape, target, sizesOf(desc));
    const fitting = all.filter((one) => one.fits);
    const own = fitting.filter((one) => isOwn(one, listed));
    const order = orders[target];
    const reading =
      fitting.find(({ name }) => name === chosen[target]?.reading) ??
      own.find((one) => order && isAlike(one, { axes: order.axes, shape: listed.shape })) ??
      own.find((one) => order && isAlike(one, order)) ??
      own[0];
    offers[target] = { tensor, listed, readings: all, reading: reading ?? null };
  }
  return { desc, offers, framework: frameworkOf(offers, base.layout) };
}

/** `order`: of the readings, those that fit the page before the others. */
function rate({ base, given }: Import, solution: Solution, unusual: number, order: number): Rated {
  const { offers, framework, isSolved } = solution;
  const all = Object.values(offers);
  const misfits = all.filter(({ reading }) => !reading).length + (solution.contradicted ? 1 : 0);
  const possible = FRAMEWORKS.filter(({ layout }) => !given.layout || layout === given.layout);
  const foreign = Math.min(...possible.map((one) => deviationsOf(one, offers)));
  // The page shows the tensors in the order of the file.
  const layout = (isSolved && offers.x?.listed.shape.length === 4 && framework?.layout) || base.layout;
  const desc = { ...solution.desc, layout };
  const likelihood = [
    FOREIGN_ORDER * foreign + unusual + (desc.groups === 1 ? 0 : 1),
    all.filter(isNamedAgainst).length,
    isSolved && framework?.layout !== base.layout ? 1 : 0,
    order,
  ];
  return { ...solution, desc, cost: [misfits, isSolved ? 0 : 1, checkDesc(desc) ? 1 : 0, ...likelihood] };
}
