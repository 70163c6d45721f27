import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import { type Geometry, PASS_OF, type ResultName } from '../../protocol/problem';
import type { ResultComparison } from '../../protocol/questions';
import { type CheckInput, checkSubject } from '../../snippets/check';
import { NUMPY } from '../../snippets/numpy';
import { pythonProgram } from '../../snippets/python';
import { sizesOf } from '../../snippets/snippet';
import { formatExact } from '../../ui/numbers';
import { agreementOf, tolerancesOf } from './agreements';

/** A report of a comparison, as Markdown for an issue tracker. */

interface Reported extends Pick<CheckInput, 'geometry' | 'tensors' | 'hides'> {
  readonly result: ResultName;
  /** The imported result, in the order of `geometry`. */
  readonly values: Float32Array;
  readonly comparison: ResultComparison;
  /** "✗ 12 of 64 values of y differ." */
  readonly verdict: string;
}

/** Characters. Issue trackers take about 65,000. */
const MOST_SCRIPT = 50_000;

export function reportText(reported: Reported): string {
  const { geometry: g, tensors, result, comparison, verdict } = reported;
  const shapes = (['x', 'w', 'b', result] as const).flatMap((name) =>
    tensors[name] ? [`${name} ${shapeText(sizesOf(g, name))}`] : [],
  );
  const script = scriptOf(reported);
  return `\
### ${verdict}

- Shapes: ${shapes.join(', ')}${tensors.b ? '' : '; no bias'}
- ${layerText(g)}
- ${worstText(reported)}
- ${tolerancesOf(comparison)
    .map(({ how, cells }) => `${cells} of ${comparison.difference.data.length} match ${how}`)
    .join('; ')}

${diagnosisText(result, comparison)}

${'code' in script ? `This script needs NumPy only and shows the difference:\n\n\`\`\`python\n${script.code}\`\`\`` : `No script: ${script.why}`}

Compared with the conv2d playground, which computes in float32.
`;
}

function layerText({ padding: { top, bottom, left, right }, ...g }: Geometry): string {
  const layout = g.layout === 'nhwc' ? 'NHWC, weights HWIO' : 'NCHW, weights OIHW';
  return [
    `Layout: ${layout}`,
    `stride ${g.stride_h} × ${g.stride_w}`,
    `padding top ${top}, bottom ${bottom}, left ${left}, right ${right}`,
    `dilation ${g.dilation_h} × ${g.dilation_w}`,
    `groups ${g.groups}`,
  ].join('; ');
}

function worstText({ geometry, tensors, result, values, comparison: { worst, difference } }: Reported): string {
  if (worst === null) return 'No difference';
  const [mine = 0, ours = 0, off = 0] = [values[worst], tensors[result]?.data[worst], difference.data[worst]];
  const name = cellName(geometry, { tensor: result, index: worst });
  return `Largest difference: ${formatExact(off)} at ${name}: mine ${formatExact(mine)}, expected ${formatExact(ours)}`;
}

function diagnosisText(result: ResultName, comparison: ResultComparison): string {
  const { mistakes, factor, worst } = comparison;
  const agreement = agreementOf(comparison);
  if (worst === null) return 'All values match.';
  if (agreement) return `All values match ${agreement.how}: a lower precision, not a mistake.`;
  if (mistakes && mistakes.length > 0) {
    const all = mistakes.map(({ title, sentence }) => `- **${title}.** ${sentence}`);
    return [`Common mistakes that give exactly these values of ${result}:`, '', ...all].join('\n');
  }
  if (factor !== null)
    return `My values are ${formatExact(Math.fround(factor))} times the expected ones, up to rounding.`;
  return mistakes ? 'No common mistake gives these values.' : 'Common mistakes were not tried.';
}

/** A program for NumPy, or why there is none. */
function scriptOf({ geometry, tensors, hides, result, values }: Reported) {
  const pass = PASS_OF[result];
  const subject = checkSubject({ geometry, tensors, hides, computed: { [pass]: { algorithm: '', bound: 0 } } });
  if (typeof subject === 'string') return { why: subject };
  const mine = { name: 'mine', sizes: sizesOf(geometry, result), data: values };
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
