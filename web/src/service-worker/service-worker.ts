import { detectVariant } from '../wasm/variant';
import { buildsOf, familyOf, newestBuild } from './builds';

// Keeps the page for when there is no network. web/site/service-worker.ts builds this file and says what is in the build.
// An older and a newer one do the same with all builds, so that it is of no consequence which of them answers a page.

declare const self: ServiceWorkerGlobalScope;
/** This build's own name, made from the contents of all its files. */
declare const BUILD: string;
/** The files of the site, relative to it, each with the digest of its contents; the page itself is './'. */
declare const FILES: readonly (readonly [name: string, integrity: string])[];

const SITE = self.registration.scope;
const CACHE = familyOf(SITE) + BUILD;

const addressOf = (name: string): string => new URL(name, SITE).href;
const PAGE = [SITE, addressOf('index.html')];
const DIGESTS = new Map(FILES.map(([name, integrity]) => [addressOf(name), integrity]));

const isNamedByContents = (address: string): boolean => address.startsWith(addressOf('assets/'));

/** What is not of this build, or not whole, is refused. Past the browser's own cache where a name says nothing about contents. */
const fetched = (address: string): Promise<Response> =>
  fetch(address, { integrity: DIGESTS.get(address) ?? '', cache: isNamedByContents(address) ? 'default' : 'no-cache' });

/** The page last: then the build is whole. The compute modules that this engine does not need at once are left out, two of three. */
async function fill(): Promise<void> {
  const module = addressOf(`assets/conv2d-${await detectVariant()}-`);
  const cache = await caches.open(CACHE);
  const keep = async (address: string) => {
    const before = isNamedByContents(address) && (await caches.match(address));
    await cache.put(address, before || (await fetched(address)));
  };
  const wanted = [...DIGESTS.keys()].filter(
    (address) => !address.startsWith(addressOf('assets/conv2d-')) || address.startsWith(module),
  );
  await Promise.all(wanted.filter((address) => address !== SITE).map(keep));
  await keep(SITE);
}

/**
 * Removes what came before the newest build, but for builds that a page in some tab was begun with: as long as it is there, it
 * holds a lock with the address of its script (app/offline/keep-offline.tsx).
 */
async function tidy(): Promise<void> {
  const builds = await buildsOf(SITE);
  const newest = await newestBuild(SITE);
  const { held = [] } = await navigator.locks.query();
  // What comes after the newest is being filled.
  for (const cacheName of builds.slice(0, Math.max(0, builds.indexOf(newest ?? '')))) {
    const uses = await Promise.all(held.map(({ name }) => name && caches.match(name, { cacheName })));
    if (!uses.some(Boolean)) await caches.delete(cacheName);
  }
}

async function answerPage(request: Request): Promise<Response> {
  const cacheName = await newestBuild(SITE);
  return (cacheName && (await caches.match(SITE, { cacheName }))) || fetch(request);
}

/** From whichever build has the file: an older page asks for its own. */
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
// The page that is open at the first visit is kept at once.
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
