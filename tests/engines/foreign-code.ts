import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A script for the head of a page, before its policy, in the place of one that an attacker could already run: `tryForeignCode` tries to
 * run more, and to ask a server, and resolves to the names of what succeeded, once these are `wanted` and a second has passed. A text,
 * because the test runner changes `import()`.
 */
export const FOREIGN_CODE = `<script>
  window.tryForeignCode = async (server, wanted) => {
    const ran = new Set();
    addEventListener('message', ({ data }) => ran.add(data));
    const code = (name) => 'try { parent.postMessage(\`' + name + '\`, \`*\`) } catch { postMessage(\`' + name + '\`) }';
    const blob = (name) => URL.createObjectURL(new Blob([code(name)], { type: 'text/javascript' }));
    const add = (tag, members) => {
      const element = Object.assign(document.createElement(tag), members);
      document.body.append(element);
      return element;
    };
    const start = (address) => { new Worker(address).onmessage = ({ data }) => ran.add(data); };
    const attempts = {
      'a script element': (name) => add('script', { textContent: code(name) }),
      'a handler': (name) => { const p = add('p'); p.setAttribute('onclick', code(name)); p.click(); },
      'markup': (name) => document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="' + code(name) + '">'),
      'a text': (name) => new Function(code(name))(),
      'a link': (name) => add('a', { href: 'javascript:' + code(name) }).click(),
      'a module': (name) => import(blob(name)),
      'a script of a blob': (name) => add('script', { src: blob(name) }),
      'a script of a server': (name) => add('script', { src: server + encodeURIComponent(code(name)) }),
      'a frame': (name) => add('iframe', { srcdoc: '<script>' + code(name) + '<' + '/script>' }),
      'a worker of data': (name) => start('data:text/javascript,' + encodeURIComponent(code(name))),
      'a worker of a blob': (name) => start(blob(name)),
      'a request': (name) => fetch(server).then(() => ran.add(name)),
    };
    for (const [name, attempt] of Object.entries(attempts))
      void new Promise((resolve) => resolve(attempt(name))).catch(() => undefined);
    const end = performance.now() + 60_000;
    const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
    while (!wanted.every((name) => ran.has(name)) && performance.now() < end) await pause(50);
    await pause(1000);
    return Object.keys(attempts).filter((name) => ran.has(name));
  };
</script>`;

export const ATTEMPTS: readonly string[] = [...FOREIGN_CODE.matchAll(/^ {6}'([^']+)': \(name\)/gm)].map(
  ([, name = '']) => name,
);

/** A server of whatever script is asked for, for pages of any origin. */
export async function serveForeignCode(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/javascript').setHeader('Access-Control-Allow-Origin', '*');
    response.end(decodeURIComponent((request.url ?? '').slice(1)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
