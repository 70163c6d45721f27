import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { AboutSheet } from '../../../web/src/app/help/AboutSheet';

afterEach(() => render(null, document.body));

test('About links the license notices of third parties', async () => {
  await act(() => render(<AboutSheet onClose={() => {}} />, document.body));
  const addresses = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  expect(addresses.filter((address) => /THIRD_PARTY_NOTICES[\w.-]*\.txt$/.test(address))).toHaveLength(1);
});

test('About says what the page in one file cannot do, and only there', async () => {
  const about = async () => {
    await act(() => render(<AboutSheet onClose={() => {}} />, document.body));
    const text = document.body.textContent ?? '';
    render(null, document.body);
    return text;
  };
  expect(await about()).toContain('This page is one file');
  expect(await about()).not.toContain('may store nothing');
  vi.stubGlobal('sessionStorage', null);
  expect(await about()).toContain('may store nothing here');
  vi.unstubAllGlobals();
  // As text: happy-dom would load it.
  document.head.insertAdjacentHTML('beforeend', '<script type="module" src="page.js"></script>');
  expect(await about()).toContain('works offline after the first visit');
  expect(await about()).not.toContain('one file');
  document.head.querySelector('script')?.remove();
});
