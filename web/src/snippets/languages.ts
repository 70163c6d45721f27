import type { Pass } from '../protocol/problem';
import type { CheckSubject } from './check';
import { cppCode, cppSizes } from './cpp';
import { cppCheck } from './cpp-check';
import { jaxCode } from './jax';
import { numpyCode } from './numpy';
import { NUMPY_ARRAYS, type PythonDialect, pythonCheck } from './python-check';
import { pytorchCode } from './pytorch';
import { type Line, type LoopOrders, linesOf, type Subject } from './snippet';
import { tensorflowCode } from './tensorflow';

export type LanguageId = 'cpp' | 'numpy' | 'pytorch' | 'tensorflow' | 'jax';

export interface Language {
  readonly id: LanguageId;
  readonly title: string;
  /** What the code is, and how it is tested. */
  readonly description: string;
  readonly comment: '//' | '#';
  /** File name of a check. */
  readonly file: string;
  readonly code: (subject: Subject, pass: Pass, ways: LoopOrders) => readonly Line[];
  readonly check: (subject: CheckSubject, ways: LoopOrders) => string;
}

const UNTRIED = (name: string): string =>
  `Written from the documentation. Tested with stand-ins, not with ${name} itself.`;

const NUMPY: PythonDialect = {
  name: 'NumPy',
  imports: '',
  code: numpyCode,
  ...NUMPY_ARRAYS,
  convert: (names) => `${names.join(', ')} = (tensor.astype(np.float64) for tensor in (${names.join(', ')}))`,
  difference: (page, here) => `np.abs(${page} - ${here}).max()`,
  largest: (tensor) => `np.abs(${tensor}).max()`,
};

const PYTORCH: PythonDialect = {
  name: 'PyTorch',
  imports: '',
  code: pytorchCode,
  array: (list, sizes) => `torch.tensor(${list}, dtype=torch.float32).reshape(${sizes})`,
  bytes: (bytes, sizes) => `torch.frombuffer(bytearray(${bytes}), dtype=torch.float32).reshape(${sizes})`,
  convert: (names) => `${names.join(', ')} = (tensor.double() for tensor in (${names.join(', ')}))`,
  difference: (page, here) => `(${page} - ${here}).abs().max().item()`,
  largest: (tensor) => `${tensor}.abs().max()`,
};

const TENSORFLOW: PythonDialect = {
  name: 'TensorFlow',
  imports: 'import numpy as np',
  code: tensorflowCode,
  ...NUMPY_ARRAYS,
  convert: (names) =>
    `${names.join(', ')} = (tf.constant(tensor, dtype=tf.float64) for tensor in (${names.join(', ')}))`,
  difference: (page, here) => `np.abs(${page} - ${here}.numpy()).max()`,
  largest: (tensor) => `np.abs(${tensor}.numpy()).max()`,
};

const JAX: PythonDialect = {
  name: 'JAX',
  imports: 'import jax\nimport jax.numpy as jnp\nimport numpy as np',
  code: jaxCode,
  ...NUMPY_ARRAYS,
  convert: (names) => `\
# JAX uses double precision only if enabled.
jax.config.update("jax_enable_x64", True)
${names.join(', ')} = (jnp.asarray(tensor, dtype=jnp.float64) for tensor in (${names.join(', ')}))`,
  difference: (page, here) => `np.abs(${page} - np.asarray(${here})).max()`,
  largest: (tensor) => `np.abs(np.asarray(${tensor})).max()`,
};

const python = (id: LanguageId, dialect: PythonDialect, description: string): Language => ({
  id,
  title: dialect.name,
  description,
  comment: '#',
  file: `conv2d_check_${id}.py`,
  code: (subject, pass) => dialect.code(subject, [pass]),
  check: (subject) => pythonCheck(dialect, subject),
});

/** All languages. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  {
    id: 'cpp',
    title: 'C++',
    description: 'Plain loops, in the order of the player. A test compiles and runs them.',
    comment: '//',
    file: 'conv2d_check.cpp',
    code: (subject, pass, ways) => [...cppSizes(subject.geometry), ...linesOf(''), ...cppCode(subject, [pass], ways)],
    check: cppCheck,
  },
  python('numpy', NUMPY, 'Matrix products with im2col. A test runs it.'),
  python('pytorch', PYTORCH, 'The convolution of the framework; autograd computes the gradients. A test runs it.'),
  python('tensorflow', TENSORFLOW, `Runs on a CPU, too. ${UNTRIED('TensorFlow')}`),
  python('jax', JAX, `vjp computes the gradients from dy. ${UNTRIED('JAX')}`),
];
