import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A Python that has a module, or null. Debian packages belong to /usr/bin/python3, which may not be the first on the
 * path. If there is none, prints a line that `npm test` always shows.
 */
export function pythonWith(module: string, debian: string): string | null {
  // Only looks for it: importing PyTorch takes seconds.
  const find = `import importlib.util as u, sys; sys.exit(u.find_spec("${module}") is None)`;
  const has = (python: string) => spawnSync(python, ['-c', find]).status === 0;
  const found = ['/usr/bin/python3', 'python3'].find(has) ?? null;
  if (!found) console.info(`skipped: found no Python with ${module} (Debian: ${debian})`);
  return found;
}

/** In place of TensorFlow, which Debian does not have. */
export const STAND_INS = readFileSync(new URL('../snippets/stand_ins.py', import.meta.url), 'utf8');

/** The languages of Python, the module and the Debian package of each, and what runs first. */
export const PYTHONS = [
  ['numpy', 'numpy', 'python3-numpy', ''],
  ['pytorch', 'torch', 'python3-torch', ''],
  ['tensorflow', 'torch', 'python3-torch', STAND_INS],
] as const;

/** Runs each program separately, in one process: starting Python takes longer than all programs. */
const EACH = `
import contextlib, io, json, sys
before, programs = json.load(sys.stdin)
exec(compile(before, "before", "exec"), {})
results = []
for program in programs:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, "check", "exec"), {"__name__": "__main__"})
        results.append("passed")
    except AssertionError as error:
        results.append(f"refused: {error}")
    except BaseException as error:
        results.append(f"broken: {type(error).__name__}: {error}")
json.dump(results, sys.stdout)
`;

/** The result of each program: "passed", "refused: ..." for a failed assertion, or "broken: ...". `before` runs once, first. */
export function runPrograms(python: string, programs: readonly string[], before = ''): readonly string[] {
  const { status, stdout, stderr } = spawnSync(python, ['-c', EACH], {
    input: JSON.stringify([before, programs]),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly string[];
}
