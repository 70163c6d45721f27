import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import { PASSES, type Pass } from '../../protocol/problem';
import { RESULT_OF } from '../../protocol/tensors';
import { LANGUAGES, type LanguageId } from '../../snippets/languages';
import { indicesOfCell, indicesOfStep, loopOrderOfCell, passOfCell, passOfProcess } from '../../snippets/loop-indices';
import { DEFAULT_LOOP_ORDERS, type KnownIndices, type LoopOrders } from '../../snippets/snippet';
import { type Answers, framesIn } from '../../views/kit/answers';
import type { PlayerStep, View } from '../../views/kit/view';
import type { ViewModel } from '../../views/kit/view-model';

/** The selected language and pass. */
export interface CodeChoice {
  readonly language: LanguageId;
  /** Valid while the view is at the pass `viewPass`; null: follow the view. */
  readonly result: { readonly pass: Pass; readonly viewPass: Pass } | null;
}

/** Parses "numpy.dw.y". Missing and unknown parts get their defaults. */
export function parseCodeChoice(text: string | null): CodeChoice {
  const [name, ...results] = text?.split('.') ?? [];
  const { id: language } = LANGUAGES.find(({ id }) => id === name) ?? LANGUAGES[0];
  const [pass, viewPass] = results.map((result) => PASSES.find((candidate) => RESULT_OF[candidate] === result));
  return { language, result: pass && viewPass ? { pass, viewPass } : null };
}

export function codeChoiceText({ language, result }: CodeChoice): string | null {
  if (result) return `${language}.${RESULT_OF[result.pass]}.${RESULT_OF[result.viewPass]}`;
  return language === LANGUAGES[0].id ? null : language;
}

/** The current iteration of the loops: that of the current cell, else that of the player. */
export interface CodePosition {
  /** The pass of that iteration. */
  readonly pass: Pass;
  readonly ways: LoopOrders;
  readonly known: KnownIndices;
}

/** The state of the view. */
export interface ViewSnapshot {
  readonly view: View;
  readonly model: ViewModel;
  readonly state: ViewState;
  readonly answers: Answers;
}

/** `chosen`: a pass to show instead of that of the view. */
export function codePositionOf({ view, model, state, answers }: ViewSnapshot, chosen: Pass | null): CodePosition {
  const { geometry: g } = model.content.value;
  const spoken = model.userHighlights.value;
  const pinned = spoken?.pinned ? spoken.cell : null;
  const frame = view.stepOf?.(state) ?? playerStepIn(answers);
  const framePass = frame && passOfProcess(frame.process);
  const viewPass = (pinned && passOfCell(pinned)) ?? framePass ?? view.pass ?? 'forward';
  const pass = chosen ?? viewPass;
  const process = pinned ? loopOrderOfCell(pass, pinned) : framePass === pass ? frame?.process : undefined;
  const ways = process ? { ...DEFAULT_LOOP_ORDERS, [pass]: process } : DEFAULT_LOOP_ORDERS;
  if (spoken) return { pass: viewPass, ways, known: indicesOfCell(g, spoken.cell) };
  const at = frame && framePass === pass ? Math.min(frame.steps, stepCount(g, frame.process)) : 0;
  const known = frame ? indicesOfStep(g, frame.process, at, model.focus.value) : {};
  return { pass: viewPass, ways, known };
}

/** The step of the player of a view. */
function playerStepIn(answers: Answers): PlayerStep | null {
  const [partial] = framesIn(answers);
  if (partial) return partial;
  const rows = answers.of('fold').flatMap(({ question: { positions } }) => (positions === 'all' ? [] : [positions]));
  return rows.length > 0 ? { process: 'dx_col2im', steps: Math.max(...rows) } : null;
}
