import { type Driver, type Point, parseChord } from './driver';

/** The JSON form of an element. https://www.w3.org/TR/webdriver2/#elements */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Keys without a character. https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

const keyOf = (name: string): string => KEYS[name] ?? name;
const down = (name: string) => ({ type: 'keyDown', value: keyOf(name) });
const up = (name: string) => ({ type: 'keyUp', value: keyOf(name) });
const moveTo = ({ x, y }: Point) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 });

/** A session of a W3C WebDriver server: JSON over HTTP. https://www.w3.org/TR/webdriver2/ */
export async function openSession(server: string, capabilities: object): Promise<Driver> {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(server + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  const created = await call('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
  const session = created as { sessionId: string; capabilities: { browserVersion: string } };
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    call(method, `/session/${session.sessionId}${path}`, body);

  const run = (expression: string) => ask('POST', '/execute/sync', { script: `return (${expression})`, args: [] });
  const keys = (actions: readonly object[]) =>
    ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  const mouse = (actions: readonly object[]) =>
    ask('POST', '/actions', {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    });
  return {
    version: session.capabilities.browserVersion,
    async open(url) {
      await ask('POST', '/url', { url });
    },
    evaluate: run,
    async click(point) {
      await mouse([moveTo(point), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]);
    },
    async move(point) {
      await mouse([moveTo(point)]);
    },
    async press(chord) {
      const { modifiers, key } = parseChord(chord);
      await keys([...modifiers.map(down), down(key), up(key), ...modifiers.toReversed().map(up)]);
    },
    async type(text) {
      await keys([...text].flatMap((character) => [down(character), up(character)]));
    },
    async choose(expression, path) {
      const element = (await run(expression)) as Readonly<Record<string, string>>;
      await ask('POST', `/element/${element[ELEMENT]}/value`, { text: path });
    },
    async resize(width, height) {
      // The driver can only set the size of the window, including its bars.
      const [barX, barY] = (await run('[outerWidth - innerWidth, outerHeight - innerHeight]')) as [number, number];
      await ask('POST', '/window/rect', { x: 0, y: 0, width: width + barX, height: height + barY });
    },
    screenshot: async () => Buffer.from((await ask('GET', '/screenshot')) as string, 'base64'),
    async close() {
      await ask('DELETE', '');
    },
  };
}
