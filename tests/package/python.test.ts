// The Python package: the wheel in a new virtual environment, without a network, and its tests with pytest.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { LINK_LIMITS } from '../../web/src/link/field';
import { readLink } from '../../web/src/link/read-link';
import { MODES } from '../../web/src/look/look';
import { SIZES } from '../../web/src/protocol/size-table';
import { arrayOf } from '../../web/src/sources/loss';
import { shownLayer } from '../../web/src/state/problem';
import { QUIET } from '../e2e/support/browser';
import { released } from '../released';
import { SINGLE_FILE } from '../single-file';
import { ROOT, run, runIn, textOf, WORK_FOLDER } from './build';
import { VERSION } from './project';

const FOLDER = join(WORK_FOLDER, 'python');
const PYTHON = join(FOLDER, 'environment/bin/python');
const EMPTY = join(FOLDER, 'empty');
const SOURCES = join(ROOT, 'tests/package/python');

/** A Python with the packages of Debian, which may not be the first on the path. */
const system = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import numpy, pip, pytest, venv']).status === 0,
);
if (!system)
  console.info('skipped: found no Python with numpy, pip, pytest and venv (Debian: python3-numpy, -pip, -pytest)');

const hasJupyter = system !== undefined && spawnSync(system, ['-c', 'import ipykernel, nbclient']).status === 0;
if (!hasJupyter)
  console.info('skipped: found no kernel of Jupyter for notebooks (Debian: python3-ipykernel, python3-nbclient)');

const NOTEBOOK_FOLDER = join(ROOT, 'examples/notebooks');
const NOTEBOOKS = readdirSync(NOTEBOOK_FOLDER)
  .filter((name) => name.endsWith('.ipynb'))
  .sort()
  .map((name) => join(NOTEBOOK_FOLDER, name));

interface Cell {
  readonly cell_type: string;
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

it('has six notebooks, stored without outputs', () => {
  expect(NOTEBOOKS).toHaveLength(6);
  for (const file of NOTEBOOKS) {
    const { cells }: { readonly cells: readonly Cell[] } = JSON.parse(readFileSync(file, 'utf8'));
    const code = cells.filter(({ cell_type }) => cell_type === 'code');
    expect(code.map(({ outputs, execution_count }) => ({ outputs, execution_count }))).toEqual(
      code.map(() => ({ outputs: [], execution_count: null })),
    );
  }
});

/** Prints the files of the wheel that differ from their hashes in its record. */
const HASHES = `
import base64, hashlib, importlib.metadata as metadata
files = [file for file in metadata.files("conv2d") if str(file).startswith("conv2d/") and file.suffix != ".pyc"]
hashed = lambda file: base64.urlsafe_b64encode(hashlib.sha256(file.locate().read_bytes()).digest()).decode().rstrip("=")
assert len(files) > 7
print([str(file) for file in files if hashed(file) != file.hash.value])
`;

const pytest = (...args: readonly string[]): Promise<string> =>
  runIn(
    EMPTY,
    'env',
    `CONV2D_GOLDEN=${join(ROOT, 'tests/golden')}`,
    PYTHON,
    '-m',
    'pytest',
    '-p',
    'no:cacheprovider',
    ...args,
  );

async function packed(): Promise<string> {
  const printed = await run(process.execPath, 'tools/pack-python.mjs', '--page', SINGLE_FILE, '--to', FOLDER);
  return printed.trim().split('\n').at(-1) ?? '';
}

describe.runIf(system)('the wheel', () => {
  let wheel = '';

  beforeAll(async () => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(EMPTY, { recursive: true });
    wheel = released('.whl') ?? (await packed());
    // NumPy and pip are those of the system: a pip of its own takes ten times as long to install as the wheel.
    const environment = ['--system-site-packages', '--without-pip', join(FOLDER, 'environment')];
    await run(system ?? '', '-m', 'venv', ...environment);
    // As on a machine without a network.
    await runIn(EMPTY, PYTHON, '-m', 'pip', 'install', '--quiet', '--no-index', '--no-cache-dir', wheel);
  }, 600_000);

  it('has the platform of its library in its name, and needs only libraries that every such machine has', async () => {
    expect(basename(wheel)).toMatch(
      new RegExp(`^conv2d-${VERSION.replaceAll('.', '\\.')}-py3-none-manylinux_2_\\d+_(?:x86_64|aarch64)\\.whl$`),
    );
    const installed = await runIn(EMPTY, PYTHON, '-c', 'import conv2d; print(conv2d.__path__[0])');
    const library = join(installed.trim(), 'libconv2d_c.so');
    const symbols = await run('objdump', '-p', library);
    expect(symbols).not.toMatch(/NEEDED +lib(?:stdc|gcc)/);
    const newest = Math.max(...[...symbols.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor)));
    expect(basename(wheel)).toContain(`manylinux_2_${newest}_`);
    // The library is stripped.
    expect(await run('objdump', '--syms', library)).toContain('no symbols');
  });

  it('contains its sources, types, licenses and version, each with its hash', async () => {
    const files = readdirSync(join(ROOT, 'cpp/bindings/python/conv2d')).filter((name) => /\.(?:py|typed)$/.test(name));
    const listed = await runIn(EMPTY, PYTHON, '-m', 'zipfile', '--list', wheel);
    for (const name of [
      ...files.map((file) => `conv2d/${file}`),
      'conv2d/conv2d.html',
      'licenses/LICENSE',
      'licenses/THIRD_PARTY_NOTICES.txt',
    ])
      expect(listed).toContain(name);
    const shown = await runIn(EMPTY, PYTHON, '-m', 'pip', 'show', '--files', 'conv2d');
    expect(shown).toContain(`Version: ${VERSION}`);
    expect(shown).toContain('Requires: numpy');
    expect((await runIn(EMPTY, PYTHON, '-c', HASHES)).trim()).toBe('[]');
    expect((await runIn(EMPTY, PYTHON, '-c', 'import conv2d; print(conv2d.__version__)')).trim()).toBe(VERSION);
  });

  it('runs the program of the document', async () => {
    const printed = await runIn(EMPTY, PYTHON, join(SOURCES, 'layer.py'));
    expect(printed).toContain(`y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle\n`);
    expect(textOf('docs/python.md')).toContain(printed);
  });

  it('runs the example, which finds the kernel and names a mistake', async () => {
    const printed = await runIn(EMPTY, PYTHON, join(ROOT, 'examples/python/find_kernel.py'));
    const losses = [...printed.matchAll(/^step +\d+: loss (\S+)$/gm)].map(([, loss]) => Number(loss));
    expect(losses).toHaveLength(5);
    expect(losses).toEqual([...losses].sort((a, b) => b - a));
    expect(printed).toContain('[[ 1  0 -1]\n [ 2  0 -2]\n [ 1  0 -1]]\n');
    expect(printed).toMatch(/\ndw: dw is 0\.25 times the right one \(.*mean over the batch\)/);
  });

  it('runs the cell of the document', async () => {
    // Four windows meet in the middle of x, each with a corner of w: 12 + 10 + 6 + 4.
    expect(await runIn(EMPTY, PYTHON, join(SOURCES, 'notebook.py'))).toBe('32.0\n');
    expect(readFileSync(join(EMPTY, 'convolution.html'), 'utf8')).toContain('cell=dx.24');
  });

  it('runs the program that finds the geometry of arrays', async () => {
    cpSync(join(ROOT, 'tests/web/formats/made/layers/stride-groups.npz'), join(EMPTY, 'layer.npz'));
    const printed = await runIn(EMPTY, PYTHON, join(SOURCES, 'arrays.py'));
    expect(printed).toContain("'stride': [2, 2]");
    expect(printed).toContain("'groups': 2");
  });

  it('computes the expected values, names mistakes, copies nothing and releases the lock', async () => {
    const files = ['test_golden.py', 'test_arrays.py', 'test_check_arrays.py', 'test_show.py'].map((name) =>
      join(SOURCES, name),
    );
    expect(await pytest('--quiet', ...files)).toMatch(/\b\d{3} passed in /);
  });

  it('fails a test of pytest with the verdict, and shows the line of the test', async () => {
    cpSync(join(SOURCES, 'test_layer.py'), join(EMPTY, 'test_layer.py'));
    const { stdout, status } = spawnSync(PYTHON, ['-m', 'pytest', '-p', 'no:cacheprovider', 'test_layer.py'], {
      cwd: EMPTY,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^E +conv2d\.WrongResult: db of db\nE +db: db is 0\.25 times the right one \(.*mean over the batch\)/m,
    );
    expect(stdout).toMatch(/^> +conv2d\.check\(dy=dy, db=my_db\(dy\)\)$/m);
    expect(stdout).not.toContain('_check.py');
  });

  describe.runIf(hasJupyter)('in a kernel of Jupyter', () => {
    it('runs the notebooks, which show the page beside each calculation', async () => {
      const printed = await runIn(EMPTY, PYTHON, join(SOURCES, 'run_notebooks.py'), ...NOTEBOOKS);
      const links: Readonly<Record<string, readonly string[]>> = JSON.parse(printed.split('\n').at(-2) ?? '');
      expect(Object.keys(links)).toEqual(NOTEBOOKS.map((file) => basename(file)));
      for (const link of Object.values(links).flat()) {
        const { complaints, missing } = await readLink(link);
        expect({ link, complaints, missing }).toEqual({ link, complaints: [], missing: [] });
      }
    });
  });

  describe('shows arrays', () => {
    let shown: Record<string, Shown> & { readonly limits: Limits };
    beforeAll(async () => {
      shown = JSON.parse(await runIn(EMPTY, PYTHON, join(SOURCES, 'shown.py')));
    });
    const of = (name: string): Shown => shown[name] ?? expect.fail(`nothing is shown as ${name}`);

    it('with the limits and the views of the page', () => {
      const { sizes, characters, views } = shown.limits;
      const most = Object.entries(SIZES).map(([name, size]) => [name.replace('padding.', ''), size.most]);
      expect(sizes).toEqual(Object.fromEntries(most));
      expect(characters).toBe(LINK_LIMITS.characters);
      expect(views).toEqual(MODES.filter((mode) => mode !== 'network'));
    });

    it.each(['defaults', 'all-arguments', 'real'])('by a link with their values: %s', async (name) => {
      const { link, x, w, b, dy } = of(name);
      const { problem, complaints, missing } = await readLink(link);
      expect({ complaints, missing }).toEqual({ complaints: [], missing: [] });
      const { data } = problem.x;
      expect([...data]).toEqual(x);
      const layer = shownLayer(problem, null);
      // The page has OIHW weights beside NCHW: Python has them as OHWI.
      const ordered = name === 'all-arguments' ? oihw(w, { k: 6, kh: 2, kw: 3, i: 2 }) : w;
      expect([...layer.w.data]).toEqual(ordered);
      expect(layer.b ? [...layer.b.data] : null).toEqual(b);
      expect([...(arrayOf(problem.loss) ?? dy.map(() => 1))]).toEqual(dy);
    });

    it('in a frame of a notebook and in a file, with the results of Python, without a request', async () => {
      const browser = await chromium.launch({ executablePath: process.env['CHROME_PATH'] ?? '', args: [...QUIET] });
      const inFrame = (page: Page) => page.frameLocator('iframe');
      for (const [name, file, within] of [
        ['defaults', 'defaults-notebook.html', inFrame],
        ['defaults', 'defaults.html', (page: Page) => page],
        ['all-arguments', 'all-arguments-notebook.html', inFrame],
      ] as const) {
        const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
        const seen: string[] = [];
        page.on('pageerror', ({ message }) => seen.push(message));
        page.context().on('request', (request) => {
          if (!/^(blob|data):/.test(request.url())) seen.push(request.url());
        });
        const address = pathToFileURL(join(EMPTY, file)).href;
        await page.goto(address);
        const results = of(name);
        for (const tensor of ['y', 'dx', 'dw', 'db'] as const) {
          const cells = within(page)
            .getByRole('grid', { name: new RegExp(`^${tensor}\\b`) })
            .getByRole('gridcell');
          const numbers = () =>
            cells.evaluateAll((all) => all.flatMap((cell) => cell.getAttribute('data-value') ?? []).map(Number));
          await expect.poll(numbers).toEqual((results.planes ?? results)[tensor]);
        }
        expect(seen).toEqual([address]);
        await page.close();
      }
      await browser.close();
    });
  });
});

interface Limits {
  readonly sizes: Readonly<Record<string, number>>;
  readonly characters: number;
  readonly views: readonly string[];
}

type Results = Readonly<Record<'y' | 'dx' | 'dw' | 'db', readonly number[]>>;

interface Shown extends Results {
  readonly link: string;
  readonly x: readonly number[];
  readonly w: readonly number[];
  readonly b: readonly number[] | null;
  readonly dy: readonly number[];
  /** What the page shows, of a problem with several planes. */
  readonly planes?: Results;
}

/** Weights in the order OHWI as OIHW. */
function oihw(
  values: readonly number[],
  { k, kh, kw, i }: Readonly<Record<'k' | 'kh' | 'kw' | 'i', number>>,
): number[] {
  const taps = kh * kw;
  return Array.from({ length: k * i * taps }, (_, at) => {
    const [filter, channel, tap] = [Math.floor(at / (i * taps)), Math.floor(at / taps) % i, at % taps];
    return values[(filter * taps + tap) * i + channel] ?? Number.NaN;
  });
}
