import type { NamedValues } from '../../formats/npy';
import { INPUT_KEYS, type LinkInput } from '../../link/field';
import type { LayerContent } from '../../protocol/layers';
import { INPUTS, type Tensor } from '../../protocol/problem';

/** The arrays of a network in files: "layer2.w". The x of a layer is the y of the one before it, its dy the dx behind it. */

export const layerArrays = (layers: readonly Pick<LayerContent, 'tensors'>[]): readonly NamedValues[] =>
  layers.flatMap(({ tensors: { x, w, b, y, dy, dx, dw, db } }, i) =>
    Object.entries({ x, w, b, y, dy, dx, dw, db }).flatMap(([name, tensor]) =>
      tensor ? [{ name: `layer${i + 1}.${name}`, shape: savedShape(name, tensor), values: tensor.data }] : [],
    ),
  );

/** Other tools expect b and db with shape [k]. */
export const savedShape = (name: string, { shape, data }: Pick<Tensor, 'shape' | 'data'>): readonly number[] =>
  name === 'b' || name === 'db' ? [data.length] : shape;

interface SavedInput {
  readonly input: LinkInput;
  readonly array: string;
  /** The beginning of its values in the link. */
  readonly field: string;
}

/** The inputs that a link can leave out, in a file with arrays of these names. */
export function savedInputs(names: readonly string[], link: string): readonly SavedInput[] {
  const numbers = names.map((name) => Number(/^layer(\d)\./.exec(name)?.[1] ?? 0));
  const last = Math.max(...numbers);
  if (last <= 0) return INPUTS.map((input) => ({ input, array: input, field: `(?:^|&)${INPUT_KEYS[input]}=` }));
  const all = Array.from({ length: last }, (_, i) => i + 1);
  const open = all.find((number) => !link.includes(`&layer.${number}=`)) ?? 1;
  const weights = all.flatMap((number) =>
    (['w', 'b'] as const).map((input) => ({
      input: number === open ? input : (`${input}${number}` as const),
      array: `layer${number}.${input}`,
      field: number === open ? `(?:^|&)${INPUT_KEYS[input]}=` : `&layer\\.${number}=[^&]*;${INPUT_KEYS[input]}:[^&;]*`,
    })),
  );
  return [
    { input: 'x', array: 'layer1.x', field: '(?:^|&)x=' },
    { input: 'dy', array: `layer${last}.dy`, field: '(?:^|&)dy=' },
    ...weights,
  ];
}
