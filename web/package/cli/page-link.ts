import { openable, upstreamOf, valuesOf } from '../../src/formats/judged-layer';
import { packLink } from '../../src/link/compress';
import { DEFAULT_LOOK } from '../../src/look/look';
import type { NamedArray } from '../../src/protocol/judge';
import type { Shape } from '../../src/protocol/problem';
import { bShape, wShape, xShape, yShape } from '../../src/protocol/shapes';
import type { LayerVerdict } from '../../src/protocol/verdict';
import type { InputTensor } from '../../src/sources/inputs';
import { given, painted } from '../../src/sources/loss';
import { openingProblem, problemOfLayer, shownLayer } from '../../src/state/problem';

/** The link that opens a judged layer on the page: its geometry, x, w, b and dy. */

export type PageLink =
  /** Without the "#". */
  | { readonly hash: string }
  /** Why there is none. */
  | { readonly reason: string };

/** Longer ones are cut by many programs. */
const MOST_CHARACTERS = 8000;

/** Null: the page shows no such layer by a link, or the file does not have its inputs. */
export async function pageLink(layer: LayerVerdict, arrays: readonly NamedArray[]): Promise<PageLink | null> {
  const opened = openable(layer, { tensors: arrays }, shownLayer(openingProblem(), null).desc);
  if ('why' in opened) {
    return typeof opened.why === 'string' ? null : { reason: `the page does not show it: ${opened.why.sizes}` };
  }
  const { desc } = opened;
  const values = valuesOf(layer, opened, new Map(arrays.entries()));
  const input = (name: 'x' | 'w' | 'b', shape: Shape): InputTensor | null => {
    const [data, array] = [values[name], arrays[layer.arrays[name] ?? -1]];
    return data && array ? { shape, data, source: { kind: 'brought', name: array.name }, edited: false } : null;
  };
  const [x, w, b] = [input('x', xShape(desc)), input('w', wShape(desc)), input('b', bShape(desc))];
  if (!x || !w) return null;
  const dy = upstreamOf(layer, yShape(desc), values);
  const loss = dy ? painted(yShape(desc), dy) : given({ kind: 'ones' });
  const problem = problemOfLayer(desc, { x, w, b, loss });
  const { hash, omitted } = await packLink({ problem, look: DEFAULT_LOOK });
  if (omitted.length === 0 && hash.length <= MOST_CHARACTERS) return { hash };
  return { reason: 'its arrays are too large for a link. Open the file on the page' };
}
