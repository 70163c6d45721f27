import { spawnSync } from 'node:child_process';

/**
 * A Python that has a module, or null. Debian's packages belong to /usr/bin/python3, which need not be the first on the path. Where
 * there is none, a line says so that `npm test` always shows.
 */
export function pythonWith(module: string, debian: string): string | null {
  const has = (python: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
  const found = ['/usr/bin/python3', 'python3'].find(has) ?? null;
  if (!found) console.info(`skipped: no Python here has ${module} (Debian: ${debian}); nothing was run with it`);
  return found;
}

/** Runs every program by itself, in one process: starting one takes longer than all they do. */
const EACH = `
import contextlib, io, json, sys
before, programs = json.load(sys.stdin)
exec(compile(before, "before", "exec"), {})
said = []
for program in programs:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, "check", "exec"), {"__name__": "__main__"})
        said.append("passed")
    except AssertionError as error:
        said.append(f"refused: {error}")
    except BaseException as error:
        said.append(f"broken: {type(error).__name__}: {error}")
json.dump(said, sys.stdout)
`;

/** What each program came to: "passed", "refused: ..." by an assertion, or "broken: ...". `before` is run before all of them. */
export function runPrograms(python: string, programs: readonly string[], before = ''): readonly string[] {
  const { status, stdout, stderr } = spawnSync(python, ['-c', EACH], {
    input: JSON.stringify([before, programs]),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly string[];
}
