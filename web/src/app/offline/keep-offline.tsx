import { render } from 'preact';
import { newestBuild } from '../../service-worker/builds';
import { scriptAddress } from '../../trust/script-address';
import { UpdateNotice } from './UpdateNotice';

/** Between two looks at whether the site has been renewed, for a page that stays open; a page that is opened looks anyway. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * Has the service worker keep the site, so that the page opens without network too, and offers a newer build when it is there
 * as a whole, in `place`. `save` keeps what is on the page, which is loaded again from there.
 */
export async function keepOffline(place: Element, save: () => Promise<readonly string[]>): Promise<void> {
  const script = hold();
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
  let looked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || performance.now() - looked < LOOK_AGAIN_MS) return;
    looked = performance.now();
    registration.update().catch(() => undefined);
  });
}

/** Whether the page is not of the newest build. One that was loaded past the service worker is newer than it knows. */
async function isOld(site: string, script: string): Promise<boolean> {
  const cacheName = navigator.serviceWorker.controller && (await newestBuild(site));
  return !!cacheName && !(await caches.match(script, { cacheName }));
}

/**
 * Tells the service worker, by a lock, that a page with this script is open: the files of its build are kept as long. Not while
 * the page lies in the browser's history, where a lock would not let it stay. Returns the address of the script.
 */
export function hold(): string | undefined {
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
