import { flat, type Texts } from '../layers/code';
import { largestText } from './check';
import { lossText } from './loss';
import { LAYER_BY_LAYER, type NetworkCheckSubject, type NetworkStep, networkSteps, sumsOf } from './network';
import { checkFunction, isImport, literalOf, lossChecks, type PythonDialect, sumOfDy } from './python';
import { type CodeLine, fill, indented, type LayerSubject, linesOf, textsOf } from './snippet';

/** All layers of a network in Python: a function for each layer, then forward and backward through them. */

/** Without imports and without empty lines at both ends. */
const bodyOf = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => !isImport(line))
    .join('\n')
    .trim()
    .split('\n');

/** Tuple of one or more. */
const tuple = (names: readonly string[]): string => (names.length === 1 ? `(${names[0]},)` : names.join(', '));

function functionOf(dialect: PythonDialect, { layer, names, inputs }: NetworkStep, code: PythonDialect['code']): Texts {
  const { id, backward } = dialect.network;
  const forward = layer.plain ? flat(layer.plain.code[id](layer)) : textsOf(code(layer, ['forward']));
  const parameters = ['x', 'w', 'b'].slice(0, inputs.length);
  const back = backward?.(layer).filter((line) => line === '' || !forward.includes(line));
  return [
    ['', '', `def ${names.fn}(${parameters.join(', ')}):  # ${layer.title}`],
    indented(bodyOf(forward), '    '),
    back
      ? [
          ['', '    def back(dy):'],
          indented(bodyOf(back), '        '),
          `        return ${tuple(parameters.map((name) => `d${name}`))}`,
          ['', '    return y, back'],
        ]
      : '    return y',
  ];
}

/** The functions, and the imports of their lines. */
function functionsOf(dialect: PythonDialect, steps: readonly NetworkStep[], code: PythonDialect['code']) {
  const conv = steps.find(({ layer }) => !layer.plain)?.layer;
  const lines = conv ? textsOf(code(conv, ['forward'])) : [];
  return {
    imports: lines.filter(isImport),
    body: flat(steps.map((step) => functionOf(dialect, step, code))),
  };
}

const isUnbiased = ({ layer }: NetworkStep) => layer.hasWeights && !layer.bias;

const callOf = ({ names, inputs }: NetworkStep): string => `${names.fn}(${inputs.join(', ')})`;

export function pythonNetworkCode(dialect: PythonDialect, layers: readonly LayerSubject[]): readonly CodeLine[] {
  const steps = networkSteps(layers);
  const { imports, body } = functionsOf(dialect, steps, dialect.code);
  const sums = steps.filter(isUnbiased).map(({ layer, names }) => sumOfDy(layer.geometry, dialect.sum, names));
  const { passes } = dialect.network;
  const called = passes ? fill(passes, valuesOf(dialect, steps)) : chained(dialect, steps);
  return linesOf([...imports, ...body, '', '', called, ...sums]);
}

/** The passes with a function that returns y and the function of its gradients. */
const chained = (dialect: PythonDialect, steps: readonly NetworkStep[]): readonly string[] => [
  ...steps.map((step) => `${step.names.y}, back${step.names.fn.slice(5)} = ${callOf(step)}`),
  '',
  ...lossOfAll(dialect, steps).flatMap((loss) => [loss, '']),
  ...steps.toReversed().map(({ names, gradients }) => `${tuple(gradients)} = back${names.fn.slice(5)}(${names.dy})`),
];

/** The loss of the last layer. */
const lossOfAll = ({ network: { id } }: PythonDialect, steps: readonly NetworkStep[]): readonly string[] =>
  steps.flatMap(({ layer, names }) => (layer.loss ? [lossText(id, layer.loss, layer.geometry, names)] : []));

/**
 * y of all layers, and a gradient for all tensors before the last y: of the loss, also for that y, or of y with the dy that is given.
 * `leaves`: not computed by other layers.
 */
const valuesOf = (dialect: PythonDialect, steps: readonly NetworkStep[]) => {
  const inputs = [...new Set(steps.flatMap((step) => step.inputs))];
  const loss = lossOfAll(dialect, steps);
  const last = steps.at(-1)?.names;
  const sources = loss.length > 0 && last ? [...inputs, last.y] : inputs;
  return {
    forward: [...steps.map((step) => `${step.names.y} = ${callOf(step)}`), ...loss].join('\n'),
    leaves: inputs.filter((name) => !name.startsWith('y')).join(', '),
    from: loss.length > 0 ? 'loss' : (last?.y ?? ''),
    sources: sources.join(', '),
    gradients: sources.map((name) => `d${name}`).join(', '),
    given: loss.length > 0 ? '' : fill(dialect.network.given ?? '', { dy: last?.dy ?? '' }),
  };
};

/** A script that runs each layer with the values of the page and asserts that the page's results match. */
export function pythonNetworkCheck(dialect: PythonDialect, { steps, given, ofLoss }: NetworkCheckSubject): string {
  const { imports, body } = functionsOf(dialect, steps, dialect.checkedCode ?? dialect.code);
  const { texts, isLong } = literalOf(dialect, [...given, ...(ofLoss?.given ?? [])]);
  const largest = (tensor: string) => fill(dialect.largestGiven, { tensor });
  const checks = steps.flatMap((step) => {
    const { layer, names, inputs, gradients } = step;
    const here = (name: string) => `here_${name}`;
    const made = [names.y, ...gradients].map(here).join(', ');
    return [
      '',
      `# ${names.fn}: ${layer.title}`,
      `${made} = run(${[names.fn, names.dy, ...inputs].join(', ')})`,
      ...(isUnbiased(step)
        ? [sumOfDy(layer.geometry, dialect.sum, { dy: `double(${names.dy})`, db: here(names.db) })]
        : []),
      ...sumsOf(step).map((sum) => {
        const name = names[sum.name];
        return `check("${name}", ${name}, ${here(name)}, bound=${sum.bound}, largest=${largestText(sum, largest)})`;
      }),
    ];
  });
  const last = steps.at(-1);
  const end = ofLoss && last ? lossChecks(dialect, ofLoss, last.layer.geometry, last.names) : [];
  const all = flat([isLong && 'import base64', ...(dialect.imports ?? []), ...imports]);
  return `\
# Compares the results of the conv2d playground with ${dialect.name}, layer by layer. Fails if they differ by more than rounding.
${[...new Set(all)].join('\n')}

# The exact float32 values of the page. y2 is the output of layer 2, and dy2 its gradient.
${texts.join('\n')}
${body.join('\n')}


def double(tensor):
    return ${dialect.double}


def run(layer, dy, *inputs):
    dy, *inputs = (double(tensor) for tensor in (dy, *inputs))
${dialect.network.run}


${checkFunction(dialect, LAYER_BY_LAYER)}

${[...checks, ...end].join('\n')}
`;
}
