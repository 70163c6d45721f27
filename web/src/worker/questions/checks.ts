import { ConvFailure, checkLength, refuse } from '../../engine/validate';
import { INPUTS, PASSES, type Pass, RESULT_OF, type Shape } from '../../protocol/problem';
import type { ResultComparison } from '../../protocol/questions';
import { shapeSize } from '../../protocol/shapes';
import { type Answerer, Progress, type QuestionContext } from '../answerer';
import { inputsOf, type Mistakes, mistakes, prepareMistakes, productOf } from '../mistakes';
import { ownSession } from '../own-session';

const NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;

/** A number as typed, with a hyphen or a minus sign, and half a unit of its last digit; null if it is not a number. */
export function writtenNumber(text: string): { readonly value: number; readonly precision: number } | null {
  const plain = text.trim().replace('−', '-');
  const match = NUMBER.exec(plain);
  if (!match) return null;
  const [, decimals = '', onlyDecimals = '', exponent = '0'] = match;
  const value = Number(plain);
  const precision = Number(`5e${Number(exponent) - decimals.length - onlyDecimals.length - 1}`);
  return Number.isFinite(value) && Number.isFinite(precision) ? { value, precision } : null;
}

const verdictOf = ({ right, rounded }: { right: boolean; rounded: boolean }, wrong: 'known' | 'unknown') =>
  right ? 'right' : rounded ? 'rounded' : wrong;

const isInput = (pass: string): pass is (typeof INPUTS)[number] => INPUTS.some((name) => name === pass);

export const diagnose: Answerer<'diagnose'> = {
  prepare: prepareMistakes,
  answer(context, { pass, index, written }) {
    const known = mistakes();
    const { module, session } = known;
    const number = writtenNumber(written);
    if (!number) refuse('written', 'this is not a number');
    const inputs = inputsOf(context);
    if (isInput(pass)) {
      const value = inputs.values(pass)[index];
      if (value === undefined) refuse('index', `${pass} has no cell ${index}`);
      known.setProblem(productOf(value));
      const told = known.must(session.diagnose(module.Pass.forward, 0, number.value, number.precision));
      return { verdict: verdictOf(told, 'unknown'), mistakes: [] };
    }
    known.setProblem(inputs);
    const told = known.must(session.diagnose(module.Pass[pass], index, number.value, number.precision));
    const possible = known.of(inputs.kind, told.explanations, pass);
    return { verdict: verdictOf(told, possible.length > 0 ? 'known' : 'unknown'), mistakes: possible };
  },
  // The verdict on a hidden value is the purpose of this question. The value itself is never sent.
  hide: (_context, _question, answer) => answer,
};

export const ambiguous: Answerer<'ambiguous'> = {
  prepare: prepareMistakes,
  answer(context, { pass, index }) {
    if (isInput(pass)) return { ambiguous: false };
    const known = mistakes();
    const { module, session } = known;
    known.setProblem(inputsOf(context));
    return { ambiguous: known.must(session.ambiguity(module.Pass[pass], index)).ambiguous };
  },
  // Says nothing about the value itself.
  hide: (_context, _question, answer) => answer,
};

/** The result of a pass, for a comparison with `other`. */
function resultOf({ problem, heap }: QuestionContext, pass: Pass, other: Float32Array, name: string) {
  const result = RESULT_OF[pass];
  const shape = problem.shapes[result];
  checkLength(other.length, shapeSize(shape), name);
  const values = heap.copy(result);
  if (values.length !== shapeSize(shape)) {
    throw new ConvFailure('unsupported', 'pass', `${result} has not been computed`);
  }
  return { shape, values };
}

/** minuend - subtrahend. */
function subtracted(known: Mistakes, minuend: Float32Array, subtrahend: Float32Array, shape: Shape): ResultComparison {
  known.write('user_result', minuend);
  known.write('expected', subtrahend);
  try {
    const { worst } = known.must(known.session.subtract());
    return {
      difference: known.read('difference', shape),
      user_stats: known.stats('user_result'),
      worst: worst < 0 ? null : worst,
    };
  } finally {
    for (const name of ['user_result', 'expected', 'difference'] as const) known.release(name);
  }
}

/** Has no `hide`: the differences would reveal hidden values. */
export const compareResult: Answerer<'compare_result'> = {
  prepare: prepareMistakes,
  answer(context, { pass, user_result }) {
    const known = mistakes();
    const { shape, values } = resultOf(context, pass, user_result, 'user_result');
    return subtracted(known, user_result, values, shape);
  },
};

/** Has no `hide`: the differences would reveal hidden values. */
export const difference: Answerer<'difference'> = {
  prepare: prepareMistakes,
  answer(context, { pass, earlier }) {
    const known = mistakes();
    const { shape, values } = resultOf(context, pass, earlier, 'earlier');
    const { difference, worst } = subtracted(known, values, earlier, shape);
    return { difference, worst };
  },
};

export const rounding: Answerer<'rounding'> = {
  prepare: prepareMistakes,
  answer(context, _, onProgress) {
    const known = mistakes();
    const progress = new Progress(PASSES.length, onProgress);
    const rounding = { y: 0, dx: 0, dw: 0, db: 0 };
    // The passes over the absolute values of the inputs are the sums of |terms|.
    const magnitudes = ownSession(context, (name) => known.absolute(context.heap.copy(name)));
    try {
      for (const pass of PASSES) {
        progress.part(pass, (step) => magnitudes.run(pass, step));
        known.write('magnitudes', magnitudes.view(RESULT_OF[pass]));
        rounding[RESULT_OF[pass]] = known.session.rounding();
      }
    } finally {
      magnitudes.close();
    }
    known.release('magnitudes');
    return rounding;
  },
};
