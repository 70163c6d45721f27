import type { Pass } from '../protocol/problem';
import type { CheckSubject } from './check';
import { cppCheck, cppCode, cppSizes } from './cpp';
import { libraryCppCheck, libraryCppCode, libraryJsCheck, libraryJsCode } from './library';
import { libraryNetworkCheck, libraryNetworkCode } from './library-network';
import type { NetworkCheckSubject } from './network';
import { NUMPY } from './numpy';
import { type PythonDialect, pythonCheck } from './python';
import { pythonNetworkCheck, pythonNetworkCode } from './python-network';
import { PYTORCH } from './pytorch';
import { type CodeLine, type LayerSubject, type LoopOrders, linesOf, type Subject } from './snippet';
import { TENSORFLOW } from './tensorflow';

export type LanguageId = 'cpp' | 'numpy' | 'pytorch' | 'tensorflow' | 'library' | 'javascript';

export interface Language {
  readonly id: LanguageId;
  readonly title: string;
  /** What the code is, and how it is tested. */
  readonly description: string;
  readonly comment: '//' | '#';
  /** File name of a check. */
  readonly file: string;
  readonly code: (subject: Subject, pass: Pass, ways: LoopOrders) => readonly CodeLine[];
  readonly check: (subject: CheckSubject, ways: LoopOrders) => string;
  /** All layers of a network; missing: one layer at a time. */
  readonly network?: {
    readonly code: (layers: readonly LayerSubject[]) => readonly CodeLine[];
    readonly check: (subject: NetworkCheckSubject) => string;
  };
}

const python = (id: LanguageId, dialect: PythonDialect, description: string): Language => ({
  id,
  title: dialect.name,
  description,
  comment: '#',
  file: `conv2d_check_${id}.py`,
  code: (subject, pass) => dialect.code(subject, [pass]),
  check: (subject) => pythonCheck(dialect, subject),
  network: {
    code: (layers) => pythonNetworkCode(dialect, layers),
    check: (subject) => pythonNetworkCheck(dialect, subject),
  },
});

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
  python(
    'tensorflow',
    TENSORFLOW,
    'Gradients of groups or a dilation need a GPU; the check runs on a CPU, too. Written from the documentation. Tested with stand-ins, not with TensorFlow itself.',
  ),
  {
    id: 'library',
    title: 'C++ library',
    description: 'The library behind this page, from C++20. A test compiles and runs it.',
    comment: '//',
    file: 'conv2d_check_library.cpp',
    code: libraryCppCode,
    check: libraryCppCheck,
    network: { code: libraryNetworkCode, check: libraryNetworkCheck },
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    description: 'The package of this library for JavaScript. A test runs it.',
    comment: '//',
    file: 'conv2d_check.mjs',
    code: libraryJsCode,
    check: libraryJsCheck,
  },
];
