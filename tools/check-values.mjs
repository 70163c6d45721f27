// Views draw what the library computed and compute nothing themselves: prints each place where a view, or the geometry,
// does arithmetic on tensor values, with its file and line. First it shows the check made-up views, good and bad.

import { join, relative } from 'node:path';
import ts from 'typescript5';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { checkValues } from './values/check.mjs';
import { brokenExamples, soundExamples } from './values/examples.mjs';

const CHECKED = ['web/src/views/', 'web/src/geometry/'];
const exampleFile = (kind, i) => join(projectRoot, `web/src/views/${kind}-example-${i}.ts`);

function viewWith(body) {
  return `
    import type { CompareRow } from '../protocol/questions';
    import type { Geometry, Tensor } from '../protocol/problem';
    export function view(tensor: Tensor, other: Tensor, row: CompareRow, g: Geometry) { ${body} }
  `;
}

await runMain(() => {
  const examples = new Map([
    ...brokenExamples.map((body, i) => [exampleFile('broken', i), viewWith(body)]),
    ...soundExamples.map((body, i) => [exampleFile('sound', i), viewWith(body)]),
  ]);
  const program = programOf(examples);
  const checker = program.getTypeChecker();
  const placesIn = (file) => checkValues(checker, program.getSourceFile(file), relative(projectRoot, file));

  const missed = brokenExamples.filter((_, i) => placesIn(exampleFile('broken', i)).length !== 1);
  const refused = soundExamples.filter((_, i) => placesIn(exampleFile('sound', i)).length !== 0);
  for (const body of missed) say(`not seen as arithmetic: ${body}`);
  for (const body of refused) say(`seen as arithmetic: ${body}`);

  const files = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((file) => CHECKED.some((folder) => relative(projectRoot, file).startsWith(folder)) && !examples.has(file));
  const places = files.flatMap(placesIn);
  for (const { path, line, message } of places) say(`${path}:${line}: ${message}`);
  const count = brokenExamples.length + soundExamples.length;
  say(
    `${count} examples, ${missed.length + refused.length} wrong verdicts; ${files.length} files, ${places.length} places`,
  );
  return missed.length + refused.length + places.length === 0 ? 0 : 1;
});

/** The page's sources, and files that exist only here. */
function programOf(examples) {
  const config = ts.readConfigFile(join(projectRoot, 'web/tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(projectRoot, 'web'));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => examples.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    examples.has(file)
      ? ts.createSourceFile(file, examples.get(file), { languageVersion: options.target }, true)
      : getSourceFile.call(host, file, ...rest);
  return ts.createProgram([...fileNames, ...examples.keys()], options, host);
}
