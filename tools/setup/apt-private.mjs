// Downloads packages of a newer Debian release without changing the system: apt runs with a private sources list and
// state directory. Uses the mirror of the machine; apt checks the signatures.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './paths.mjs';
import { isRunning, makeFolder } from './private-folder.mjs';
import { megabytes, SetupError, step } from './report.mjs';
import { capture, mustRun } from './run-process.mjs';
import { hasApt, osRelease } from './system-packages.mjs';

export const suite = 'trixie';
const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const offline =
  "check the network connection (and apt's proxy settings), then run this again; nothing is left half-installed";

/** Whether the mirror of this machine can serve a newer Debian release. */
export function canUsePrivateApt() {
  return hasApt() && osRelease().ID === 'debian' && debianMirror() !== undefined;
}

const architectures = {
  amd64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * { triplet, loader }: where libraries of this machine are unpacked, and the loader that runs programs with them; a
 * newer C library than that of the system needs its own. Undefined for other architectures.
 */
export async function privateArchitecture() {
  const { stdout } = await mustRun('dpkg', ['--print-architecture'], { what: 'dpkg --print-architecture' });
  return architectures[stdout.trim()];
}

/**
 * The mirror of the Debian main archive in the apt sources, as { uri, keyring }: one-line .list files and deb822
 * .sources files. Ignores security and backports archives, which have no other release.
 */
function debianMirror() {
  const parts = '/etc/apt/sources.list.d';
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(parts)
      ? readdirSync(parts)
          .sort()
          .map((name) => join(parts, name))
      : []),
  ];
  const entries = files.filter(existsSync).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.sources')) return parseDeb822(text);
    return file.endsWith('.list') ? parseOneLine(text) : [];
  });
  const codename = osRelease().VERSION_CODENAME;
  const suites = new Set([codename, 'stable', 'testing', 'unstable', 'sid', 'oldstable']);
  const entry = entries.find(
    ({ suites: listed, components, uri }) =>
      listed.some((name) => suites.has(name)) && components.includes('main') && !/security/.test(uri),
  );
  if (!entry) return undefined;
  const keyring = entry.keyring?.startsWith('/') && existsSync(entry.keyring) ? entry.keyring : debianKeyring;
  return { uri: entry.uri, keyring };
}

function parseOneLine(text) {
  return text.split('\n').flatMap((line) => {
    const match = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)/.exec(line.trim());
    if (!match) return [];
    const [, options = '', uri, name, components] = match;
    return [
      {
        uri,
        suites: [name],
        components: components.trim().split(/\s+/),
        keyring: /signed-by=(\S+)/.exec(options)?.[1],
      },
    ];
  });
}

function parseDeb822(text) {
  const stanzas = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split(/\n\s*\n/);
  return stanzas.flatMap((stanza) => {
    const field = (name) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(stanza)?.[1].trim() ?? '';
    const words = (name) => field(name).split(/\s+/).filter(Boolean);
    if (!words('Types').includes('deb') || /^no$/i.test(field('Enabled'))) return [];
    return words('URIs').map((uri) => ({
      uri,
      suites: words('Suites'),
      components: words('Components'),
      keyring: field('Signed-By'),
    }));
  });
}

let opened;

/** A private apt with its package lists, shared by all downloads. */
export function openPrivateApt() {
  opened ??= open();
  return opened;
}

/** Removes the folder of openPrivateApt, if any. */
export async function closePrivateApt() {
  const apt = await opened?.catch(() => {});
  if (apt) rmSync(apt.folder, { recursive: true, force: true });
  opened = undefined;
}

/** Next to the cache, which has enough space: tmp may be small. Removes the folder of an interrupted set-up. */
function aptFolder() {
  const root = cacheRoot();
  makeFolder(root);
  for (const [name, pid] of readdirSync(root).flatMap((entry) => [/^apt-(\d+)$/.exec(entry)].filter(Boolean)))
    if (!isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  return join(root, `apt-${process.pid}`);
}

async function open() {
  const folder = aptFolder();
  const mirror = debianMirror();
  if (!mirror) throw new SetupError("apt's sources name no Debian mirror", 'add one to /etc/apt/sources.list');
  if (!existsSync(mirror.keyring))
    throw new SetupError(`${mirror.keyring} is missing`, 'apt-get install debian-archive-keyring');
  for (const part of ['state/lists/partial', 'cache/archives/partial', 'preferences.d', 'sources.d'])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  const source = `[signed-by=${mirror.keyring}] ${mirror.uri} ${suite} main\n`;
  writeFileSync(join(folder, 'sources.list'), `deb ${source}deb-src ${source}`);
  const settings = {
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': join(folder, 'sources.d'),
    'Dir::Etc::preferences': join(folder, 'preferences'),
    'Dir::Etc::preferencesparts': join(folder, 'preferences.d'),
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '30',
    // As root, apt would otherwise switch to a user that cannot write here.
    'APT::Sandbox::User': 'root',
  };
  const configuration = join(folder, 'apt.conf');
  writeFileSync(
    configuration,
    Object.entries(settings)
      .map(([key, value]) => `${key} "${value}";\n`)
      .join(''),
  );
  const apt = { folder, env: { ...process.env, APT_CONFIG: configuration, LC_ALL: 'C' } };
  await step(`reading Debian ${suite}'s package lists`, async (progress) => {
    const watch = setInterval(() => progress(megabytes(folderBytes(folder))), 500);
    try {
      // --error-on: without it, an unreachable mirror is only a warning.
      await mustRun('apt-get', ['update', '--error-on=any'], {
        env: apt.env,
        what: `reading Debian ${suite}'s package lists`,
        fix: offline,
      });
    } finally {
      clearInterval(watch);
    }
  });
  return apt;
}

/** Downloads packages (verified by apt) and returns the paths of the .deb files. */
export function downloadPackages(apt, names) {
  return download(apt, ['download', ...names], names, '.deb');
}

/** Downloads a source package and returns the paths of its tarballs. */
export function downloadSource(apt, name) {
  return download(apt, ['source', '--download-only', name], [`${name}'s source`], '.tar.gz');
}

async function download(apt, args, names, extension) {
  const folder = mkdtempSync(join(apt.folder, 'download-'));
  const total = await downloadBytes(apt, args);
  await step(`downloading ${names.join(', ')} of Debian ${suite} (${megabytes(total)})`, async (progress) => {
    const watch = setInterval(
      () => progress(`${Math.min(99, Math.floor((100 * folderBytes(folder)) / total))} %`),
      500,
    );
    try {
      await mustRun('apt-get', args, {
        cwd: folder,
        env: apt.env,
        what: `downloading ${names.join(', ')}`,
        fix: offline,
      });
    } finally {
      clearInterval(watch);
    }
  });
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));
}

async function downloadBytes(apt, args) {
  const { stdout } = await capture('apt-get', [args[0], '--print-uris', ...args.slice(1)], {
    env: apt.env,
    cwd: apt.folder,
  });
  return [...stdout.matchAll(/^'[^']*' \S+ (\d+) /gm)].reduce((sum, [, size]) => sum + Number(size), 0) || 1;
}

function folderBytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    // A file may be renamed between the listing and this call.
    bytes += statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
