import { PASSES, type Pass } from '../../../protocol/problem';
import { RESULT_OF } from '../../../snippets/check';
import { LANGUAGES, type LanguageId } from '../../../snippets/languages';

/** What somebody wants to see as code. */
export interface Choice {
  readonly language: LanguageId;
  /** Holds for as long as the stage speaks of what it spoke of then; null: what the stage speaks of. */
  readonly result: { readonly pass: Pass; readonly beside: Pass } | null;
}

/** "numpy.dw.y". What it does not say, or what another version of the page says, is as in the beginning. */
export function choiceIn(text: string | null): Choice {
  const [name, ...results] = text?.split('.') ?? [];
  const { id: language } = LANGUAGES.find(({ id }) => id === name) ?? LANGUAGES[0];
  const [pass, beside] = results.map((result) => PASSES.find((candidate) => RESULT_OF[candidate] === result));
  return { language, result: pass && beside ? { pass, beside } : null };
}

export function choiceText({ language, result }: Choice): string | null {
  if (result) return `${language}.${RESULT_OF[result.pass]}.${RESULT_OF[result.beside]}`;
  return language === LANGUAGES[0].id ? null : language;
}
