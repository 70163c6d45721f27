// Refuses literal colors, text sizes, corners and shadows in style sheets, spacing that is no multiple of 4 px, and literal colors
// in the scripts of the page (tools/styles/check.mjs). Excepted: the files that define the tokens, and a line with a comment
// `css-ok:` and a reason of two words or more. Refuses a block that repeats a shared class, too (tools/styles/repeated.mjs). First
// runs the checks on good and bad examples.

import { runMain, say } from './setup/report.mjs';
import { listSources, readSource } from './setup/sources.mjs';
import { stylesIn } from './styles/check.mjs';
import { BROKEN, REPEATED, SHARED, SOUND, UNREPEATED } from './styles/examples.mjs';
import { repeatedIn, sharedClasses } from './styles/repeated.mjs';

const SHARED_SHEETS = ['web/src/styles/shared.css', 'web/src/ui/elements.css'];
const EXEMPT = new Set(['web/src/styles/tokens.css', 'web/src/ui/color-scale.ts']);

await runMain(async () => {
  const foundIn = (path, text) =>
    stylesIn(path, text)
      .map(({ found }) => found)
      .join();
  const wrong = [...BROKEN, ...SOUND].filter(([path, text, found = '']) => foundIn(path, text) !== found);
  const repeatedBy = (text) => repeatedIn('a.css', text, sharedClasses(SHARED)).map(({ instead }) => instead);
  wrong.push(
    ...REPEATED.filter(([, text, instead]) => repeatedBy(text).join() !== `class "${instead}"`),
    ...UNREPEATED.filter(([, text]) => repeatedBy(text).length > 0),
  );
  for (const [path, text] of wrong) say(`judged wrongly: ${path}: ${text}`);
  const files = (await listSources('web/src/*.css', 'web/src/*.ts', 'web/src/*.tsx')).filter(
    (path) => !EXEMPT.has(path),
  );
  const shared = sharedClasses(SHARED_SHEETS.map(readSource).join('\n'));
  const refused = files.flatMap((path) => stylesIn(path, readSource(path)));
  for (const path of files.filter((each) => each.endsWith('.css') && !SHARED_SHEETS.includes(each)))
    refused.push(...repeatedIn(path, readSource(path), shared));
  for (const { path, line, found, instead } of refused) say(`${path}:${line}: "${found}"; write ${instead}`);
  const examples = [BROKEN, SOUND, REPEATED, UNREPEATED].flat().length;
  say(`${examples} examples, ${wrong.length} wrong results; ${files.length} files, ${refused.length} refused`);
  return wrong.length + refused.length === 0 ? 0 : 1;
});
