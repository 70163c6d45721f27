import { render } from 'preact';
import { scriptAddress } from '../../../loading/script-address';
import { newestBuild } from '../../../service-worker/builds';
import { UpdateNotice } from '../corner';

/** Interval between update checks of a page that stays open. Opening a page always checks. */
const CHECK_INTERVAL_MS = 3_600_000;

/** For use without network. Offers a newer build in `place` once its files are cached; `save` saves inputs first. */
export async function enableOffline(place: Element, save: () => Promise<readonly string[]>): Promise<void> {
  const script = lockBuild();
  if (!script || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(scriptAddress('./sw.js'));
  const registration = await navigator.serviceWorker.ready;
  let offered = false;
  const offer = async () => {
    if (offered || !(await isOld(registration.scope, script)) || offered) return;
    offered = true;
    render(<UpdateNotice save={save} />, place.appendChild(document.createElement('div')));
  };
  const watch = () => registration.installing?.addEventListener('statechange', () => void offer());
  registration.addEventListener('updatefound', watch);
  watch();
  await offer();
  let checked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || performance.now() - checked < CHECK_INTERVAL_MS) return;
    checked = performance.now();
    registration.update().catch(() => undefined);
  });
}

/** Whether a newer build is cached. A page that was loaded without the service worker may be newer than the cache. */
async function isOld(site: string, script: string): Promise<boolean> {
  const cacheName = navigator.serviceWorker.controller && (await newestBuild(site));
  return !!cacheName && !(await caches.match(script, { cacheName }));
}

/**
 * Holds a lock while a page with this script is open, so that the service worker keeps the files of its build. The
 * lock is released in the back/forward cache, which refuses pages with locks. Returns the URL of the script.
 */
export function lockBuild(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src;
  if (!script || !('locks' in navigator)) return script;
  let release = (): void => undefined;
  const request = () => {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks.request(script, { mode: 'shared' }, () => released).catch(() => undefined);
  };
  request();
  window.addEventListener('pagehide', () => release());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) request();
  });
  return script;
}
