import { PASSES, type Pass } from '../../../protocol/problem';
import { RESULT_OF } from '../../../protocol/tensors';
import { LANGUAGES, type LanguageId } from '../../../snippets/languages';

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
