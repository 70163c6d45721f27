import type { Pass } from '../protocol/problem';
import { type CheckSubject, sumOf, TOLERANCE } from './check';
import { bytesText, isReadable, listText, type TensorLiteral } from './literal';
import type { Line, Subject } from './snippet';

/** Array functions of a framework. */
export interface PythonDialect {
  readonly name: string;
  /** First lines; the code of the passes adds its own imports. */
  readonly imports: string;
  readonly code: (subject: Subject, wanted: readonly Pass[]) => readonly Line[];
  /** Converts float32 NumPy arrays to the type of the code, in double precision. */
  readonly convert: (names: readonly string[]) => string;
  /** An expression of a list of numbers as a float32 array. */
  readonly array: (list: string, sizes: string) => string;
  /** The same from `floats(...)`, a bytes-like object. */
  readonly bytes: (bytes: string, sizes: string) => string;
  /** The largest difference of two results, as a float. */
  readonly difference: (page: string, here: string) => string;
  readonly largest: (tensor: string) => string;
}

export const NUMPY_ARRAYS: Pick<PythonDialect, 'array' | 'bytes'> = {
  array: (list, sizes) => `np.array(${list}, dtype=np.float32).reshape(${sizes})`,
  bytes: (bytes, sizes) => `np.frombuffer(${bytes}, dtype="<f4").reshape(${sizes})`,
};

/** A script that computes the passes and asserts that the page's results match. */
export function pythonCheck(dialect: PythonDialect, subject: CheckSubject): string {
  const { geometry: g, bias, inputs, results } = subject;
  const passes = results.map(({ pass }) => pass);
  const code = dialect.code({ geometry: g, bias }, passes).map(({ text }) => text);
  const imports = code.filter((line) => /^(import|from) /.test(line));
  const body = code
    .filter((line) => !/^(import|from) /.test(line))
    .join('\n')
    .trim();
  const all = [...inputs, ...results.map(({ numbers }) => numbers)];
  const long = all.some((numbers) => !isReadable(numbers));
  const literal = (numbers: TensorLiteral, name: string) => {
    const sizes = numbers.sizes.join(', ');
    if (isReadable(numbers)) return `${name} = ${dialect.array(`[\n${listText(numbers, '    ')}\n]`, sizes)}`;
    return `${name} = ${dialect.bytes(`base64.b64decode("${bytesText(numbers)}")`, sizes)}`;
  };
  const checks = results.map(({ name, bound, algorithm }) => {
    const { products, of } = sumOf(g, name);
    const largest = [
      [String(products), ...of.map(dialect.largest)].join(' * '),
      ...(name === 'y' && bias ? [dialect.largest('b')] : []),
    ].join(' + ');
    return `check("${name}", page_${name}, ${name}, bound=${bound}, largest=${largest})  # ${algorithm}`;
  });
  const names = inputs.map(({ name }) => name);
  return `\
# Compares the results of the conv2d playground with ${dialect.name}. Fails if they differ by more than rounding.
${[...(long ? ['import base64\n'] : []), ...new Set([...dialect.imports.split('\n').filter(Boolean), ...imports])].join('\n')}

# Inputs: the exact float32 values of the page.
${inputs.map((numbers) => literal(numbers, numbers.name)).join('\n')}

# Results of the page
${results.map(({ numbers, name }) => literal(numbers, `page_${name}`)).join('\n')}

${dialect.convert(names)}

${body}


${TOLERANCE.map((line) => `# ${line}`).join('\n')}
def check(name, page, here, bound, largest):
    tolerance = (bound + 1) * 2.0**-24 * float(largest)
    assert tuple(page.shape) == tuple(here.shape), f"{name}: {tuple(page.shape)} differs from {tuple(here.shape)}"
    difference = ${dialect.difference('page', 'here')}
    assert difference <= tolerance, f"{name} differs by {difference}, tolerance {tolerance}"
    print(f"{name}: largest difference {difference:.3g}, tolerance {tolerance:.3g}")


${checks.join('\n')}
`;
}
