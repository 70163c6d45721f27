import { PASSES } from '../../protocol/problem';
import { RESULT_OF } from '../../protocol/tensors';
import { type Answerer, Progress } from '../answerer';
import { mistakes, prepareMistakes, writeMagnitudes } from '../mistakes';

export const answerer: Answerer<'rounding'> = {
  fields: [],
  prepare: prepareMistakes,
  answer(context, _, onProgress) {
    const known = mistakes();
    const { module, session } = known;
    const progress = new Progress(PASSES.length, onProgress);
    const rounding = { y: 0, dx: 0, dw: 0, db: 0 };
    for (const pass of PASSES) {
      progress.part(pass, (step) => writeMagnitudes(context, known, pass, step));
      rounding[RESULT_OF[pass]] = module.rounding(session);
    }
    known.release('magnitudes');
    return rounding;
  },
};
