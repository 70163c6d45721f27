import { type FileContents, shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import { type Geometry, PASS_OF, type ResultName } from '../../protocol/problem';
import type { ResultComparison } from '../../protocol/questions';
import type { FileVerdict, TensorVerdict } from '../../protocol/verdict';
import { type CheckInput, checkSubject } from '../../snippets/check';
import { NUMPY } from '../../snippets/numpy';
import { pythonProgram } from '../../snippets/python';
import { codeShape } from '../../snippets/snippet';
import { formatExact } from '../../ui/numbers';
import { sentence } from '../../ui/quantities';
import { arrayText, dyText, layerName, layerText, markOf, operandsText, resultsOf, worstText } from './verdict-text';

/** Reports as Markdown for an issue tracker: of all results of a file, and of one result with a script. */

/** `name`: of the file; '' for a pasted text. */
export function verdictReport(name: string, opened: FileContents, verdict: FileVerdict): string {
  const layers = verdict.layers.map((layer, index) => {
    const results = resultsOf(layer).flatMap(([result, tensor]) => {
      const worst = worstText(opened, layer, result, tensor);
      const from = operandsText(opened, layer, tensor);
      return [
        `- ${markOf(tensor.verdict)} **${result}** (${arrayText(opened, layer, result)}): ${tensor.sentence}`,
        ...(worst ? [`  - Largest difference: ${worst}`] : []),
        ...(from ? [`  - Computed from ${from}`] : []),
      ];
    });
    const facts = [layerText(layer), sentence(layer.evidence), dyText(layer)].filter(Boolean).join(' ');
    return [verdict.layers.length > 1 ? `#### ${layerName(layer, index)}\n` : '', `${facts}\n`, ...results]
      .filter(Boolean)
      .join('\n');
  });
  const unused = verdict.unused.filter(Boolean);
  return `\
### ${markOf(verdict.verdict)} ${name === '' ? '' : `${name}: `}${verdict.sentence}

${layers.join('\n\n')}
${unused.length > 0 ? `\nNot used: ${unused.join(', ')}.\n` : ''}
Checked by the conv2d playground.
`;
}

/** A result beside that of the page. */
interface Reported extends Pick<CheckInput, 'geometry' | 'tensors' | 'hides'> {
  readonly result: ResultName;
  /** The imported result, in the order of `geometry`. */
  readonly values: Float32Array;
  readonly comparison: ResultComparison;
  readonly verdict: TensorVerdict;
}

/** Characters. Issue trackers take about 65,000. */
const MOST_SCRIPT = 50_000;

export function reportText(reported: Reported): string {
  const { geometry: g, tensors, result, verdict } = reported;
  const shapes = (['x', 'w', 'b', result] as const).flatMap((name) =>
    tensors[name] ? [`${name} ${shapeText(codeShape(g, name))}`] : [],
  );
  const script = scriptOf(reported);
  return `\
### ${markOf(verdict.verdict)} ${result}: ${verdict.sentence}

- Shapes: ${shapes.join(', ')}${tensors.b ? '' : '; no bias'}
- ${geometryText(g)}
- ${differenceText(reported)}

${'code' in script ? `This script needs NumPy only and shows the difference:\n\n\`\`\`python\n${script.code}\`\`\`` : `No script: ${script.why}`}

Checked by the conv2d playground, which computes in float32.
`;
}

function geometryText({ padding: { top, bottom, left, right }, ...g }: Geometry): string {
  const layout = g.layout === 'nhwc' ? 'NHWC, weights HWIO' : 'NCHW, weights OIHW';
  return [
    `Layout: ${layout}`,
    `stride ${g.stride_h} × ${g.stride_w}`,
    `padding top ${top}, bottom ${bottom}, left ${left}, right ${right}`,
    `dilation ${g.dilation_h} × ${g.dilation_w}`,
    `groups ${g.groups}`,
  ].join('; ');
}

function differenceText({ geometry, tensors, result, values, comparison: { worst, difference } }: Reported): string {
  if (worst === null) return 'No difference';
  const [mine = 0, ours = 0, off = 0] = [values[worst], tensors[result]?.data[worst], difference.data[worst]];
  const name = cellName(geometry, { tensor: result, index: worst });
  return `Largest difference: ${formatExact(off)} at ${name}: mine ${formatExact(mine)}, expected ${formatExact(ours)}`;
}

/** A program for NumPy, or why there is none. */
function scriptOf({ geometry, tensors, hides, result, values }: Reported) {
  const pass = PASS_OF[result];
  const subject = checkSubject({ geometry, tensors, hides, computed: { [pass]: { algorithm: '', bound: 0 } } });
  if (typeof subject === 'string') return { why: subject };
  const mine = { name: 'mine', sizes: codeShape(geometry, result), data: values };
  const code = `\
${pythonProgram(NUMPY, subject, [pass], 'My result', [mine])}
difference = np.abs(mine - ${result})
at = np.unravel_index(np.argmax(difference), difference.shape)
name = "${result}" + str([int(index) for index in at])
print(f"largest difference {difference[at]:g} at {name}: mine {mine[at]:g}, expected {${result}[at]:g}")
`;
  if (code.length <= MOST_SCRIPT) return { code };
  return { why: `it would have ${code.length.toLocaleString('en')} characters. Compare a smaller problem.` };
}
