import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import { AboutSheet } from '../../../web/src/app/help/AboutSheet';

afterEach(() => render(null, document.body));

test('About links the license notices of third parties', async () => {
  await act(() => render(<AboutSheet onClose={() => {}} />, document.body));
  const addresses = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  expect(addresses.filter((address) => /THIRD_PARTY_NOTICES[\w.-]*\.txt$/.test(address))).toHaveLength(1);
});
