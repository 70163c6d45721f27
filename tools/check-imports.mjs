// Checks the imports between rooms: prints each forbidden import with file and line, and each import cycle. Also those of npm
// packages that a command needs before its set-up: they are missing in a fresh clone.
// `--self-test` runs it on examples.

import { barePrograms, commandFiles, importsBeforeSetUp } from './imports/before-set-up.mjs';
import { checkFile, findCycles, repeatedNames } from './imports/check.mjs';
import {
  acceptedExamples,
  acyclicExamples,
  commandExamples,
  cyclicExamples,
  namedExamples,
  rejectedExamples,
} from './imports/examples.mjs';
import { runMain, say } from './setup/report.mjs';
import { listSources, readSource } from './setup/sources.mjs';

await runMain(async () => (process.argv.includes('--self-test') ? selfTest() : checkProject()));

async function checkProject() {
  const files = await listSources('cpp', 'web/package', 'web/src', 'tests/cpp');
  const texts = Object.fromEntries(files.map((path) => [path, readSource(path)]));
  const scripts = readSource('package.json');
  const early = importsBeforeSetUp(commandFiles(scripts), readSource);
  const broken = [...files.flatMap((path) => checkFile(path, texts[path])), ...early];
  const bare = barePrograms(scripts);
  if (bare.length > 0)
    say(`package.json: a command starts a file of tools, which sets up what it needs: ${bare.join(', ')}`);
  for (const { path, line, message } of broken) say(`${path}:${line}: ${message}`);
  const cycles = findCycles(Object.fromEntries(Object.entries(texts).filter(([path]) => /\.tsx?$/.test(path))));
  for (const cycle of cycles) say(`import cycle: ${cycle.join(' -> ')}`);
  const repeated = repeatedNames(files);
  for (const path of repeated) say(`${path}: another file of cpp/src has its name`);
  say(`${files.length} files, ${broken.length} forbidden imports, ${cycles.length} cycles`);
  return broken.length + cycles.length + bare.length + repeated.length === 0 ? 0 : 1;
}

function selfTest() {
  const missed = rejectedExamples.filter(([path, text]) => checkFile(path, text).length !== 1);
  const refused = acceptedExamples.filter(([path, text]) => checkFile(path, text).length !== 0);
  for (const [path, text] of missed) say(`not rejected: ${path}: ${text}`);
  for (const [path, text] of refused) say(`wrongly rejected: ${path}: ${text}`);
  const miscounted = [
    ...cyclicExamples.filter((files) => findCycles(files).length !== 1),
    ...acyclicExamples.filter((files) => findCycles(files).length !== 0),
  ];
  for (const files of miscounted) say(`wrong number of cycles: ${Object.keys(files).join(', ')}`);
  const early = commandExamples.filter(({ files, found }) => {
    const read = (path) => files[path] ?? '';
    const lines = importsBeforeSetUp(commandFiles(files['package.json']), read).map(
      ({ path, line }) => `${path}:${line}`,
    );
    return [...lines, ...barePrograms(files['package.json'])].join() !== found;
  });
  for (const { found, files } of early) say(`judged wrongly: ${Object.keys(files).join(', ')}, expected "${found}"`);
  const misnamed = repeatedNames(namedExamples.paths).join() === namedExamples.repeated ? [] : namedExamples.paths;
  for (const path of misnamed) say(`judged wrongly by its name: ${path}`);
  const wrong = missed.length + refused.length + miscounted.length + early.length + misnamed.length;
  const ofFiles = cyclicExamples.length + acyclicExamples.length + commandExamples.length + namedExamples.paths.length;
  const examples = rejectedExamples.length + acceptedExamples.length + ofFiles;
  say(`${examples} examples, ${wrong} wrong results`);
  return wrong === 0 ? 0 : 1;
}
