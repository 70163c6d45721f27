import { loadJudge } from '../../src/engine/judge';
import type { FileVerdict } from '../../src/protocol/verdict';
import { type FileSet, fileSets } from './file-sets';
import { type CommandOptions, HELP, readCommandLine } from './options';
import { type PageLink, pageLink } from './page-link';
import { type FileArrays, readArrays, type Unreadable } from './read-arrays';
import { consoleReport, isDetailed } from './report';

/** The command conv2d-check. */

interface Output {
  readonly out: (text: string) => void;
  /** Errors. */
  readonly err: (text: string) => void;
}

/** Exit status by verdict. */
const STATUS: Readonly<Record<FileVerdict['verdict'], number>> = { right: 0, wrong: 1, cannot_tell: 2 };

/** Runs the command; resolves with its exit status. */
export async function run(args: readonly string[], output: Output): Promise<number> {
  const options = readCommandLine(args);
  if ('help' in options) {
    output.out(HELP);
    return 0;
  }
  if ('fault' in options) {
    output.err(`conv2d-check: ${options.fault}\nconv2d-check --help lists the options.\n`);
    return STATUS.cannot_tell;
  }
  const found = new Set<number>();
  for (const [index, set] of fileSets(options.files).entries()) {
    if (index > 0 && !options.json) output.out('\n');
    found.add(STATUS[await judgeSet(set, options, output)]);
  }
  // A wrong result is worse than an unreadable file.
  return [STATUS.wrong, STATUS.cannot_tell].find((status) => found.has(status)) ?? STATUS.right;
}

async function judgeSet(set: FileSet, options: CommandOptions, { out, err }: Output): Promise<FileVerdict['verdict']> {
  const { name, paths } = set;
  const { json, learningRate, page } = options;
  const refuse = (fault: string): FileVerdict['verdict'] => {
    err(`conv2d-check: ${name}: ${fault}\n`);
    if (json) out(`${JSON.stringify({ file: name, verdict: 'cannot_tell', error: fault, layers: [], unused: [] })}\n`);
    return 'cannot_tell';
  };
  let read: FileArrays | Unreadable;
  let verdict: FileVerdict;
  try {
    read = await readArrays(paths);
    if ('fault' in read) return refuse(read.fault);
    verdict = (await loadJudge())(read.arrays, read.given, { learning_rate: learningRate });
  } catch (thrown) {
    return refuse(`the check failed (${thrown instanceof Error ? thrown.message : thrown})`);
  }
  const { arrays, notes } = read;
  if (json) {
    const files = paths.length > 1 ? { files: paths } : {};
    out(`${JSON.stringify({ file: name, ...files, ...verdict, ...(notes.length > 0 ? { notes } : {}) })}\n`);
  } else {
    const links = new Map<number, PageLink>();
    for (const [index, layer] of verdict.layers.entries()) {
      const link = isDetailed(verdict, layer) ? await pageLink(layer, arrays) : null;
      if (link) links.set(index, link);
    }
    out(`${consoleReport({ file: name, verdict, notes, links, page })}\n`);
  }
  return verdict.verdict;
}
