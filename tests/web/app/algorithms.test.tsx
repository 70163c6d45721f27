import { signal } from '@preact/signals';
import { Window } from 'happy-dom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AlgorithmsTab,
  boundText,
  costText,
  fitFirst,
  memoryText,
  ratioText,
  timeText,
} from '../../../web/src/app/algorithms/AlgorithmsTab';
import type { Page } from '../../../web/src/app/page/page';
import { ForcedAlgorithms } from '../../../web/src/app/stage/ViewOptions';
import { type ComputeClient, STARTING } from '../../../web/src/compute/client';
import type { ComputeResult, Outcome, QuestionRequest } from '../../../web/src/protocol/messages';
import type { Hidden } from '../../../web/src/protocol/problem';
import type { AlgorithmInfo, CompareRow, Comparison } from '../../../web/src/protocol/questions';
import { createStore, type Store } from '../../../web/src/state/store';
import { errorOf, type Loaded, load } from '../contract/support';
import { notebook4 } from '../support/notebook4';
import { layerOf } from '../support/problems';

let loaded: Loaded;
let store: Store;
let revision = 0;
/** Revision of the last answer. */
let answered = 0;

/** Milliseconds of each algorithm of a pass, in the library's order. */
let measured: (pass: string, at: number) => number = () => 1;
/** Holds the answers to questions about times. */
let gate: Promise<void> = Promise.resolve();
let stopped = 0;

/** A client that answers with the real library, except for the times. */
const client = {
  async ask(request: QuestionRequest) {
    const { question } = request;
    if (question.kind === 'compare') {
      expect(question).toMatchObject({ algorithms: 'all', timed: true });
      const { timed: _, ...once } = question;
      const { rows } = loaded.engine.ask(request.revision, once);
      const timed = rows.map((row, at): CompareRow => ({ ...row, milliseconds: measured(question.pass, at) }));
      await gate;
      return {
        status: 'done',
        result: { type: 'question', answer: { pass: question.pass, rows: timed } as Comparison },
      };
    }
    const result = loaded.engine.answer(request, 0);
    answered = request.revision;
    return { status: 'done', result };
  },
  stopQuestion: () => {
    stopped += 1;
  },
} as unknown as ComputeClient;

beforeAll(async () => {
  // Not a DOM environment for the whole file: there the module would be requested over HTTP.
  vi.stubGlobal('document', new Window().document);
  loaded = await load('simd');
});

/** Case 4 of the notebook, with stride 1, which Winograd needs. */
beforeEach(async () => {
  store = createStore(notebook4());
  page = { store, client, status, look: { hiddenCells } } as unknown as Page;
  hiddenCells.value = [];
  measured = () => 1;
  gate = Promise.resolve();
  store.connect(async (request): Promise<Outcome<ComputeResult>> => {
    revision += 1;
    const ask = () => loaded.engine.compute(request, revision);
    try {
      return { status: 'done', result: ask() };
    } catch {
      return { status: 'failed', error: errorOf(ask) };
    }
  });
  await settled(() => {
    store.setDesc({ stride_h: 1, stride_w: 1 });
    render(<Everything />, document.body);
  });
});
afterEach(() => {
  act(() => render(null, document.body));
});

const status = signal({ ...STARTING, variant: 'simd' as const });
const hiddenCells = signal<readonly Hidden[]>([]);
let page: Page;

const Everything = () => (
  <>
    <ForcedAlgorithms store={store} />
    <AlgorithmsTab page={page} />
  </>
);

/** Runs `deed` and waits for the library's answer. */
async function settled(deed: () => void): Promise<void> {
  await act(async () => {
    deed();
    await new Promise<void>((resolve) => {
      let stop = () => {};
      stop = store.progress.subscribe(({ status: now }) => {
        if (now === 'computing') return;
        queueMicrotask(() => {
          stop();
          resolve();
        });
      });
    });
  });
  const current = store.shown.value?.revision;
  await vi.waitUntil(async () => {
    await act(async () => void (await new Promise((next) => setTimeout(next))));
    return answered === current;
  });
}

function section(result: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('details')].find(
    (element) => element.querySelector('summary .symbol')?.textContent === result,
  );
  if (!found) throw new Error(`no section for ${result}`);
  return found;
}

const summary = (result: string) => section(result).querySelector('summary')?.textContent ?? '';

/** The row of an algorithm: radio button and text. */
function row(result: string, name: string): { readonly button: HTMLInputElement; readonly said: string } {
  const label = [...section(result).querySelectorAll('label')].find(
    (element) => element.querySelector('code')?.textContent === name,
  );
  const button = label?.querySelector('input');
  if (!label || !button) throw new Error(`no ${name} for ${result}`);
  return { button, said: label.textContent ?? '' };
}

const alerts = () => [...document.querySelectorAll('[role=alert]')].map((element) => element.textContent);
const chips = () => [...document.querySelectorAll<HTMLElement>('.forced__release')];

describe('the algorithms of each pass', () => {
  it('are those of the library for this problem, with their descriptions', () => {
    const algorithms = loaded.engine.ask(revision, { kind: 'algorithms' });
    const lists = { y: 'forward', dx: 'backward_data', dw: 'backward_weights', db: 'backward_bias' } as const;
    for (const [result, pass] of Object.entries(lists)) {
      const list = algorithms[pass];
      expect(list.length).toBeGreaterThan(1);
      for (const { name, description } of list) expect(row(result, name).said).toContain(description);
    }
  });

  it('give bounds relative to the largest possible sum for Winograd only', () => {
    for (const result of ['y', 'dx', 'dw', 'db']) {
      const names = [...section(result).querySelectorAll('label code')].map((code) => code.textContent ?? '');
      for (const name of names) {
        const { said } = row(result, name);
        expect(said.includes('× largest possible sum'), name).toBe(name.startsWith('winograd'));
        if (said.includes('error ≤')) expect(said).toMatch(/error ≤ \S+ × (largest possible sum|Σ\|a·b\|)/);
      }
      expect(names.filter((name) => name.startsWith('winograd'))).toHaveLength(result === 'db' ? 0 : 2);
    }
  });

  it('show the library’s choice with its bound, also while another one is forced', async () => {
    const choice = store.shown.value?.runs.forward?.algorithm ?? '';
    const said = () => section('y').querySelector('label')?.textContent ?? '';
    const [, bound = ''] = /(error ≤ \S+ × (?:largest possible sum|Σ\|a·b\|))/.exec(row('y', choice).said) ?? [];
    expect(bound).not.toBe('');
    expect(said()).toContain(`Here: ${choice}, ${bound}.`);
    await settled(() => row('y', 'direct').button.click());
    expect(summary('y')).toContain('y by direct');
    expect(said()).toContain(`Here: ${choice}, ${bound}.`);
    await settled(() => section('y').querySelector('input')?.click());
  });

  it('show which one ran, and in what time', () => {
    const ran = store.shown.value?.runs.forward?.algorithm ?? '';
    expect(summary('y')).toMatch(new RegExp(`^y by ${ran} in (under )?[0-9.]+ ms`));
    expect(row('y', ran).said).toContain('ran');
  });

  it('are forced by a click, and released by a click on the chip outside the tab', async () => {
    await settled(() => row('y', 'winograd_2x2').button.click());
    expect(layerOf(store.problem.value).algorithms).toEqual({ forward: 'winograd_2x2' });
    expect(summary('y')).toContain('y by winograd_2x2');
    expect(chips().map((chip) => chip.textContent)).toEqual(['y by winograd_2x2 ×: let the library choose again']);
    await settled(() => chips()[0]?.click());
    expect(layerOf(store.problem.value).algorithms).toEqual({});
    expect(summary('y')).not.toContain('winograd_2x2');
    expect(chips()).toEqual([]);
  });

  it('are released in the tab', async () => {
    await settled(() => row('dx', 'gather').button.click());
    expect(summary('dx')).toContain('dx by gather');
    await settled(() => section('dx').querySelector('input')?.click());
    expect(layerOf(store.problem.value).algorithms).toEqual({});
    expect(alerts()).toEqual([]);
  });

  it('show why one is unsupported; choosing it is refused with the reason and changes nothing', async () => {
    await settled(() => store.setDesc({ stride_h: 2, stride_w: 2 }));
    const { button, said } = row('y', 'winograd_2x2');
    expect(said).toContain('Not available: its tiles overlap by 2 cells, which needs stride 1.');
    await settled(() => button.click());
    expect(alerts()).toEqual([
      'algorithm winograd_2x2 cannot run here: its tiles overlap by 2 cells, which needs stride 1',
    ]);
    expect(button.checked).toBe(false);
    expect(section('y').querySelector('input')?.checked).toBe(true);
    expect(chips()).toEqual([]);
  });

  it('refuse an edit that the forced one does not support', async () => {
    await settled(() => row('y', 'winograd_2x2').button.click());
    await settled(() => store.setDesc({ stride_h: 2, stride_w: 2 }));
    expect(layerOf(store.problem.value).desc.stride_h).toBe(1);
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]).toContain('winograd_2x2 cannot run here: its tiles overlap by 2 cells, which needs stride 1.');
    await settled(() => chips()[0]?.click());
    expect(alerts()).toEqual([]);
  });
});

describe('the times of the algorithms', () => {
  const start = () => document.querySelector<HTMLButtonElement>('.times button');
  const results = () => [...document.querySelectorAll('.times [role=status] li')].map((item) => item.textContent);
  const next = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve))));

  async function time(): Promise<void> {
    act(() => start()?.click());
    await vi.waitUntil(async () => {
      await next();
      return results().length === 4;
    });
  }
  const order = (result: string) =>
    [...section(result).querySelectorAll('label code')].map((code) => code.textContent ?? '');

  it('are measured by a button, with the ratio to the fastest and the library’s choice', async () => {
    expect(start()?.textContent).toBe('Time them');
    expect(results()).toEqual([]);
    // The first of each list is the slowest, except for dw.
    const { forward } = loaded.engine.ask(revision, { kind: 'algorithms' });
    const choice = store.shown.value?.runs.forward?.algorithm ?? '';
    const last = forward.length - 1;
    measured = (pass, at) => (pass === 'backward_weights' ? 2 + at : 0.5 * (1 + last - Math.min(at, last)));
    await time();
    const at = forward.findIndex(({ name }) => name === choice);
    const [y, , dw] = results();
    expect(y).toBe(
      `y: reference is the fastest, 500 µs. The library’s choice, ${choice}, takes ${(1 + last - at) / 2} ms, ${1 + last - at}× the fastest.`,
    );
    const [first = ''] = order('dw');
    expect(dw).toMatch(new RegExp(`^dw: ${first} is the fastest, 2 ms`));
    expect(row('y', 'reference').said).toContain('500 µs fastest');
    expect(row('y', choice).said).toContain(`ms ${1 + last - at}× the fastest, the library’s choice`);
    expect(row('dw', first).said).toContain('2 ms fastest');
    expect(start()?.textContent).toBe('Time again');
  });

  it('say when the library’s choice is the fastest, also while another one is forced', async () => {
    const choice = store.shown.value?.runs.forward?.algorithm ?? '';
    const { forward } = loaded.engine.ask(revision, { kind: 'algorithms' });
    measured = (pass, at) => (pass === 'forward' && forward[at]?.name !== choice ? 9 : 3);
    await settled(() => row('y', choice === 'direct' ? 'winograd_2x2' : 'direct').button.click());
    await time();
    expect(results()[0]).toBe(`y: ${choice} is the fastest, 3 ms, and the library’s choice.`);
    expect(row('y', choice).said).toContain('library’s choice');
    await settled(() => section('y').querySelector('input')?.click());
  });

  it('leave out algorithms that are not available', async () => {
    await settled(() => store.setDesc({ stride_h: 2, stride_w: 2 }));
    await time();
    const { said } = row('y', 'winograd_2x2');
    expect(said).toContain('Not available');
    expect(said).not.toMatch(/\d ms/);
    expect(row('y', 'direct').said).toContain('1 ms fastest');
  });

  it('belong to one problem: an edit removes them', async () => {
    await time();
    await settled(() => store.setDesc({ dilation_h: 2 }));
    expect(results()).toEqual([]);
    expect(row('y', 'direct').said).not.toContain('fastest');
    expect(start()?.textContent).toBe('Time them');
  });

  it('stay while the tab is closed, and are measured again on request', async () => {
    await time();
    act(() => render(null, document.body));
    act(() => render(<Everything />, document.body));
    await next();
    expect(results()[0]).toContain('is the fastest, 1 ms');
    measured = () => 7;
    act(() => start()?.click());
    await vi.waitUntil(async () => {
      await next();
      return results().length === 4;
    });
    expect(results()[0]).toContain('is the fastest, 7 ms');
  });

  it('show progress and can be canceled', async () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    act(() => start()?.click());
    await vi.waitUntil(async () => {
      await next();
      return document.querySelector('.times progress') !== null;
    });
    expect(start()?.getAttribute('aria-disabled')).toBe('true');
    const button = (name: string) =>
      [...document.querySelectorAll<HTMLButtonElement>('.times button')].find(
        ({ textContent }) => textContent === name,
      );
    act(() => button('Cancel')?.click());
    expect(stopped).toBe(1);
    expect(document.querySelector('.times .notice')?.textContent).toContain('Canceled.');
    open();
    await next();
    act(() => button('Try again')?.click());
    await vi.waitUntil(async () => {
      await next();
      return results().length === 4;
    });
  });

  it('are not available while values are hidden', async () => {
    await time();
    act(() => {
      hiddenCells.value = [{ tensor: 'y', index: 0 }];
    });
    expect(results()).toEqual([]);
    expect(start()?.getAttribute('aria-disabled')).toBe('true');
    expect(document.querySelector('.times')?.textContent).toContain(
      'Not available while values are hidden. Reveal them first.',
    );
    act(() => start()?.click());
    expect(document.querySelector('.times progress')).toBeNull();
  });
});

describe('texts for an algorithm', () => {
  const info = (name: string, cost: number, supported = true): AlgorithmInfo => ({
    ...{ name, cost, supported, description: '', reason: '', workspace_floats: 0, error_bound: 0, mixes_cells: false },
  });

  it('list unsupported algorithms last, else in the library’s order', () => {
    const list = [info('first', 9), info('unfit', 0, false), info('second', 2)];
    expect(fitFirst(list).map(({ name }) => name)).toEqual(['first', 'second', 'unfit']);
  });

  it('give a cost relative to the lowest', () => {
    expect(costText(200, 200)).toBe('lowest cost');
    expect(costText(204, 200)).toBe('near the lowest cost');
    expect(costText(300, 200)).toBe('1.5× the lowest cost');
    expect(costText(246_800, 200)).toBe('1,234× the lowest cost');
  });

  it('give a time relative to the shortest', () => {
    expect(ratioText(2, 2)).toBe('fastest');
    expect(ratioText(3, 2)).toBe('1.5× the fastest');
    expect(ratioText(3, 0)).toBe('slower');
    expect(timeText(0.0042)).toBe('4.2 µs');
    expect(timeText(0)).toBe('too short to time');
  });

  it('give memory in bytes, four per float', () => {
    expect([0, 25, 384, 262_144, 5_242_880].map(memoryText)).toEqual([
      'no extra memory',
      '100 bytes extra',
      '1.5 KiB extra',
      '1 MiB extra',
      '20 MiB extra',
    ]);
  });

  it('give a bound and the sum that it is relative to', () => {
    // 9 * 2^-24 = 5.36e-7.
    expect(boundText({ error_bound: 9, mixes_cells: false })).toBe('error ≤ 5.4·10⁻⁷ × Σ|a·b|');
    expect(boundText({ error_bound: 9, mixes_cells: true })).toBe('error ≤ 5.4·10⁻⁷ × largest possible sum');
    expect(boundText({ error_bound: 0, mixes_cells: false })).toBe('rounded once');
  });
});
