import type { Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { shorterScripts } from '../../../web/site/shorter-scripts';

type Chunk = Pick<Rolldown.OutputChunk, 'type' | 'name' | 'fileName' | 'code' | 'imports' | 'dynamicImports'>;

const chunk = (name: string, code: string, more: Partial<Chunk> = {}): Chunk => ({
  ...{ type: 'chunk', name, fileName: `assets/${name}.js`, code, imports: [], dynamicImports: [] },
  ...more,
});

const PAGE = chunk(
  'page',
  'const twice = (x) => 2 * x;\nlet calls = 0;\nconst count = () => { calls += 1; return calls; };\nexport { twice as t, count as c };',
);

/** The code of the chunks, after the plugin. */
async function shortened(...chunks: readonly Chunk[]): Promise<string[]> {
  const bundle = Object.fromEntries(chunks.map((one) => [one.fileName, { ...one }]));
  const { generateBundle } = shorterScripts();
  if (typeof generateBundle !== 'object') throw new Error('no hook');
  await Reflect.apply(generateBundle.handler, undefined, [undefined, bundle]);
  return Object.values(bundle).map(({ code }) => code);
}

test('the page exports by one name, which other chunks import', async () => {
  const other = chunk('second', 'import { c, t as double } from "./page.js";\nconsole.log(double(c()));', {
    imports: ['assets/page.js'],
  });
  const [page = '', second = ''] = await shortened(PAGE, other);
  const [, exported] = /export\{(\w+,\w+)\};$/.exec(page) ?? [];
  expect(exported).toBeDefined();
  // Both run together: 2 * 1.
  const source = `data:text/javascript,${encodeURIComponent(page)}`;
  const printed: number[] = [];
  const run = second.replace('"./page.js"', `"${source}"`).replace('console.log', 'globalThis.printed');
  Object.assign(globalThis, { printed: (value: number) => printed.push(value) });
  await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(run)}`);
  expect(printed).toEqual([2]);
});

test.each([
  [
    'a late import, which knows the names that were',
    { dynamicImports: ['assets/page.js'] },
    /loads assets\/page\.js by/,
  ],
  ['an import in another form', { imports: ['assets/page.js'] }, /imports page\.js in a way that is not known/],
])('refuses %s', async (_, more, message) => {
  const other = chunk('late', 'console.log(1);', more);
  await expect(shortened(PAGE, other)).rejects.toThrow(message);
});

test('refuses a script of which nothing is left', async () => {
  await expect(shortened(chunk('empty', 'const unused = 1;'))).rejects.toThrow(
    'assets/empty.js is empty when minified',
  );
});
