// Finds imports of npm packages that a command evaluates before its set-up can have installed them: those that its file, and the
// files that it imports, name at the top. Reads no files, so the self-test can pass examples.

import { posix } from 'node:path';

const staticImport = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm;

/** The files of tools that a command of package.json (its text) runs. */
export function commandFiles(packageText) {
  const commands = Object.values(JSON.parse(packageText).scripts ?? {});
  return [...new Set(commands.flatMap((command) => /\btools\/\S+\.mjs\b/.exec(command)?.[0] ?? []))];
}

/** Commands that run a program of npm packages without the set-up. */
export function barePrograms(packageText) {
  const scripts = Object.entries(JSON.parse(packageText).scripts ?? {});
  return scripts.filter(([, command]) => !/^node tools\/\S+\.mjs/.test(command)).map(([name]) => name);
}

/** { path, line, message } for each such import of a package, from the commands' files on. `read(path)` returns the text. */
export function importsBeforeSetUp(commands, read) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return [];
    seen.add(path);
    const text = read(path);
    return [...text.matchAll(staticImport)].flatMap((match) => {
      const [, name] = match;
      if (name.startsWith('node:')) return [];
      if (name.startsWith('.')) return visit(posix.join(posix.dirname(path), name));
      const line = text.slice(0, match.index).split('\n').length;
      return [{ path, line, message: `"${name}" is not installed before the set-up: import it where it is used` }];
    });
  };
  return commands.flatMap(visit);
}
