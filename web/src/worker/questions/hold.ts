import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkFloats, checkLength, checkMember } from '../../engine/validate';
import { shapeSize } from '../../protocol/shapes';
import { textOf } from '../../wasm/text';
import type { Answerer } from '../answerer';
import { OUTPUTS, outputShape } from '../compute';
import { writeMagnitudes } from '../magnitudes';
import { fetchMistakes, type Mistakes, mistakes } from '../mistakes';
import { Progress } from '../progress';

/** Without `hide`: what is off, and by how much, tells a hidden number. */
export const answerer: Answerer<'hold'> = {
  fields: ['pass', 'brought'],
  prepare: fetchMistakes,
  answer(asked, { pass, brought }, onProgress) {
    const known = mistakes();
    const { module, session } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const shape = outputShape(asked.problem, pass);
    checkLength(checkFloats(brought, 'brought').length, shapeSize(shape), 'brought');
    const right = asked.heap.copy(OUTPUTS[pass]);
    if (right.length !== shapeSize(shape)) {
      throw new ConvFailure('unsupported', 'pass', `${OUTPUTS[pass]} has not been computed here`);
    }
    new Progress(1, onProgress).part(pass, (step) => writeMagnitudes(asked, known, pass, step));
    known.write('brought', brought);
    known.write('right', right);
    try {
      const { status, worst, factor, within } = module.hold(session);
      must(module, status);
      const agrees = within.at(-1) === brought.length;
      return {
        difference: known.read('difference', shape),
        brought_stats: known.stats('brought'),
        worst: worst < 0 ? null : worst,
        agreements: module.exactnesses().map((how, at) => ({ how: textOf(how), cells: within[at] ?? 0 })),
        factor: factor === 0 ? null : factor,
        mistakes: agrees ? null : explained(known.take(asked), member),
      };
    } finally {
      for (const name of ['brought', 'right', 'magnitudes', 'difference'] as const) known.release(name);
    }
  },
};

type PassMember = Parameters<Mistakes['module']['explain']>[1];

/** Null: too many products to look for a wrong model. */
function explained(known: Mistakes, pass: PassMember) {
  const { module, session } = known;
  const { status, mistakes: places } = module.explain(session, pass);
  if (status.code === module.ErrorCode.unsupported) return null;
  must(module, status);
  return known.at(places);
}
