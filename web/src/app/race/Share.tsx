import { useRef, useState } from 'preact/hooks';
import { packLink } from '../../link/pack-link';
import { Button } from '../../ui/controls/Button';
import { addressOf } from '../copy-link';
import type { Page } from '../page';
import type { RaceDesk } from './desk';
import { MOST_BYTES } from './record-file';

interface ShareProps {
  readonly page: Page;
  readonly desk: RaceDesk;
  /** A file was opened: what it raced. */
  readonly onOpened: (setup: string) => void;
}

/** The result as a file, as a link to compare with, and the way back. */
export function Share({ page, desk, onOpened }: ShareProps) {
  const file = useRef<HTMLInputElement>(null);
  const [said, say] = useState('');
  const own = desk.own.value;
  const some = own?.record.results.some((result) => result !== null) ?? false;
  const copy = async () => {
    const { problem, look } = page.address.seen();
    try {
      const { hash } = await packLink({ problem, look: { ...look, race: own?.setup ?? null, times: desk.text() } });
      await navigator.clipboard.writeText(addressOf(hash));
      say('Link copied. Who opens it sees these times, and can race against them.');
    } catch {
      say(
        'The link was not copied: the browser did not allow it, or a part of the page could not be fetched. Try again.',
      );
    }
  };
  const open = async (chosen: File) => {
    if (chosen.size > MOST_BYTES) {
      say('This file is larger than any record of a race.');
      return;
    }
    const setup = desk.openFile(await chosen.text());
    say(setup === null ? '' : `${chosen.name} is shown beside the times of this device.`);
    if (setup !== null) onOpened(setup);
  };
  return (
    <div class="race__share">
      {some && (
        <>
          <Button onClick={() => save('race.json', desk.json())}>Save as JSON</Button>
          <Button onClick={() => void copy()}>Copy a link to compare with</Button>
        </>
      )}
      <Button onClick={() => file.current?.click()}>Open a saved race</Button>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        class="visually-hidden"
        aria-label="A saved race"
        tabIndex={-1}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (chosen) void open(chosen);
        }}
      />
      <p role="status">{said}</p>
      {some && (
        <p class="race__note">
          File and link say which browser this is, how many processors it says it has, and the times; nothing else.
        </p>
      )}
    </div>
  );
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
