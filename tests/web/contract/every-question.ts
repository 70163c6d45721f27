import type { GradientCheckAsk } from '../../../web/src/protocol/gradient-check';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import type { ConvDesc, GridName, HiddenCells, ProcessName, StageName } from '../../../web/src/protocol/problem';
import type { Question } from '../../../web/src/protocol/questions';
import { shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { descIn } from './requests';

export const STAGES: readonly StageName[] = [
  ...(['x_padded', 'x_col', 'w_col', 'y_col', 'dy_col', 'dx_col', 'dw_col', 'dy_upsampled', 'dy_extended'] as const),
  ...(['dy_inserted', 'w_exchanged', 'w_flipped', 'dx_padded', 'dw_uncropped', 'dw_per_image'] as const),
];
const PROCESSES: readonly ProcessName[] = [
  ...(['forward', 'dx_scatter', 'dx_col2im', 'dx_gather', 'dx_full_conv', 'dx_full_conv_unflipped'] as const),
  ...(['dw_accumulate', 'dw_dilated_dy', 'db_accumulate'] as const),
];
const PASSES = ['forward', 'backward_data', 'backward_weights', 'backward_bias'] as const;

/** Every kind of question that is answered while values are hidden, with all its options; products for the hidden cell and for all cells. */
export function questionsAbout(
  engine: ConvEngine,
  request: ComputeRequest,
  { tensor, index }: Pick<HiddenCells, 'tensor' | 'index'>,
): readonly Question[] {
  const desc = descIn(request);
  const own = index ?? 0;
  const of = { tensor, index: own };
  return [
    ...stages(),
    ...PROCESSES.flatMap((process) => {
      const { total } = engine.ask(1, { kind: 'partial', process, steps: 0 });
      return stepsOf(total).map((steps) => ({ kind: 'partial', process, steps }) as const);
    }),
    ...(['sum', 'average', 'overwrite'] as const).flatMap((mode) => {
      const { total } = engine.ask(1, { kind: 'fold', mode, positions: 0 });
      return [...stepsOf(total), 'all' as const].map((positions) => ({ kind: 'fold', mode, positions }) as const);
    }),
    { kind: 'coverage' },
    { kind: 'adjoint' },
    ...products(desc, of),
    ...(['y', 'dx', 'dw', 'db', 'dy', 'x', 'w', 'b'] as const).map(
      (a) =>
        ({
          kind: 'products',
          a,
          b: null,
          index_a: Int32Array.of(a === tensor ? own : 0),
          index_b: new Int32Array(),
          run: 1,
        }) as const,
    ),
    ...('target' in request.loss
      ? [{ kind: 'loss_cell', index: tensor === 'y' || tensor === 'dy' ? own : 0 } as const]
      : []),
    ...PASSES.map((pass) => ({ kind: 'compare', pass, algorithms: 'all' }) as const),
    { kind: 'algorithms' },
    ...checks(desc, tensor, own),
  ];
}

const stepsOf = (total: number) => [...new Set([0, 1, Math.ceil(total / 2), total - 1, total])].filter((n) => n >= 0);

function stages(): readonly Question[] {
  const matrix = (stage: StageName) => stage.endsWith('_col');
  return STAGES.flatMap((stage) =>
    (matrix(stage) ? [false, true] : [false]).flatMap((transposed) =>
      (matrix(stage) ? (['kh_kw_c', 'c_kh_kw'] as const) : (['kh_kw_c'] as const)).map(
        (order) => ({ kind: 'stage', stage, order, transposed }) as const,
      ),
    ),
  );
}

function products(desc: ConvDesc, of: { readonly tensor: GridName; readonly index: number }): readonly Question[] {
  const sizes = { x: shapeSize(xShape(desc)), w: shapeSize(wShape(desc)), dy: shapeSize(yShape(desc)) };
  const pairs = [
    ['x', 'w'],
    ['w', 'dy'],
    ['x', 'dy'],
  ] as const;
  const cells = (count: number, size: number) => Int32Array.from({ length: count }, (_, i) => i % size);
  return pairs.flatMap(([a, b]) =>
    [of, undefined].flatMap((asked) => {
      const count = Math.max(sizes[a], sizes[b]);
      const all = { index_a: cells(count, sizes[a]), index_b: cells(count, sizes[b]) };
      const one = { index_a: Int32Array.of(of.index % sizes[a]), index_b: Int32Array.of(0) };
      return [all, one].map(
        (indices) => ({ kind: 'products', a, b, ...indices, run: 3, ...(asked ? { of: asked } : {}) }) as const,
      );
    }),
  );
}

function checks(desc: ConvDesc, tensor: string, own: number): readonly Question[] {
  const target = new Float32Array(shapeSize(yShape(desc))).fill(0.5);
  const kinds: readonly Pick<GradientCheckAsk, 'loss' | 'target' | 'precision'>[] = [
    ...(['float32', 'float64'] as const).map((precision) => ({ loss: 'linear', target: null, precision }) as const),
    ...(['float32', 'float64'] as const).map((precision) => ({ loss: 'mse', target: 'near_y', precision }) as const),
    { loss: 'log_cosh', target, precision: 'float64' },
  ];
  return (['x', 'w', 'b'] as const).flatMap((parameter) => {
    const one = tensor === `d${parameter}` ? [Int32Array.of(own)] : [];
    return kinds.flatMap((kind) =>
      (['all', ...one] as const).map(
        (indices) => ({ kind: 'gradient_check', parameter, ...kind, epsilons: [2 ** -7], indices }) as const,
      ),
    );
  });
}
