import { signal } from '@preact/signals';
import { Window } from 'happy-dom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AllPasses } from '../../../web/src/app/side/algorithms/AllPasses';
import { boundText, costText, fitFirst, memoryText } from '../../../web/src/app/side/algorithms/words';
import { Forced } from '../../../web/src/app/stage/Forced';
import { STARTING } from '../../../web/src/compute/status';
import type { AlgorithmInfo } from '../../../web/src/protocol/messages';
import { createStore } from '../../../web/src/state/store';
import type { ComputeAnswer, Store } from '../../../web/src/state/store-types';
import { errorOf, type Loaded, load } from '../contract/support';
import { notebook4 } from '../support/notebook4';

let loaded: Loaded;
let store: Store;
let revision = 0;

beforeAll(async () => {
  // Not the environment of the whole file: in it the module would be looked for with HTTP.
  vi.stubGlobal('document', new Window().document);
  loaded = await load('simd');
});

/** Case 4 of the notebook, with stride 1: Winograd's transforms are for that. The library that answers is the real one. */
beforeEach(async () => {
  store = createStore(notebook4());
  store.connect(async (request): Promise<ComputeAnswer> => {
    revision += 1;
    const ask = () => loaded.engine.compute(request, revision);
    try {
      return { status: 'done', result: ask() };
    } catch {
      return { status: 'failed', error: errorOf(ask) };
    }
  });
  await settled(() => store.setDesc({ stride_h: 1, stride_w: 1 }));
  act(() => render(<Everything />, document.body));
});
afterEach(() => {
  act(() => render(null, document.body));
});

const status = signal({ ...STARTING, variant: 'simd' as const });

const Everything = () => (
  <>
    <Forced store={store} />
    <AllPasses page={{ store, status }} />
  </>
);

/** Does something, and waits for the library's answer. */
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
}

function section(result: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('details')].find(
    (element) => element.querySelector('summary .symbol')?.textContent === result,
  );
  if (!found) throw new Error(`nothing about ${result}`);
  return found;
}

const summary = (result: string) => section(result).querySelector('summary')?.textContent ?? '';

/** The row of an algorithm: its button, and everything that is said of it. */
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
  it('are those of the library for this problem, each with its sentence', () => {
    const { algorithms } = store.shown.value?.result ?? {};
    const lists = { y: 'forward', dx: 'backward_data', dw: 'backward_weights', db: 'backward_bias' } as const;
    for (const [result, pass] of Object.entries(lists)) {
      const list = algorithms?.[pass] ?? [];
      expect(list.length).toBeGreaterThan(1);
      for (const { name, description } of list) expect(row(result, name).said).toContain(description);
    }
  });

  it('say of Winograd’s bounds, and of no others, that they are parts of the largest possible sum', () => {
    for (const result of ['y', 'dx', 'dw', 'db']) {
      const names = [...section(result).querySelectorAll('label code')].map((code) => code.textContent ?? '');
      for (const name of names) {
        const { said } = row(result, name);
        expect(said.includes('of the largest possible sum'), name).toBe(name.startsWith('winograd'));
        if (said.includes('rounding')) expect(said).toMatch(/rounding ≤ \S+ of the (largest possible|value’s own) sum/);
      }
      expect(names.filter((name) => name.startsWith('winograd'))).toHaveLength(['y', 'dx'].includes(result) ? 2 : 0);
    }
  });

  it('say which one ran, and in what time', () => {
    const ran = store.shown.value?.result.runs.forward?.algorithm ?? '';
    expect(summary('y')).toMatch(new RegExp(`^y by ${ran} in (under )?[0-9.]+ ms`));
    expect(row('y', ran).said).toContain('ran');
  });

  it('are forced by a click, and run then; a click releases them outside of the tab too', async () => {
    await settled(() => row('y', 'winograd_2x2').button.click());
    expect(store.problem.value.algorithms).toEqual({ forward: 'winograd_2x2' });
    expect(summary('y')).toContain('y by winograd_2x2');
    expect(chips().map((chip) => chip.textContent)).toEqual(['y by winograd_2x2 ×: let the library choose again']);
    await settled(() => chips()[0]?.click());
    expect(store.problem.value.algorithms).toEqual({});
    expect(summary('y')).not.toContain('winograd_2x2');
    expect(chips()).toEqual([]);
  });

  it('are released where they were chosen', async () => {
    await settled(() => row('dx', 'gather').button.click());
    expect(summary('dx')).toContain('dx by gather');
    await settled(() => section('dx').querySelector('input')?.click());
    expect(store.problem.value.algorithms).toEqual({});
    expect(alerts()).toEqual([]);
  });

  it('say why not; one that is chosen all the same is refused in words, and the one before stays chosen', async () => {
    await settled(() => store.setDesc({ stride_h: 2, stride_w: 2 }));
    const { button, said } = row('y', 'winograd_2x2');
    expect(said).toContain('Not here: its tiles overlap by 2 cells, which needs stride 1.');
    await settled(() => button.click());
    expect(alerts()).toEqual([
      'algorithm winograd_2x2 cannot run here: its tiles overlap by 2 cells, which needs stride 1',
    ]);
    expect(button.checked).toBe(false);
    expect(section('y').querySelector('input')?.checked).toBe(true);
    expect(chips()).toEqual([]);
  });

  it('say it when one that was chosen before does not allow an edit', async () => {
    await settled(() => row('y', 'winograd_2x2').button.click());
    await settled(() => store.setDesc({ stride_h: 2, stride_w: 2 }));
    expect(store.problem.value.desc.stride_h).toBe(1);
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]).toContain('winograd_2x2 cannot run here: its tiles overlap by 2 cells, which needs stride 1.');
    await settled(() => chips()[0]?.click());
    expect(alerts()).toEqual([]);
  });
});

describe('words for an algorithm', () => {
  const info = (name: string, cost: number, supported = true): AlgorithmInfo => ({
    ...{ name, cost, supported, description: '', reason: '', workspace_floats: 0, error_bound: 0, mixes_cells: false },
  });

  it('come in the library’s order, those that cannot run last', () => {
    const list = [info('first', 9), info('unfit', 0, false), info('second', 2)];
    expect(fitFirst(list).map(({ name }) => name)).toEqual(['first', 'second', 'unfit']);
  });

  it('set a cost beside the cheapest', () => {
    expect(costText(200, 200)).toBe('the cheapest');
    expect(costText(204, 200)).toBe('about the cheapest');
    expect(costText(300, 200)).toBe('1.5 times the cheapest');
    expect(costText(246_800, 200)).toBe('1,234 times the cheapest');
  });

  it('tell memory in bytes, four to a number', () => {
    expect([0, 25, 384, 262_144, 5_242_880].map(memoryText)).toEqual([
      'no extra memory',
      '100 bytes extra',
      '1.5 KiB extra',
      '1 MiB extra',
      '20 MiB extra',
    ]);
  });

  it('tell a bound, and what it is a part of', () => {
    // 9 * 2^-24 = 5.36e-7.
    expect(boundText({ error_bound: 9, mixes_cells: false })).toBe('rounding ≤ 5.4·10⁻⁷ of the value’s own sum');
    expect(boundText({ error_bound: 9, mixes_cells: true })).toBe('rounding ≤ 5.4·10⁻⁷ of the largest possible sum');
    expect(boundText({ error_bound: 0, mixes_cells: false })).toBe('rounded once');
  });
});
