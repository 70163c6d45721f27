import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver } from './driver';
import { openSession } from './web-driver';

/** The programs of WebKit for GTK on this machine. */
export interface WebKitPrograms {
  /** The MiniBrowser of WebKit. */
  readonly browser: string;
  readonly driver: string;
  /** An X server without a screen: this browser has no headless mode. */
  readonly display: string;
}

/** Starts a display, WebKitWebDriver on it, and the browser through the driver. */
export async function openWebKit({ browser, driver, display }: WebKitPrograms): Promise<Driver> {
  const started: ChildProcess[] = [];
  const end = () => Promise.all(started.toReversed().map(ended));
  try {
    const screen = spawn(display, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    started.push(screen);
    // Written when the display is ready.
    const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
    const port = await freePort();
    const server = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
      env: { ...process.env, DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11' },
      stdio: 'ignore',
    });
    started.push(server);
    const address = `http://127.0.0.1:${port}`;
    await answering(address, server);
    const session = await openSession(address, {
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    });
    return {
      ...session,
      async close() {
        // The session is already gone if its page crashed.
        await session.close().finally(end);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The driver does not report when it is ready: polls it until it answers or exits. */
async function answering(address: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`${address}/status`).catch(() => null);
    if (answer?.ok) return;
    await pause(20);
  }
  throw new Error(`WebKitWebDriver ended with exit code ${server.exitCode}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
