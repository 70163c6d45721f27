// Folders that are complete or absent: filled in a temporary sibling, stamped, then renamed. A lock admits one set-up
// at a time.

// Imports the whole of node:fs: a named import that an old Node lacks would fail before the version check.
import fs, { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { megabytes, SetupError, say } from './report.mjs';

const stampName = '.complete';

export function isComplete(folder) {
  return existsSync(join(folder, stampName));
}

/** Creates `folder` with `fill(temporaryFolder)` unless it is complete. Concurrent set-ups do not collide. */
export async function ensureFolder(folder, neededBytes, fill) {
  if (isComplete(folder)) return;
  makeParent(folder);
  await withLock(`${folder}.lock`, async () => {
    if (isComplete(folder)) return;
    checkSpace(dirname(folder), neededBytes);
    const temporary = `${folder}.partial`;
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary, { recursive: true });
    try {
      await fill(temporary);
      writeFileSync(join(temporary, stampName), `${new Date().toISOString()}\n`);
      rmSync(folder, { recursive: true, force: true });
      renameSync(temporary, folder);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      throw error.code === 'ENOSPC' ? noSpace(dirname(folder), neededBytes) : error;
    }
  });
}

const heartbeatSeconds = 5;
const staleSeconds = 60;

/** Holds the lock file while `work` runs. Takes over the lock of an interrupted set-up. */
export async function withLock(file, work) {
  makeParent(file);
  for (let waited = 0; !takeLock(file); waited += 1) {
    if (waited === 0) say(`  process ${lockOwner(file) ?? '?'} holds ${basename(file)}; waiting for it`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const release = () => rmSync(file, { force: true });
  const heartbeat = setInterval(() => fs.utimes(file, new Date(), new Date(), () => {}), heartbeatSeconds * 1000);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.removeListener('exit', release);
    release();
  }
}

function takeLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw unusable(file, error);
  }
  if (!isAbandoned(file)) return false;
  rmSync(file, { force: true });
  return takeLock(file);
}

/**
 * True if its process has ended, or if the lock is stale: its process id may belong to another process (a restarted
 * container).
 */
function isAbandoned(file) {
  const owner = lockOwner(file);
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - changed > staleSeconds * 1000) return true;
  // An empty file is a lock that is just being written.
  return owner !== undefined && (owner === process.pid || !isRunning(owner));
}

function lockOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function makeParent(path) {
  makeFolder(dirname(path));
}

/**
 * Creates a folder and its parents, one after the other: mkdirSync with `recursive` never returns for a folder such as
 * /proc/nothing (seen with Node 20), where the parent exists and mkdir says that it does not.
 */
export function makeFolder(folder) {
  const missing = [];
  try {
    for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
    for (const one of missing) mkdirUnlessThere(one);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** Another set-up may create it at the same time. */
function mkdirUnlessThere(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

const unusable = (folder, { code }) =>
  new SetupError(`cannot create ${folder} (${code})`, 'set CONV2D_TOOLCHAIN_DIR to a folder that you can write to');

function checkSpace(folder, neededBytes) {
  const { bavail, bsize } = fs.statfsSync(folder);
  if (bavail * bsize < neededBytes) throw noSpace(folder, neededBytes, bavail * bsize);
}

function noSpace(folder, neededBytes, free) {
  const found = free === undefined ? 'the disk is full' : `${megabytes(free)} are free`;
  return new SetupError(
    `not enough disk space in ${folder}: about ${megabytes(neededBytes)} are needed, ${found}`,
    'free some space, or set CONV2D_TOOLCHAIN_DIR to a folder on a larger disk',
  );
}
