// The page draws values that the library computed. Prints each arithmetic operation on tensor values in views, geometry
// and app with file and line. First runs the check on good and bad examples. Also fails if the check names a type that
// the protocol no longer has: its numbers would not be checked.

import { join, relative } from 'node:path';
import ts from 'typescript5';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { checkValues, missingTypes } from './values/check.mjs';
import { acceptedExamples, rejectedExamples } from './values/examples.mjs';

const CHECKED = ['web/src/views/', 'web/src/geometry/', 'web/src/app/'];
const exampleFile = (kind, i) => join(projectRoot, `web/src/views/${kind}-example-${i}.ts`);

function viewWith(body) {
  return `
    import type { CompareRow, Products } from '../protocol/questions';
    import type { Geometry, Tensor } from '../protocol/problem';
    export function view(tensor: Tensor, other: Tensor, row: CompareRow, sum: Products, g: Geometry) { ${body} }
  `;
}

await runMain(() => {
  const examples = new Map([
    ...rejectedExamples.map((body, i) => [exampleFile('broken', i), viewWith(body)]),
    ...acceptedExamples.map((body, i) => [exampleFile('sound', i), viewWith(body)]),
  ]);
  const program = programOf(examples);
  const checker = program.getTypeChecker();
  const findingsIn = (file) => checkValues(checker, program.getSourceFile(file), relative(projectRoot, file));

  const missed = rejectedExamples.filter((_, i) => findingsIn(exampleFile('broken', i)).length !== 1);
  const refused = acceptedExamples.filter((_, i) => findingsIn(exampleFile('sound', i)).length !== 0);
  const protocol = join(projectRoot, 'web/src/protocol/');
  const unknown = missingTypes(program, protocol);
  const seesMissing = missingTypes(program, protocol, ['Products', 'NoSuchType']).join() === 'NoSuchType';
  for (const name of unknown) say(`the protocol has no type ${name}: update tools/values/check.mjs`);
  if (!seesMissing) say('a type that does not exist was not reported');
  for (const body of missed) say(`not reported: ${body}`);
  for (const body of refused) say(`wrongly reported: ${body}`);

  const files = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((file) => CHECKED.some((folder) => relative(projectRoot, file).startsWith(folder)) && !examples.has(file));
  const findings = files.flatMap(findingsIn);
  for (const { path, line, message } of findings) say(`${path}:${line}: ${message}`);
  const count = rejectedExamples.length + acceptedExamples.length;
  say(
    `${count} examples, ${missed.length + refused.length} wrong results; ${files.length} files, ${findings.length} findings`,
  );
  const failures = missed.length + refused.length + findings.length + unknown.length;
  return failures === 0 && seesMissing ? 0 : 1;
});

/** A program of the sources of the page and the examples, which exist in memory only. */
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
