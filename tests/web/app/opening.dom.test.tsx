import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileDrop } from '../../../web/src/app/deferred/FileDrop';
import type { SheetProps } from '../../../web/src/app/features/feature';
import type { WholeProblem } from '../../../web/src/app/numbers/open-import';
import type { OpenedArrays } from '../../../web/src/app/numbers/opened-arrays';
import type { Page } from '../../../web/src/app/page/page';
import { useSheet } from '../../../web/src/app/use-sheet';
import { createStore } from '../../../web/src/state/store';

/** Opening files, texts and dialogs while others are still loading. */

/** Resolvers of files that are being read, by name. */
const reading = new Map<string, (read: OpenedArrays | WholeProblem) => void>();
vi.mock('../../../web/src/app/numbers/open-import', () => ({
  openImport: (from: readonly File[] | string) =>
    new Promise((resolve) => reading.set(typeof from === 'string' ? '' : (from[0]?.name ?? ''), resolve)),
  ImportSheet: ({ numbers, onClose }: { numbers: OpenedArrays; onClose: () => void }) => (
    <button type="button" onClick={onClose}>
      {numbers.name}
    </button>
  ),
}));
/** Dialog modules that load when the test says so. */
const loading = vi.hoisted(() => {
  const gate = () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };
  return { keys: gate(), export: gate() };
});
vi.mock('../../../web/src/app/help/KeysSheet', async () => {
  await loading.keys.opened;
  return { KeysSheet: () => <p>keys</p> };
});
vi.mock('../../../web/src/app/export/ExportSheet', async () => {
  await loading.export.opened;
  return { ExportSheet: () => <p>export</p> };
});

beforeEach(() => reading.clear());
afterEach(() => act(() => render(null, document.body)));

const ended: string[] = [];
function opened(name: string): OpenedArrays {
  return { name, opened: { refusal: { reason: '', position: null } }, at: null, end: () => void ended.push(name) };
}

function dropping() {
  ended.length = 0;
  const store = createStore();
  const refusal = signal<{ error: { code: string; message: string } } | null>(null);
  const goTo = vi.fn();
  const page = {
    store,
    look: { pinned: signal(null) },
    currentContent: signal(null),
    client: {},
    images: { refusal, origins: new Map(), channels: signal(1) },
    address: { goTo },
  } as unknown as Page;
  act(() => render(<FileDrop page={page} />, document.body));
  return { store, refusal, goTo };
}

async function drop(name: string): Promise<void> {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types: ['Files'], files: [new File(['1'], name)] } });
  act(() => void window.dispatchEvent(event));
  await vi.waitFor(() => expect(reading.has(name)).toBe(true));
}

const arrives = (name: string, read: OpenedArrays | WholeProblem) => act(async () => reading.get(name)?.(read));
const shown = () => document.body.textContent;
const WHOLE: WholeProblem = { file: { name: 'problem.json', link: 'h=5', knownInputs: {} } };

describe('two dropped files', () => {
  test('show the later one, even if the earlier one loads last', async () => {
    dropping();
    await drop('slow.npy');
    await drop('quick.npy');
    await arrives('quick.npy', opened('quick.npy'));
    await arrives('slow.npy', opened('slow.npy'));
    expect(shown()).toBe('quick.npy');
    expect(ended).toEqual(['slow.npy']);
  });

  test('do not show an earlier problem that loads last', async () => {
    const { goTo } = dropping();
    await drop('slow.json');
    await drop('quick.npy');
    await arrives('quick.npy', opened('quick.npy'));
    await arrives('slow.json', WHOLE);
    expect(goTo).not.toHaveBeenCalled();
  });
});

describe('while a dialog is open', () => {
  const dialog = () => document.body.appendChild(Object.assign(document.createElement('dialog'), { open: true }));
  /** The event with a file, sent to the window or an element of the dialog. */
  function send(type: string, target: EventTarget = window) {
    const event = new Event(type, { bubbles: true, cancelable: true });
    const transfer = { types: ['Files'], files: [new File(['1'], 'x.npy')], dropEffect: 'copy', getData: () => '1 2' };
    Object.assign(event, { dataTransfer: transfer, clipboardData: transfer });
    act(() => void target.dispatchEvent(event));
    return { event, transfer };
  }

  test('a dropped file opens nothing behind it, and does not replace the page', async () => {
    dropping();
    const box = dialog();
    const { transfer } = send('dragover');
    expect([transfer.dropEffect, document.querySelector('.drop')]).toEqual(['none', null]);
    expect(send('drop').event.defaultPrevented).toBe(true);
    await vi.dynamicImportSettled();
    expect(reading.size).toBe(0);
    box.remove();
  });

  test('a box of the dialog can accept the file', () => {
    dropping();
    const box = dialog();
    const area = box.appendChild(document.createElement('textarea'));
    area.addEventListener('dragover', (event) => event.preventDefault());
    expect(send('dragover', area).transfer.dropEffect).toBe('copy');
    box.remove();
  });

  test.each(['files', 'text'])('pasted %s open nothing behind it', async (what) => {
    dropping();
    const box = dialog();
    const event = new Event('paste', { bubbles: true, cancelable: true });
    const files = what === 'files' ? [new File(['1'], 'x.npy')] : [];
    Object.assign(event, { clipboardData: { files, getData: () => '1 2 3' } });
    act(() => void document.body.dispatchEvent(event));
    await vi.dynamicImportSettled();
    expect(reading.size).toBe(0);
    box.remove();
  });
});

describe('a pasted link of this page', () => {
  test.each(['', 'index.html', 'index'])('is opened where the address ends in “%s”', (end) => {
    const { goTo } = dropping();
    history.replaceState(null, '', `/conv/${end}`);
    for (const other of ['', 'index.html', 'index']) {
      const event = new Event('paste', { bubbles: true, cancelable: true });
      const text = `${location.origin}/conv/${other}#h=5&kh=3`;
      Object.assign(event, { clipboardData: { files: [], getData: () => text } });
      act(() => void document.body.dispatchEvent(event));
    }
    expect(goTo.mock.calls).toEqual([['h=5&kh=3'], ['h=5&kh=3'], ['h=5&kh=3']]);
    history.replaceState(null, '', '/');
  });
});

describe('an edit while a file is loading', () => {
  test('wins over a whole problem, with a message', async () => {
    const { store, refusal, goTo } = dropping();
    await drop('problem.json');
    store.setDesc({ h: 9 });
    await arrives('problem.json', WHOLE);
    expect(goTo).not.toHaveBeenCalled();
    expect(refusal.value?.error).toMatchObject({
      code: 'stale',
      message: 'problem.json was not opened, because you changed something while it was loading. Open it again.',
    });
  });

  test('does not prevent the import dialog', async () => {
    const { store } = dropping();
    await drop('x.npy');
    store.setDesc({ h: 9 });
    await arrives('x.npy', opened('x.npy'));
    expect(shown()).toBe('x.npy');
  });

  test('is not assumed without a change', async () => {
    const { goTo } = dropping();
    await drop('problem.json');
    await arrives('problem.json', WHOLE);
    expect(goTo).toHaveBeenCalledExactlyOnceWith('h=5', {});
  });
});

describe('the file reader', () => {
  test('ends when its dialog is removed', async () => {
    dropping();
    await drop('x.npy');
    await arrives('x.npy', opened('x.npy'));
    expect(ended).toEqual([]);
    act(() => render(null, document.body));
    expect(ended).toEqual(['x.npy']);
  });

  test('ends if the page was removed before the file was read', async () => {
    dropping();
    await drop('x.npy');
    act(() => render(null, document.body));
    await arrives('x.npy', opened('x.npy'));
    expect(ended).toEqual(['x.npy']);
  });
});

describe('a pasted text', () => {
  const paste = (text: string) => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files: [], getData: () => text } });
    act(() => void document.body.dispatchEvent(event));
    return event.defaultPrevented;
  };
  const here = () => `${location.origin}${location.pathname}`;

  test.each(['#h=5&kh=3', '?a=1#h=5&kh=3'])('is opened if it is a link to this page: %s', (rest) => {
    const { goTo } = dropping();
    expect(paste(` ${here()}${rest}\n`)).toBe(true);
    expect(goTo).toHaveBeenCalledExactlyOnceWith('h=5&kh=3');
    expect(reading.size).toBe(0);
  });

  test.each(['https://elsewhere.example/#h=5', `${here()}#h=5 and more`, '[1, 2]'])(
    'is otherwise read as an array: %s',
    async (text) => {
      const { goTo } = dropping();
      paste(text);
      await vi.waitFor(() => expect(reading.has('')).toBe(true));
      expect(goTo).not.toHaveBeenCalled();
    },
  );
});

describe('a requested dialog', () => {
  /** The hook in a document. */
  function open() {
    let hook: ReturnType<typeof useSheet> | null = null;
    function Sheets() {
      hook = useSheet(vi.fn());
      const { sheet } = hook;
      return sheet && <sheet.Sheet key={sheet.id} {...({ onClose: sheet.onClose } as SheetProps)} />;
    }
    act(() => render(<Sheets />, document.body));
    return (): ReturnType<typeof useSheet> => hook ?? expect.fail('not rendered');
  }

  test('is shown if it is the last one', async () => {
    const { show } = open()();
    show('export');
    show('keys');
    await act(async () => loading.keys.open());
    await vi.waitFor(() => expect(shown()).toBe('keys'));
    await act(async () => loading.export.open());
    await act(async () => void (await vi.dynamicImportSettled()));
    expect(shown()).toBe('keys');
  });

  test('stays when the end of the one before is reported late', async () => {
    loading.keys.open();
    const hook = open();
    const next = async () => {
      const before = hook().sheet?.id;
      hook().show('keys');
      await vi.waitFor(() => expect(hook().sheet?.id).not.toBe(before));
      return hook().sheet?.onClose ?? expect.fail('not shown');
    };
    const closeFirst = await next();
    const closeSecond = await next();
    act(closeFirst);
    expect(shown()).toBe('keys');
    act(closeSecond);
    expect(document.body.textContent).toBe('');
  });
});
