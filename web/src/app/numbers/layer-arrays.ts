import type { NamedValues } from '../../formats/npy';
import { INPUT_KEYS, type LinkInput } from '../../link/field';
import { numberOf } from '../../protocol/layers';
import type { LayerContent } from '../../protocol/messages';
import { INPUTS, RESULTS } from '../../protocol/problem';

/** The arrays of layers in files: "layer2.w", of one layer "w". The x of a layer is the y of the one before it, its dy the dx behind it. */

export const layerArrays = (layers: readonly Pick<LayerContent, 'tensors'>[]): readonly NamedValues[] =>
  layers.flatMap(({ tensors }, i) =>
    [...INPUTS, ...RESULTS].flatMap((name) => {
      const [tensor, number] = [tensors[name], numberOf(layers, i)];
      if (!tensor) return [];
      const { shape, data } = tensor;
      // Other tools expect b and db with shape [k].
      const saved = name === 'b' || name === 'db' ? [data.length] : shape;
      return [{ name: `${number && `layer${number}.`}${name}`, shape: saved, values: data }];
    }),
  );

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
  // A link without `layers` has one convolution at its top.
  const top = all.find((number) => !link.includes(`&layer.${number}=`));
  const weights = all.flatMap((number) =>
    (['w', 'b'] as const).map((input) => ({
      input: number === top ? input : (`${input}${number}` as const),
      array: `layer${number}.${input}`,
      field: number === top ? `(?:^|&)${INPUT_KEYS[input]}=` : `&layer\\.${number}=[^&]*;${INPUT_KEYS[input]}:[^&;]*`,
    })),
  );
  return [
    { input: 'x', array: 'layer1.x', field: '(?:^|&)x=' },
    { input: 'dy', array: `layer${last}.dy`, field: '(?:^|&)dy=' },
    ...weights,
  ];
}
