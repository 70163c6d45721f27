import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { Comparison } from '../../../web/src/app/compare/Comparison';
import type { Page } from '../../../web/src/app/page/page';
import { createStore } from '../../../web/src/state/store';

/** What a comparison says about links that do not open. */

vi.mock('../../../web/src/app/stage/Stage', () => ({
  Stage: () => <p>the view</p>,
}));
vi.mock('../../../web/src/app/compare/CompareIframe', () => ({ CompareIframe: () => null }));
vi.mock('../../../web/src/app/compare/Differences', () => ({ Differences: () => <p>the tables</p> }));
vi.mock('../../../web/src/compute/client', () => ({
  ComputeClient: class {
    compute() {
      return new Promise(() => undefined);
    }
    dispose() {}
  },
}));

afterEach(() => act(() => render(null, document.body)));

const pageWith = (fields: object): Page =>
  ({
    look: { with: signal(null), mode: signal('board'), ...fields },
    store: createStore(),
    scene: signal(null),
    address: {},
  }) as unknown as Page;

const said = () => document.querySelector('.compare__head .notice')?.textContent ?? '';

test('a second problem that is too large says so', async () => {
  act(() => render(<Comparison page={pageWith({ with: signal('h=3000&w=3000&kh=3') })} />, document.body));
  await vi.waitFor(() => expect(said()).toMatch(/^This problem is too large to compare\. Open it on its own\./));
});

test('a second problem that does not fit together says why', async () => {
  act(() => render(<Comparison page={pageWith({ with: signal('h=3&kh=7') })} />, document.body));
  await vi.waitFor(() => expect(said()).toMatch(/^The link was not opened: its problem has sizes/));
});

test('the sentence goes when another link is chosen', async () => {
  const link = signal('h=3&kh=7');
  act(() => render(<Comparison page={pageWith({ with: link })} />, document.body));
  await vi.waitFor(() => expect(said()).not.toBe(''));
  act(() => {
    link.value = 'h=5&kh=3';
  });
  await vi.waitFor(() => expect(document.body.textContent).toContain('the tables'));
  expect(said()).toBe('');
});
