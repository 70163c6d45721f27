import { beforeAll, describe, expect, test } from 'vitest';
import type { ComputeRequest, SentLoss } from '../../../web/src/protocol/messages';
import type { ConvDesc, HiddenCells, TensorName } from '../../../web/src/protocol/problem';
import type { Question } from '../../../web/src/protocol/questions';
import { shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { answerQuestion } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { questionsAbout, STAGES } from './every-question';
import { changed as changedRequest, hiddenCell, makeDesc, makeRequest, ownLayer } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers } from './support';

/** Values without equal values or simple multiples. */
const rare = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.fround(Math.sin(12.9898 * (i + 1) + 78.233 * seed) * 3.7 + 0.013));

const PROBLEMS: readonly Partial<ConvDesc>[] = [
  { h: 5, w: 5, c: 2, k: 2 },
  {
    h: 6,
    w: 5,
    n: 2,
    c: 2,
    k: 4,
    groups: 2,
    stride_h: 2,
    dilation_w: 2,
    padding: { top: 1, bottom: 0, left: 2, right: 1 },
  },
  { layout: 'nchw', h: 6, w: 6, n: 1, c: 2, k: 3, kh: 2, kw: 3, stride_w: 2, padding_mode: 'same' },
  { h: 3, w: 3, kh: 1, kw: 1 },
];

/** Whether a message contains a number or its negative, in 32 or 64 bits, up to rounding differences of another order. */
function isIn(message: unknown, value: number): boolean {
  if (typeof message === 'number') return Math.abs(Math.abs(message) - Math.abs(value)) <= Math.abs(value) * 2e-6;
  if (typeof message !== 'object' || message === null) return false;
  if (message instanceof Float32Array || message instanceof Float64Array)
    return message.some((each) => isIn(each, value));
  if (ArrayBuffer.isView(message)) return false;
  return Object.values(message).some((member) => isIn(member, value));
}

/** An input of a request. */
function inputIn(request: ComputeRequest, name: 'x' | 'w' | 'b' | 'dy') {
  if (name === 'x') return request.x;
  if (name !== 'dy') return ownLayer(request)[name];
  return 'dy' in request.loss && request.loss.dy !== 'resident' && request.loss.dy.kind === 'values'
    ? request.loss.dy.data
    : null;
}

/** A message as text, without times. */
const plain = (message: unknown): string =>
  JSON.stringify(message, (name, value: unknown) => {
    if (name === 'milliseconds') return 0;
    if (ArrayBuffer.isView(value))
      return Array.from(value as Float64Array, (each) => (Number.isNaN(each) ? '?' : String(each)));
    return typeof value === 'number' && !Number.isFinite(value) ? '?' : value;
  });

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

describe('hidden values', () => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load('simd');
  });

  const requestOf = (change: Partial<ConvDesc>, loss: boolean): ComputeRequest => {
    const desc = makeDesc(change);
    const shape = yShape(desc);
    return makeRequest(desc, {
      x: rare(shapeSize(xShape(desc)), 1),
      w: rare(shapeSize(wShape(desc)), 2),
      b: rare(desc.k, 3),
      loss: loss
        ? { kind: 'mse', target: rare(shapeSize(shape), 5) }
        : { kind: 'given', dy: { kind: 'values', shape, data: rare(shapeSize(shape), 4) } },
    });
  };

  /** All messages of the worker about a problem with hidden cells, and the value of the last hidden cell. */
  function said(engine: ConvEngine, request: ComputeRequest, hidden: readonly HiddenCells[]) {
    const open = layerIn(engine.compute(request, 1));
    const { w, b } = ownLayer(request);
    const given = { x: request.x, w, b } as Readonly<Record<string, Float32Array>>;
    const last = hidden.at(-1);
    if (!last) throw new Error('nothing is hidden');
    const value = (open.tensors[last.tensor as TensorName]?.data ?? given[last.tensor])?.[last.index ?? 0];
    if (value === undefined) throw new Error(`there is no ${last.tensor}`);
    const questions = questionsAbout(engine, request, last);
    const messages = (revision: number) =>
      questions.map((question) => [question, engine.ask(revision, question)] as const);
    const openly = [['compute', open] as const, ...messages(1)];
    const result = engine.compute({ ...request, hidden }, 2);
    return { value, openly, secretly: [['compute', result] as const, ...messages(2)], result: layerIn(result) };
  }

  const cases = PROBLEMS.flatMap((_, i) =>
    TENSORS.flatMap((tensor) => [false, true].map((loss) => [i, tensor, loss] as const)),
  );
  test.each(cases)('problem %i: no message contains a hidden cell of %s, with a loss: %s', (i, tensor, loss) => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const request = requestOf(PROBLEMS[i] ?? {}, loss);
    const index = tensor === 'b' || tensor === 'db' || (i === 3 && tensor.endsWith('w')) ? 0 : 3;
    const { value, openly, secretly, result } = said(engine, request, [hiddenCell(tensor, index)]);
    expect(value).not.toBe(0);
    for (const [question, answer] of secretly) {
      expect(isIn(answer, value), `${value} in ${JSON.stringify(question)}`).toBe(false);
    }
    // Control: without hiding the search finds the value.
    expect(openly.filter(([, answer]) => isIn(answer, value)).length).toBeGreaterThan(tensor === 'b' ? 0 : 1);
    expect(result.hides).toBe(true);
    // Visible values are sent.
    const tensorThere = result.tensors[tensor];
    expect(numbers(tensorThere?.data).filter(Number.isNaN).length).toBe(1);
    engine.dispose();
  });

  /**
   * What a changed number changes, whole; the rest of the page stays the same to the last bit. So nothing that the worker
   * says may differ while all of it is hidden.
   */
  const REACHES: readonly (readonly [
    changed: 'x' | 'w' | 'b' | 'dy',
    index: number,
    alone: boolean,
    ...TensorName[],
  ])[] = [
    ['x', 4, true, 'y', 'dw'],
    ['x', 4, false, 'y', 'dw'],
    ['w', 2, true, 'y', 'dx'],
    ['w', 2, false, 'y', 'dx'],
    ['b', 0, true, 'y'],
    ['dy', 3, true, 'dx', 'dw', 'db'],
    ['dy', 3, false, 'dx', 'dw', 'db'],
  ];
  const interferences = [0, 1, 2].flatMap((i) =>
    REACHES.flatMap((reach) => [false, true].map((loss) => [i, reach[0], loss, reach] as const)),
  );
  test.each(interferences)(
    'problem %i: another hidden number in %s changes no message, with a loss: %s',
    (i, changed, loss, [, index, alone, ...made]) => {
      if (loss && changed === 'dy') return;
      const request = requestOf(PROBLEMS[i] ?? {}, loss);
      const other = structuredClone(request) as ComputeRequest;
      const given = inputIn(other, changed);
      if (!(given instanceof Float32Array)) throw new Error(`${changed} is not in the request`);
      given[index] = -1.75 * (given[index] ?? 0) + 0.3;
      const hidden = [hiddenCell(changed, alone ? index : null), ...made.map((tensor) => hiddenCell(tensor, null))];
      const [one, two] = [request, other].map((asked) => {
        const engine = new ConvEngine(loaded.module, answerQuestion, hide);
        engine.compute({ ...asked, hidden }, 1);
        const questions = [{ tensor: changed, index }, ...made.map((tensor) => ({ tensor, index: 1 }))].flatMap(
          (cell) => questionsAbout(engine, asked, cell),
        );
        const all = questions.map((question) => [JSON.stringify(question), plain(engine.ask(1, question))] as const);
        const result = plain(engine.compute({ ...asked, hidden }, 2));
        engine.dispose();
        return [...all, ['compute', result] as const];
      });
      const telling = (one ?? []).filter(([, answer], at) => answer !== two?.[at]?.[1]).map(([question]) => question);
      expect(telling).toEqual([]);
      expect(one?.length).toBeGreaterThan(50);
    },
  );

  /**
   * The same with only the cells hidden that the changed number changes: all others are sent, and none of them may help to derive the
   * number.
   */
  const withRemainder: Partial<ConvDesc> = { h: 8, w: 6, c: 1, k: 1, kh: 2, kw: 3, stride_h: 3, stride_w: 2 };
  const exactly = [
    ...PROBLEMS,
    withRemainder,
    { ...withRemainder, n: 2, layout: 'nchw', dilation_h: 2 } as const,
  ].flatMap((change) =>
    (['x', 'w', 'b', 'dy'] as const).flatMap((changed) =>
      (['values', 'mse', 'log_cosh'] as const).map((dy, i) => [changed, 7 * i, dy, change] as const),
    ),
  );
  test.each(exactly)('another hidden number in %s, cell %i, changes no message, with dy: %s, in %j', (...of) => {
    const [changed, at, kind, change] = of;
    if (changed === 'dy' && kind !== 'values') return;
    const plainRequest = requestOf(change, kind !== 'values');
    const request =
      kind === 'log_cosh' ? { ...plainRequest, loss: { ...plainRequest.loss, kind } as SentLoss } : plainRequest;
    const other = structuredClone(request) as ComputeRequest;
    const given = inputIn(other, changed);
    if (!(given instanceof Float32Array)) throw new Error(`${changed} is not in the request`);
    const index = at % given.length;
    given[index] = -1.75 * (given[index] ?? 0) + 0.3;
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const [one, two] = [request, other].map((asked) => layerIn(engine.compute(asked, 1)).tensors);
    const follow = TENSORS.flatMap((tensor) => {
      const values = numbers(two?.[tensor]?.data);
      return numbers(one?.[tensor]?.data).flatMap((value, i) =>
        Object.is(value, values[i]) ? [] : [hiddenCell(tensor, i)],
      );
    });
    const hidden = [hiddenCell(changed, index), ...follow.filter(({ tensor }) => tensor !== changed)];
    const cells = [...new Map(hidden.map((cell) => [cell.tensor, cell])).values()];
    const said = [request, other].map((asked) => {
      engine.compute({ ...asked, hidden }, 1);
      const questions = cells.flatMap((cell) => questionsAbout(engine, asked, cell));
      const all = questions.map((question) => [JSON.stringify(question), plain(engine.ask(1, question))] as const);
      return [...all, ['compute', plain(engine.compute({ ...asked, hidden }, 2))] as const];
    });
    const telling = (said[0] ?? [])
      .filter(([, answer], i) => answer !== said[1]?.[i]?.[1])
      .map(([question]) => question);
    expect([...new Set(telling)]).toEqual([]);
    expect(said[0]?.length).toBeGreaterThan(50);
    engine.dispose();
  });

  test.each([
    ['x', { kind: 'stage', stage: 'dw_uncropped', order: 'kh_kw_c', transposed: false }],
    ['dy', { kind: 'stage', stage: 'dw_per_image', order: 'kh_kw_c', transposed: false }],
    ['x', { kind: 'partial', process: 'dw_dilated_dy', steps: 8 }],
    ['w', { kind: 'partial', process: 'dx_full_conv_unflipped', steps: 48 }],
    ['w', { kind: 'fold', mode: 'overwrite', positions: 'all' }],
    ['dy', { kind: 'fold', mode: 'average', positions: 'all' }],
    // The cells beyond the kernel move the cells of dw.
    ['dw', { kind: 'partial', process: 'dw_dilated_dy', steps: 8 }],
  ] as const)('a hidden cell of %s: all of %j is hidden, and the result itself is not', (tensor, question) => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const { tensors } = layerIn(
      engine.compute({ ...requestOf(withRemainder, false), hidden: [hiddenCell(tensor, 3)] }, 1),
    );
    const answer = engine.ask<Question>(1, question);
    const { data, total } = {
      total: 0,
      data: new Float32Array(),
      ...answer,
      ...('tensor' in answer ? answer.tensor : {}),
    };
    if ('steps' in question) expect(total).toBe(question.steps);
    expect(data.length).toBeGreaterThan(0);
    expect(numbers(data).filter((value) => !Number.isNaN(value))).toEqual([]);
    for (const name of ['dx', 'dw'] as const) {
      expect(numbers(tensors[name]?.data).filter(Number.isNaN)).toHaveLength(name === tensor ? 1 : 0);
    }
    engine.dispose();
  });

  test('one cell of y and a target of 0: dy equals y and is hidden with all results of it', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const request = { ...requestOf({ h: 3, w: 3 }, false), loss: { kind: 'mse', target: null } as const };
    const { value, openly, secretly, result } = said(engine, request, [hiddenCell('y', 0)]);
    for (const [question, answer] of secretly) expect(isIn(answer, value), JSON.stringify(question)).toBe(false);
    expect(openly.filter(([, answer]) => isIn(answer, value)).length).toBeGreaterThan(5);
    for (const name of ['dy', 'dx', 'dw', 'db'] as const) {
      expect(numbers(result.tensors[name]?.data).every(Number.isNaN), name).toBe(true);
    }
    expect(result.loss).toBeNaN();
    engine.dispose();
  });

  test('a whole tensor, and its statistics', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const { result } = said(engine, requestOf({ h: 5, w: 5 }, false), [hiddenCell('y', null)]);
    expect(numbers(result.tensors.y?.data).every(Number.isNaN)).toBe(true);
    expect(result.tensors.y?.stats).toMatchObject({ min: 0, max: 0, max_abs: 0 });
    engine.dispose();
  });

  test('the largest value does not affect the statistics of the others', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const request = makeRequest();
    const open = layerIn(engine.compute(request, 1)).tensors.y;
    const largest = numbers(open?.data).indexOf(open?.stats.max ?? 0);
    const { tensors } = layerIn(engine.compute({ ...request, hidden: [hiddenCell('y', largest)] }, 2));
    const rest = numbers(open?.data).filter((_, i) => i !== largest);
    expect(tensors.y?.stats.max_abs).toBe(Math.max(...rest.map(Math.abs)));
    engine.dispose();
  });

  test('the session keeps hidden values: later answers are computed from them', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const request = requestOf(PROBLEMS[0] ?? {}, false);
    const open = layerIn(engine.compute(request, 1));
    engine.compute({ ...request, hidden: TENSORS.map((tensor) => hiddenCell(tensor, 0)) }, 2);
    for (const stage of STAGES) engine.ask(2, { kind: 'stage', stage, order: 'kh_kw_c', transposed: false });
    const again = layerIn(engine.compute(changedRequest(request, { x: 'resident', w: 'resident', b: 'resident' }), 3));
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(numbers(again.tensors[name]?.data)).toEqual(numbers(open.tensors[name]?.data));
    }
    engine.dispose();
  });

  test('rejects questions without hiding support', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    engine.compute({ ...makeRequest(), hidden: [hiddenCell('y', 0)] }, 1);
    const refused: readonly Question[] = [
      { kind: 'bug', seed: 1, pass: 'forward', letter: 0 },
      { kind: 'compare_result', pass: 'forward', user_result: new Float32Array(4) },
      { kind: 'difference', pass: 'forward', earlier: new Float32Array(4) },
      { kind: 'rounding' },
      {
        kind: 'learn',
        learns: 'w',
        teacher: null,
        fromZero: false,
        scale: 1,
        rate: 1,
        batch: 1,
        noise: 0,
        watch: new Int32Array(),
        steps: 1,
      },
    ];
    for (const question of refused) expect(errorOf(() => engine.ask(1, question)).code).toBe('unsupported');
    engine.dispose();
  });

  test('an engine that cannot hide rejects the request; hidden cells are validated', () => {
    const engine = new ConvEngine(loaded.module, answerQuestion);
    const hidden = [hiddenCell('y', 0)];
    expect(errorOf(() => engine.compute({ ...makeRequest(), hidden }, 1)).code).toBe('unsupported');
    engine.hide = hide;
    const wrong = [hiddenCell('q' as 'y', 0)];
    expect(errorOf(() => engine.compute({ ...makeRequest(), hidden: wrong }, 2)).message).toBe('there is no tensor q');
    const beyond = [{ layer: 1, tensor: 'y', index: 0 }] as const;
    expect(errorOf(() => engine.compute({ ...makeRequest(), hidden: beyond }, 2)).message).toBe('there is no layer 1');
    engine.dispose();
  });
});
