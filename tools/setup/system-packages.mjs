// Packages of the distribution: installed as root; otherwise the error names the command.

import { readFileSync } from 'node:fs';
import { SetupError, say, step } from './report.mjs';
import { capture, which } from './run-process.mjs';

export const hasApt = () => which('apt-get') !== undefined && which('dpkg') !== undefined;

export const isRoot = () => process.getuid?.() === 0;

/** Fields of /etc/os-release ({} if missing). */
export function osRelease() {
  try {
    const lines = readFileSync('/etc/os-release', 'utf8').split('\n');
    return Object.fromEntries(
      lines
        .filter((line) => line.includes('='))
        .map((line) => {
          const [key, value] = line.split(/=(.*)/s);
          return [key, value.replace(/^"|"$/g, '')];
        }),
    );
  } catch {
    return {};
  }
}

/** The version that apt would install, or undefined. */
export async function candidateVersion(name) {
  const { stdout } = await capture('apt-cache', ['policy', name], { env: { ...process.env, LC_ALL: 'C' } });
  const candidate = /^ {2}Candidate: (\S+)/m.exec(stdout)?.[1];
  return candidate && candidate !== '(none)' ? candidate : undefined;
}

let listsUpdated = false;

/** Updates the package lists of apt once per run (root only). An unreachable source fails later, in apt. */
export async function updateLists() {
  if (listsUpdated || !isRoot() || !hasApt()) return;
  listsUpdated = true;
  await step("updating apt's package lists", () => capture('apt-get', ['update', ...quietly]));
}

const quietly = [
  '--quiet',
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'DPkg::Lock::Timeout=600',
];

/** The packages of programs that were not found, as a list for installPackages. */
export const missingOf = (...packages) =>
  packages.filter(([found]) => !found).map(([, name, reason]) => ({ name, reason }));

const describe = (wanted) => wanted.map(({ name, reason }) => `${name} (${reason})`).join(', ');
const installCommand = (names) => `apt-get install --yes --no-install-recommends ${names.join(' ')}`;

/** Fails with the one root command if `wanted` (a list of { name, reason }) is not empty and cannot be installed. */
export function checkRights(wanted) {
  if (wanted.length === 0) return;
  if (!hasApt()) {
    throw new SetupError(
      `missing: ${describe(wanted)}; this machine has no apt-get to install them with`,
      "install them with your system's package manager",
    );
  }
  if (!isRoot())
    throw new SetupError(`missing: ${describe(wanted)}`, `sudo ${installCommand(wanted.map(({ name }) => name))}`);
}

/** Installs packages; does nothing for an empty list. */
export async function installPackages(wanted) {
  if (wanted.length === 0) return;
  checkRights(wanted);
  const names = wanted.map(({ name }) => name);
  const known = await Promise.all(names.map(candidateVersion));
  if (known.includes(undefined)) await updateLists();
  say(`  missing: ${describe(wanted)}`);
  let result = await install(names);
  if (result.code !== 0 && !listsUpdated) {
    // Usually the list names a version that the mirror has replaced.
    await updateLists();
    result = await install(names);
  }
  if (result.code !== 0) {
    const excerpt = result.output.trimEnd().split('\n').slice(-8).join('\n  ');
    throw new SetupError(
      `apt-get could not install ${names.join(' ')}:\n  ${excerpt}`,
      `check the network and apt's sources, then: ${installCommand(names)}`,
    );
  }
}

function install(names) {
  return step(`installing ${names.join(' ')}`, (progress) =>
    capture('apt-get', ['install', '--yes', '--no-install-recommends', ...quietly, ...names], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      onOutput: (text) => progress(text.trim().split('\n').at(-1).slice(0, 80)),
    }),
  );
}
