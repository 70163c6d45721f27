import { checkLength, refuse } from '../../engine/validate';
import type { LossChannel, Products, QuestionOf } from '../../protocol/questions';
import { type Answerer, Progress, type QuestionContext } from '../answerer';
import type { Masks } from '../masks';

export const products: Answerer<'products'> = {
  answer({ heap }, { a, b, index_a, index_b, run }) {
    heap.writeIndices('a', index_a);
    checkLength(index_b.length, b === null ? 0 : index_a.length, 'index_b');
    heap.writeIndices('b', index_b);
    if (run < 1) refuse('run', 'run must be at least 1');
    const { value: sum } = heap.must(heap.session.products(heap.layer, heap.slot(a), heap.slot(b ?? a), run));
    const written = heap.copy('result');
    return { products: written.slice(0, index_a.length), subtotals: written.slice(index_a.length), sum };
  },
  hide: (_context, question, answer, masks) => withoutHidden(question, answer, masks),
};

/**
 * Hides the sum and all products of a hidden cell (the sum may have a single product), and everything if the cell is unknown.
 * Hides products with a hidden factor, and the subtotals that contain them.
 */
function withoutHidden(
  { a, b, index_a, index_b, run, of }: QuestionOf<'products'>,
  { products, subtotals, sum }: Products,
  masks: Masks,
): Products {
  const isHidden = of && of.tensor !== 'C' ? masks.hides(of.tensor, of.index) : true;
  const factor = (t: number) =>
    masks.hides(a, index_a[t] ?? -1) || (b !== null && masks.hides(b, index_b[t] ?? -1)) || isHidden;
  const hidden = products.map((product, t) => (factor(t) ? Number.NaN : product));
  return {
    products: hidden,
    subtotals: subtotals.map((total, part) =>
      hidden.subarray(part * run, (part + 1) * run).some(Number.isNaN) || isHidden ? Number.NaN : total,
    ),
    sum: isHidden ? Number.NaN : sum,
  };
}

/** Channels of a position that an answer lists: the first ones, and that of the cell. */
const MOST_CHANNELS = 12;

/** The power and the share of each channel at the position of a cell. */
function channelsAt({ heap, problem: { geometry: g } }: QuestionContext, index: number): LossChannel[] {
  const step = g.layout === 'nhwc' ? 1 : g.oh * g.ow;
  const own = Math.floor(index / step) % g.k;
  const listed = Array.from({ length: g.k }, (_, channel) => channel);
  return listed
    .filter((channel) => channel < MOST_CHANNELS || channel === own)
    .map((channel) => {
      const at = index + (channel - own) * step;
      heap.must(heap.session.loss_cell(at));
      const [y = 0, , , , , , power = 0, , share = 0] = heap.copy('result');
      return { index: at, channel, y, power, share };
    });
}

export const lossCell: Answerer<'loss_cell'> = {
  answer(context, { index }) {
    const { heap } = context;
    if (heap.layer < heap.end.layer) refuse('index', 'dy is not the gradient of a loss');
    heap.must(heap.session.loss_cell(index));
    const [y = 0, target = 0, difference = 0, slope = 0, gradient = 0, largest = 0, , total = 0] = heap.copy('result');
    // e^0 of the largest y is one of the terms.
    const softmax = total === 0 ? null : { largest, total, channels: channelsAt(context, index) };
    heap.release('result');
    return { y, target, difference, slope, gradient, softmax };
  },
  hide(_context, { index }, answer, masks) {
    const channels = answer.softmax?.channels ?? [{ index }];
    if (!channels.some((each) => masks.hides('y', each.index)) && !masks.hides('dy', index)) return answer;
    // The target is hidden, too: it may be derived from y.
    const visible = (value: number) => (masks.hides('y', index) ? Number.NaN : value);
    const no = Number.NaN;
    return {
      y: visible(answer.y),
      target: visible(answer.target),
      difference: no,
      slope: no,
      gradient: no,
      softmax: null,
    };
  },
};

export const adjoint: Answerer<'adjoint'> = {
  answer({ heap }, _, onProgress) {
    try {
      // The matrix C does not include b.
      new Progress(1, onProgress).part('forward', () => heap.must(heap.session.adjoint(heap.layer)));
      const [forward = 0, backward = 0, difference = 0, relative = 0] = heap.copy('result');
      return { forward, backward, difference, relative };
    } finally {
      heap.release('result');
    }
  },
  // If all other terms of these sums are visible, a hidden term could be derived.
  hide(_context, _question, answer, masks) {
    const visible = !(['x', 'y', 'dx', 'dy'] as const).some((name) => masks.any(name));
    const no = Number.NaN;
    return visible ? answer : { forward: no, backward: no, difference: no, relative: no };
  },
};
