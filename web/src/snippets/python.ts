import { flat } from '../layers/code';
import type { Dialect } from '../layers/view';
import type { Geometry, Pass, TensorName } from '../protocol/problem';
import {
  bytesText,
  type CheckSubject,
  isReadable,
  type LossCheck,
  largestText,
  listText,
  sumOf,
  type TensorLiteral,
  TOLERANCE,
} from './check';
import { lossText } from './loss';
import {
  type CodeLine,
  elementText,
  type Flags,
  fill,
  type LayerSubject,
  type LineContext,
  type LineMarks,
  lossOf,
  type Subject,
  termsOf,
  textsOf,
} from './snippet';

/** Shared by the Python snippets. */

const told = (tensors: readonly TensorName[]) => (facts: LineContext) => {
  for (const tensor of tensors) {
    const text = elementText(facts, tensor, (indices) => `[${indices.join(', ')}]`);
    if (text !== null) return text;
  }
  return null;
};

/** A line that computes a tensor; its note shows the selected cell of the first tensor that has one. */
export const makes = (...tensors: readonly TensorName[]): LineMarks[string] => ({
  noteOf: told(tensors),
  computesCell: true,
});

export const takes = (...tensors: readonly TensorName[]): LineMarks[string] => ({ noteOf: told(tensors) });

/** `sum`: of the dialect. */
export const sumOfDy = ({ layout }: Geometry, sum: string, names = { dy: 'dy', db: 'db' }): string =>
  fill(sum, { ...names, axes: layout === 'nhwc' ? '(0, 1, 2)' : '(0, 2, 3)' });

const INPUTS = [
  ['backward_data', 'x'],
  ['backward_weights', 'w'],
  ['backward_bias', 'b'],
] as const;

/**
 * The inputs that a framework computes gradients of, and the names of these. Without a bias, db is computed as the sum of
 * dy, by `sum`. A loss is differentiated for y, too: dy. Flags: `forward` if y is computed, `tracked` if gradients are, `watched` if
 * those of inputs are, `unwatched` if only dy is, `loss`, `sum`.
 */
export function differentiated(subject: Subject, wanted: readonly Pass[], sum: string) {
  const { geometry: g, bias } = subject;
  const inputs = INPUTS.flatMap(([pass, tensor]) =>
    wanted.includes(pass) && (tensor !== 'b' || bias) ? [tensor] : [],
  );
  const { flags, values } = termsOf(subject, wanted);
  const ofLoss = lossOf(subject, wanted);
  const sources = ofLoss ? [...inputs, 'y'] : inputs;
  const [watched, tracked] = [inputs.length > 0, sources.length > 0];
  return {
    inputs,
    sources,
    flags: {
      ...flags,
      ...{ watched, tracked, forward: tracked || flags.y === true, sum: flags.db === true && !bias },
      ...{ loss: ofLoss !== null, unwatched: ofLoss !== null && !watched },
    } as Flags,
    values: {
      ...values,
      inputs: inputs.join(', '),
      sources: sources.join(', '),
      made: sources.map((tensor) => `d${tensor}`).join(', '),
      from: ofLoss ? 'loss' : 'y',
      sum: sumOfDy(g, sum),
    },
  };
}

/** Notes of the gradients: their own cells, or cells of dy. */
export const GRADIENT_MARKS: LineMarks = Object.fromEntries(
  (['dx', 'dw', 'db'] as const).flatMap((name) =>
    [`${name} =`, `(${name},) =`, `${name}, dy =`].map((start) => [start, makes(name, 'dy')] as const),
  ),
);

/** Array functions of a framework. */
export interface PythonDialect {
  readonly name: string;
  /** Of the check; the code of the passes adds its own. */
  readonly imports?: readonly string[];
  readonly code: (subject: Subject, wanted: readonly Pass[]) => readonly CodeLine[];
  /** Other code for the check; default: the same. */
  readonly checkedCode?: PythonDialect['code'];
  /** Texts with names in braces. `double`: converts a float32 `tensor` to the type of the code, in double precision. */
  readonly double: string;
  /** From a {list}, or from {bytes}, a bytes-like object. */
  readonly array: string;
  readonly bytes: string;
  /** The largest difference of `page` and `here`, as a float. */
  readonly difference: string;
  /** Of a {tensor} of the code, and of a float32 array. */
  readonly largest: string;
  readonly largestGiven: string;
  /** {db}, the sum of {dy} over its {axes}. */
  readonly sum: string;
  /** Lines that compute {dy} at `y`, from the lines {loss} that compute the loss. */
  readonly gradientOfLoss: string;
  readonly network: NetworkDialect;
}

interface NetworkDialect {
  /** The key of the lines of other layers. */
  readonly id: Dialect;
  /** Without automatic differentiation: the gradients of a layer's inputs from dy, after the lines of y. */
  readonly backward?: (layer: LayerSubject) => readonly string[];
  /** With automatic differentiation: calls the functions of the layers, and computes all gradients. {dy}: the argument `given`, or nothing. */
  readonly passes?: string;
  readonly given?: string;
  /** Body of a function of (layer, dy, *inputs): returns y and the gradients of the inputs. */
  readonly run: string;
}

/** Values as NumPy arrays. */
export const VIA_NUMPY = {
  array: 'np.array({list}, dtype=np.float32).reshape({sizes})',
  bytes: 'np.frombuffer({bytes}, dtype="<f4").reshape({sizes})',
  largestGiven: 'np.abs({tensor}).max()',
} as const;

/** float32 arrays of the values, as lines, and whether some are long: bytes. */
export const literalOf = (dialect: PythonDialect, given: readonly TensorLiteral[]) => ({
  texts: given.map((numbers) => {
    const sizes = numbers.sizes.join(', ') || '()';
    const values = isReadable(numbers)
      ? fill(dialect.array, { list: `[\n${listText(numbers, '    ')}\n]`, sizes })
      : fill(dialect.bytes, { bytes: `base64.b64decode("${bytesText(numbers)}")`, sizes });
    return `${numbers.name} = ${values}`;
  }),
  isLong: given.some((numbers) => !isReadable(numbers)),
});

export const isImport = (line: string): boolean => /^(import|from) /.test(line);

/**
 * Arrays of the inputs and of other values, and the code of the passes in double precision. `title`: of the other values. `more`: a line
 * after them.
 */
export function pythonProgram(
  dialect: PythonDialect,
  { geometry, bias, inputs }: Pick<CheckSubject, 'geometry' | 'bias' | 'inputs'>,
  passes: readonly Pass[],
  title: string,
  others: readonly TensorLiteral[],
  more = '',
): string {
  const code = textsOf((dialect.checkedCode ?? dialect.code)({ geometry, bias }, passes));
  const body = code.filter((line) => !isImport(line));
  const given = literalOf(dialect, inputs);
  const results = literalOf(dialect, others);
  const imports = new Set([...(dialect.imports ?? []), ...code.filter(isImport)]);
  const names = inputs.map(({ name }) => name).join(', ');
  return `\
${flat([(given.isLong || results.isLong) && 'import base64\n', ...imports]).join('\n')}

# Inputs: the exact float32 values of the page.
${given.texts.join('\n')}

# ${title}
${results.texts.join('\n')}
${more}
${names} = (${dialect.double} for tensor in (${names}))

${body.join('\n').trim()}
`;
}

/** A script that computes the passes and asserts that the page's results match. */
export function pythonCheck(dialect: PythonDialect, subject: CheckSubject): string {
  const { geometry: g, bias, results, ofLoss } = subject;
  const passes = results.map(({ pass }) => pass);
  const checks = results.map(({ name, bound, algorithm }) => {
    const largest = largestText(sumOf(g, name, bias), (tensor) => fill(dialect.largest, { tensor }));
    return `check("${name}", page_${name}, ${name}, bound=${bound}, largest=${largest})  # ${algorithm}`;
  });
  const ours = [
    ...results.map(({ name, numbers }) => ({ ...numbers, name: `page_${name}` })),
    ...(ofLoss?.given ?? []),
  ];
  const end = ofLoss ? lossChecks(dialect, ofLoss, g, { y: 'page_y', dy: 'page_dy' }) : [];
  const program = pythonProgram(dialect, subject, passes, 'Results of the page', ours, ofLoss ? 'page_dy = dy\n' : '');
  return `\
# Compares the results of the conv2d playground with ${dialect.name}. Fails if they differ by more than rounding.
${program}

${checkFunction(dialect, TOLERANCE)}


${[...checks, ...end].join('\n')}
`;
}

/** Compares the loss and dy with those at the y of the page. `names`: its float32 arrays. */
export function lossChecks(
  dialect: PythonDialect,
  loss: LossCheck,
  g: Geometry,
  names: Readonly<Record<'y' | 'dy', string>>,
) {
  const own = { y: 'y', dy: 'here_dy' };
  return [
    '',
    '# dy is the gradient of the loss, at the y of the page.',
    `y, target = (${dialect.double} for tensor in (${names.y}, target))`,
    fill(dialect.gradientOfLoss, { ...own, loss: lossText(dialect.network.id, loss.kind, g, own) }),
    ...loss.sums(names.dy).map((sum) => {
      const largest = largestText(sum, (tensor) => fill(dialect.largestGiven, { tensor }));
      const here = sum.name === names.dy ? own.dy : 'loss';
      return `check("${sum.name.replace('page_', '')}", ${sum.name}, ${here}, bound=${sum.bound}, largest=${largest})`;
    }),
  ];
}

/** The function of a check, with a comment. */
export const checkFunction = (dialect: PythonDialect, comment: readonly string[]): string => `\
${comment.map((line) => `# ${line}`).join('\n')}
def check(name, page, here, bound, largest):
    tolerance = (bound + 1) * 2.0**-24 * float(largest)
    assert tuple(page.shape) == tuple(here.shape), f"{name}: {tuple(page.shape)} differs from {tuple(here.shape)}"
    difference = ${dialect.difference}
    assert difference <= tolerance, f"{name} differs by {difference}, tolerance {tolerance}"
    print(f"{name}: largest difference {difference:.3g}, tolerance {tolerance:.3g}")`;
