import type { FileContents } from '../../formats/format';
import { readingsOf } from '../../formats/layouts';
import { type ConvDesc, INPUTS, KIND_OF, TENSORS, type TensorName } from '../../protocol/problem';
import { sizesOf, type TensorChoices } from './offers';

/** Which array is which tensor: by its name, else by its sizes. */

/** Indices of arrays. */
export type Assignment = Readonly<Partial<Record<TensorName, number>>>;

/** Different shapes of arrays without names. All possible assignments are tried: more take too long. */
const MOST_SHAPES = 6;

/** Names that say nothing: pasted values, and those of numpy.savez without names. */
const IS_UNNAMED = /^(?:arr_\d+)?$/;

/**
 * All assignments that are possible; sizes then decide. An array has at most one tensor. `chosen`: those of the user;
 * null: the tensor is not imported.
 */
export function assignmentsOf(
  { tensors }: FileContents,
  chosen: TensorChoices,
  before: ConvDesc,
): readonly Assignment[] {
  const fixed = Object.fromEntries(
    Object.entries(chosen).flatMap(([target, choice]) => (choice ? [[target, choice.tensor]] : [])),
  ) as Assignment;
  const isOpen = (target: TensorName) => !(target in chosen);
  const taken = Object.values(fixed);
  const free = tensors.map((_, index) => index).filter((index) => !taken.includes(index));
  const named = byName(tensors, free, isOpen, before);
  const some = { ...named, ...fixed };
  const isNamed = Object.keys(some).length > 0;
  const unnamed = free.filter((index) => IS_UNNAMED.test(tensors[index]?.name ?? '') || !isNamed);
  if (unnamed.length === 0) return [some];
  if (tensors.length === 1) return [single(tensors[0]?.shape ?? [], isOpen, before)];
  const open = TENSORS.filter((target) => isOpen(target) && !(target in some));
  return bySizes(tensors, unnamed, open).map((rest) => ({ ...rest, ...some }));
}

const isPossible = (shape: readonly number[], target: TensorName, before: ConvDesc): boolean =>
  shape.length <= 4 && (KIND_OF[target] !== 'bias' || readingsOf(shape, 'b', sizesOf(before)).length > 0);

/** Of several layers in a file, that of the first weights. */
function byName(
  tensors: FileContents['tensors'],
  free: readonly number[],
  isOpen: (target: TensorName) => boolean,
  before: ConvDesc,
): Assignment {
  const found: Partial<Record<TensorName, number>> = {};
  const candidates = free.flatMap((index) => {
    const { name, shape } = tensors[index] ?? { name: '', shape: [] };
    const target = targetOf(name);
    return target && isOpen(target) && isPossible(shape, target, before)
      ? [{ target, index, layer: layerOf(name) }]
      : [];
  });
  const weights =
    candidates.find(({ target, index }) => target === 'w' && tensors[index]?.shape.length === 4) ??
    candidates.find(({ target }) => target === 'w') ??
    candidates[0];
  if (weights) found[weights.target] = weights.index;
  for (const target of TENSORS) {
    const all = candidates.filter((one) => one.target === target);
    const best = all.find(({ layer }) => layer === weights?.layer) ?? all[0];
    if (best) found[target] ??= best.index;
  }
  return found;
}

/** A single array is x, w or b: first the one with its sizes, then the first one that can have them. */
function single(shape: readonly number[], isOpen: (target: TensorName) => boolean, before: ConvDesc): Assignment {
  const sizes = sizesOf(before);
  const open = INPUTS.filter(isOpen);
  const readingsAs = (input: TensorName) => readingsOf(shape, input, sizes);
  const input =
    open.find((name) => readingsAs(name).some(({ fits }) => fits)) ?? open.find((name) => readingsAs(name).length > 0);
  return input ? { [input]: 0 } : {};
}

/** Tensors of equal shapes, in the usual order of a file. The output can have the shape of x. */
const KINDS: readonly (readonly TensorName[])[] = [
  ['x', 'dx'],
  ['w', 'dw'],
  ['y', 'dy'],
  ['b', 'db'],
  ['x', 'y', 'dy', 'dx'],
];

function bySizes(
  tensors: FileContents['tensors'],
  unnamed: readonly number[],
  open: readonly TensorName[],
): readonly Assignment[] {
  const shapes = new Map<string, readonly number[]>();
  for (const index of unnamed) {
    const { shape } = tensors[index] ?? { shape: [] };
    if (shape.length <= 4) shapes.set(shape.join(), [...(shapes.get(shape.join()) ?? []), index]);
  }
  const assign = (rest: readonly (readonly number[])[], targets: readonly TensorName[]): readonly Assignment[] => {
    const [group, ...others] = rest;
    if (!group) return [{}];
    const isVector = (tensors[group[0] ?? 0]?.shape.length ?? 0) < 2;
    const found = KINDS.flatMap((kind) => {
      const possible = kind.filter((target) => targets.includes(target));
      const isFree = possible[0] === kind[0] && (kind[0] === 'b') === isVector;
      if (!isFree || (kind.length > 2 && group.length < 2)) return [];
      const own = Object.fromEntries(possible.slice(0, group.length).map((target, i) => [target, group[i]]));
      const left = targets.filter((target) => !possible.includes(target));
      return assign(others, left).map((more) => ({ ...own, ...more }));
    });
    return found.length > 0 ? found : assign(others, targets);
  };
  return assign([...shapes.values()].slice(0, MOST_SHAPES), open);
}

/** The last part of a name. After an underscore, only unmistakable words count: "fc_out" is no y. */
const BASES: readonly (readonly [RegExp, 'x' | 'w' | 'b' | 'y'])[] = [
  [/(?:^|[./_])(?:weights?|kernels?|filters?)$|(?:^|[./])w$/, 'w'],
  [/(?:^|[./_])bias$|(?:^|[./])b$/, 'b'],
  [/(?:^|[./])(?:x|inputs?|inp|images?)$/, 'x'],
  [/(?:^|[./])(?:y|outputs?|out)$/, 'y'],
];
const GRADIENTS = { x: 'dx', w: 'dw', b: 'db', y: 'dy' } as const;

/** "weight.grad" */
const GRADIENT_AFTER = /[._](?:grad|gradient)$/;
/** "grad_weight", "d_out", "dL_dw", "dy" */
const GRADIENT_BEFORE =
  /(^|[./_])(?:gradient|grad|dl)?[_/]?d?_?(?=(?:x|w|b|y|inputs?|inp|outputs?|out|weights?|kernels?|filters?|bias)$)/;

/** The tensor of a common name such as "conv1.weight", "out.grad" or "gradOutput"; null for any other name. */
export function targetOf(name: string): TensorName | null {
  const lower = name
    .replace(/:0$/, '')
    .replace(/([a-z]{2})([A-Z])/g, '$1_$2')
    .toLowerCase();
  const plain = lower.replace(GRADIENT_AFTER, '').replace(GRADIENT_BEFORE, '$1');
  const base = BASES.find(([pattern]) => pattern.test(plain))?.[1];
  if (!base) return null;
  return plain === lower ? base : GRADIENTS[base];
}

/** The name without the part that `targetOf` reads: "conv1." of "conv1.weight". */
const layerOf = (name: string): string => /^(?:.*[./])?(?=[^./]*$)/.exec(name.replace(GRADIENT_AFTER, ''))?.[0] ?? '';
