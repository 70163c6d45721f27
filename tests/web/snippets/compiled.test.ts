import { expect, test } from 'vitest';
import { LOSS_KINDS } from '../../../web/src/losses/list';
import type { ProcessName } from '../../../web/src/protocol/problem';
import { cppCheck } from '../../../web/src/snippets/cpp';
import { DEFAULT_LOOP_ORDERS, type LoopOrders } from '../../../web/src/snippets/snippet';
import { load } from '../contract/support';
import { cppCompiler, returnedBy } from './compile';
import { givenOf, randomDescs, subjectOf, withOtherLoss, withWrongValue } from './problems';

// Compiles and runs the C++ loops, in every order of a player.

const compiler = cppCompiler();
if (!compiler) console.info('skipped: there is no C++ compiler (Debian: g++); the loops were not run');

const DX: readonly ProcessName[] = ['dx_scatter', 'dx_col2im', 'dx_gather', 'dx_full_conv'];
const DW: readonly ProcessName[] = ['dw_accumulate', 'dw_dilated_dy'];
const waysOf = (at: number): LoopOrders => ({
  ...DEFAULT_LOOP_ORDERS,
  backward_data: DX[at % DX.length] ?? 'dx_scatter',
  backward_weights: DW[at % DW.length] ?? 'dw_accumulate',
});

test.skipIf(!compiler)(
  'every order of loops computes what the page did, and refuses another number',
  {
    timeout: 240_000,
  },
  async () => {
    const { engine } = await load('simd');
    const losses = [undefined, ...LOSS_KINDS];
    const subjects = randomDescs(24, 7).map((desc, at) =>
      subjectOf(givenOf(engine, desc, at, losses[at % losses.length])),
    );
    const right = subjects.map((subject, at) => cppCheck(subject, waysOf(at)));
    expect(
      returnedBy(compiler ?? '', [
        ...right,
        ...subjects.map((subject, at) => cppCheck(withWrongValue(subject, 'dx'), waysOf(at))),
        ...subjects.map((subject, at) => cppCheck(withOtherLoss(subject), waysOf(at))),
      ]),
    ).toEqual([...subjects.map(() => 0), ...subjects.map(() => 1), ...subjects.map(({ ofLoss }) => (ofLoss ? 1 : 0))]);
    // Without flipping w the result is wrong, unless w is symmetric.
    const [first] = subjects.filter(({ geometry: g }) => g.kh * g.kw > 1);
    if (!first) throw new Error('no kernel has two taps');
    expect(
      returnedBy(compiler ?? '', [
        cppCheck(first, { ...DEFAULT_LOOP_ORDERS, backward_data: 'dx_full_conv_unflipped' }),
      ]),
    ).toEqual([1]);
  },
);
