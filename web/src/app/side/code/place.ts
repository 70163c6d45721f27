import { stepCount } from '../../../geometry/steps';
import type { ModeId, ViewState } from '../../../look/look';
import type { Pass, ProcessName } from '../../../protocol/problem';
import { indicesOfCell, indicesOfStep, passOfCell, passOfProcess, wayToCell } from '../../../snippets/frame';
import { type Known, PLAIN_WAYS, type Ways } from '../../../snippets/snippet';
import { type Answers, framesIn } from '../../../views/kit/answers';
import type { Picture } from '../../../views/kit/picture';

/** Where the stage stands in the loops: at a cell that one points at, else at the frame of its player. */
export interface Place {
  /** What is spoken of there. */
  readonly pass: Pass;
  readonly ways: Ways;
  readonly known: Known;
}

/** What is on the stage. */
export interface Staging {
  readonly mode: ModeId;
  readonly picture: Picture;
  readonly state: ViewState;
  readonly answers: Answers;
}

interface Frame {
  readonly process: ProcessName;
  readonly steps: number;
}

const PASS_OF: Readonly<Partial<Record<ModeId, Pass>>> = { dx: 'backward_data', dw: 'backward_weights' };

/** `chosen`: the pass that somebody wants to see, whatever the stage speaks of. */
export function placeOn({ mode, picture, state, answers }: Staging, chosen: Pass | null): Place {
  const { geometry: g } = picture.content.value;
  const spoken = picture.spoken.value;
  const kept = spoken?.pinned ? spoken.cell : null;
  const frame = mode === 'board' ? windowIn(state) : frameIn(answers);
  const framed = frame && passOfProcess(frame.process);
  const told = (kept && passOfCell(kept)) ?? framed ?? PASS_OF[mode] ?? 'forward';
  const pass = chosen ?? told;
  const process = kept ? wayToCell(pass, kept) : framed === pass ? frame?.process : undefined;
  const ways = process ? { ...PLAIN_WAYS, [pass]: process } : PLAIN_WAYS;
  if (spoken) return { pass: told, ways, known: indicesOfCell(g, spoken.cell) };
  const at = frame && framed === pass ? Math.min(frame.steps, stepCount(g, frame.process)) : 0;
  const known = frame ? indicesOfStep(g, frame.process, at, picture.focus.value) : {};
  return { pass: told, ways, known };
}

/** What the player of a mode was stopped at. */
function frameIn(answers: Answers): Frame | null {
  const [partial] = framesIn(answers);
  if (partial) return partial;
  const rows = answers.of('fold').flatMap(({ question: { positions } }) => (positions === 'all' ? [] : [positions]));
  return rows.length > 0 ? { process: 'dx_col2im', steps: Math.max(...rows) } : null;
}

/** The board's player asks the library nothing: its windows are a setting. */
const windowIn = ({ t }: ViewState): Frame | null =>
  typeof t === 'number' && t > 0 ? { process: 'forward', steps: Math.round(t) } : null;
