// Refuses words that the project does not use (tools/words/patterns.mjs) in visible texts, comments, test names, documents and
// identifiers. `--list` prints the texts of the page instead, a line of JSON each, to be counted or read.

import { runMain, say } from './setup/report.mjs';
import { listSources, readSource } from './setup/sources.mjs';
import { BROKEN, SOUND } from './words/examples.mjs';
import { NAMES, PROSE } from './words/patterns.mjs';
import { proseOf } from './words/prose.mjs';

const KINDS = [
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.cpp',
  '*.hpp',
  '*.c',
  '*.h',
  '*.py',
  '*.css',
  '*.md',
  '*.html',
  '*.yaml',
  'CMakeLists.txt',
  '*/CMakeLists.txt',
];
/** They name the refused words. */
const EXEMPT = [/^tools\/words\/(patterns|examples)\.mjs$/];

await runMain(async () => {
  const missed = selfTest();
  const files = (await listSources(...KINDS)).filter((path) => !EXEMPT.some((pattern) => pattern.test(path)));
  if (process.argv.includes('--list')) return list(files.filter((path) => /^(web\/src|cpp\/src)/.test(path)));
  const refused = files.flatMap((path) => wordsIn(path, readSource(path)));
  for (const { path, line, found, instead } of refused) say(`${path}:${line}: "${found}"; write ${instead}`);
  say(`${files.length} files, ${refused.length} refused words`);
  return missed + refused.length === 0 ? 0 : 1;
});

/** { path, line, found, instead } for each refused word of a source. */
function wordsIn(path, text) {
  const lines = text.split('\n');
  const isExcused = (line) => [line - 1, line - 2].some((i) => /words-ok: [a-z]+ [a-z]+/i.test(lines[i] ?? ''));
  const isCode = !/\.(md|html)$/.test(path);
  const found = [
    ...proseOf(path, text).flatMap(({ line, text: words }) => matches(PROSE, words, line)),
    ...(isCode ? lines.flatMap((words, i) => matches(NAMES, words, i + 1)) : []),
  ];
  return found.filter(({ line }) => !isExcused(line)).map((each) => ({ path, ...each }));
}

function matches(patterns, words, first) {
  return patterns.flatMap(([pattern, instead]) => {
    const match = pattern.exec(words);
    if (!match) return [];
    const line = first + words.slice(0, match.index).split('\n').length - 1;
    return [{ line, found: match[0], instead }];
  });
}

function list(files) {
  for (const path of files) {
    for (const { line, text, kind } of proseOf(path, readSource(path))) {
      if (kind === 'visible') say(JSON.stringify({ path, line, text: text.replace(/\s+/g, ' ').trim() }));
    }
  }
  return 0;
}

/** How many of the made-up sources are judged wrongly. */
function selfTest() {
  const wrong = [
    ...BROKEN.filter(([path, text]) => wordsIn(path, text).length !== 1),
    ...SOUND.filter(([path, text]) => wordsIn(path, text).length !== 0),
  ];
  for (const [path, text] of wrong) say(`judged wrongly: ${path}: ${text}`);
  return wrong.length;
}
