import { detectVariant } from '../wasm/variant';
import { buildsOf, familyOf, newestBuild } from './builds';

// Caches the page for offline use. web/site/service-worker.ts builds this file and lists the files of the build.
// Older and newer versions treat all builds alike, so any of them can answer any page.

declare const self: ServiceWorkerGlobalScope;
/** Name of this build: a digest of all its files. */
declare const BUILD: string;
/** Paths of the files, relative to the site, and their digests. The page is './'. */
declare const FILES: readonly (readonly [name: string, integrity: string])[];

const SITE = self.registration.scope;
const CACHE = familyOf(SITE) + BUILD;

const addressOf = (name: string): string => new URL(name, SITE).href;
const PAGE = [SITE, addressOf('index.html')];
const DIGESTS = new Map(FILES.map(([name, integrity]) => [addressOf(name), integrity]));

const isNamedByContents = (address: string): boolean => address.startsWith(addressOf('assets/'));

/** Fetches a file of this build and checks its digest. Bypasses the HTTP cache for names without a content hash. */
const fetched = (address: string): Promise<Response> =>
  fetch(address, { integrity: DIGESTS.get(address) ?? '', cache: isNamedByContents(address) ? 'default' : 'no-cache' });

/**
 * Caches the page last: the build is complete then. Of the modules with variants, only that of this browser is
 * cached.
 */
async function fill(): Promise<void> {
  const variant = await detectVariant();
  const cache = await caches.open(CACHE);
  const keep = async (address: string) => {
    const before = isNamedByContents(address) && (await caches.match(address));
    await cache.put(address, before || (await fetched(address)));
  };
  const wanted = [...DIGESTS.keys()].filter((address) => {
    const [, isFor] = /\/assets\/\w+-(simd|relaxed|threads)-/.exec(address) ?? [];
    return isFor === undefined || isFor === variant;
  });
  await Promise.all(wanted.filter((address) => address !== SITE).map(keep));
  await keep(SITE);
}

/**
 * Deletes the builds before the newest one, except builds in use: an open page holds a lock with the address of its
 * script (app/deferred/offline/enable-offline.tsx).
 */
async function tidy(): Promise<void> {
  const builds = await buildsOf(SITE);
  const newest = await newestBuild(SITE);
  const { held = [] } = await navigator.locks.query();
  // A build after the newest complete one is being filled.
  for (const cacheName of builds.slice(0, Math.max(0, builds.indexOf(newest ?? '')))) {
    const uses = await Promise.all(held.map(({ name }) => name && caches.match(name, { cacheName })));
    if (!uses.some(Boolean)) await caches.delete(cacheName);
  }
}

async function answerPage(request: Request): Promise<Response> {
  const cacheName = await newestBuild(SITE);
  return (cacheName && (await caches.match(SITE, { cacheName }))) || fetch(request);
}

/** Answers from any build that has the file: an older page requests its own files. */
async function answer(request: Request): Promise<Response> {
  const address = request.url;
  const kept = await caches.match(address);
  if (kept) return kept;
  if (!DIGESTS.has(address) || !(await caches.has(CACHE))) return fetch(request);
  try {
    const response = await fetched(address);
    await (await caches.open(CACHE)).put(address, response.clone());
    return response;
  } catch {
    return fetch(request);
  }
}

self.addEventListener('install', (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
// Claims the page of the first visit, so that it is cached at once.
self.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || !address.href.startsWith(SITE)) return;
  if (request.mode !== 'navigate') event.respondWith(answer(request));
  else if (PAGE.includes(address.origin + address.pathname)) {
    event.respondWith(answerPage(request));
    event.waitUntil(tidy());
  }
});
