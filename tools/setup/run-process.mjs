// Runs other programs and captures their output.

import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import os from 'node:os';
import { delimiter, join } from 'node:path';
import { SetupError } from './report.mjs';

/** Path of a program on PATH, or undefined. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder || '.', name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * Runs a program to its end; resolves with { code, output, stdout }. The code is 127 if it cannot be started. `show`
 * prints its output directly instead of capturing it; `background` runs it at low priority.
 */
export function capture(command, args = [], { show = false, background = false, onOutput, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    if (background && child.pid) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    let stdout = '';
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
      onOutput?.(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text;
      onOutput?.(text);
    });
    child.on('error', (error) => resolve({ code: 127, output: String(error.message), stdout: '' }));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), output, stdout }));
  });
}

/** Runs a program that must succeed. The error message contains its error lines, or its last lines. */
export async function mustRun(command, args, { fix, what, ...options } = {}) {
  const result = await capture(command, args, options);
  if (result.code !== 0) {
    const lines = result.output.trimEnd().split('\n');
    // Error lines of apt and npm; the lines around them repeat them.
    const errors = lines.filter((line) => /^(E:|npm error (?!A complete log))/.test(line));
    const excerpt = (errors.length > 0 ? errors : lines).slice(-12).join('\n  ');
    throw new SetupError(`${what ?? [command, ...args].join(' ')} failed (exit ${result.code}):\n  ${excerpt}`, fix);
  }
  return result;
}

/** Below, at or above 0 for two dotted versions; ignores anything after the numbers ("3.1.69+dfsg-3"). */
export function compareVersions(left, right) {
  const numbers = (version) => /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
  return numbers(left).localeCompare(numbers(right), 'en', { numeric: true });
}
