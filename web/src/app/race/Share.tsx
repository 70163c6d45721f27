import { packLink } from '../../link/compress';
import { Button } from '../../ui/controls/Button';
import { FileButton } from '../../ui/controls/Choice';
import { fullUrl } from '../page/clipboard';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { MOST_BYTES } from './record-file';
import type { RaceSession } from './session';

interface ShareProps {
  readonly page: Page;
  readonly session: RaceSession;
  /** Called with the setup of an opened file. */
  readonly onOpened: (setup: string) => void;
}

/** Saves the results as a file or a link, and opens saved files. */
export function Share({ page, session, onOpened }: ShareProps) {
  const { copy, say, outcome } = useCopy();
  const own = session.own.value;
  const some = own?.record.results.some((result) => result !== null) ?? false;
  const link = async () => {
    const { problem, look } = page.address.seen();
    const { hash } = await packLink({ problem, look: { ...look, race: own?.setup ?? null, times: session.text() } });
    return fullUrl(hash);
  };
  const open = async (chosen: File) => {
    if (chosen.size > MOST_BYTES) {
      say('This file is too large for a saved race.');
      return;
    }
    const setup = session.openFile(await chosen.text());
    say(setup === null ? '' : `The times of ${chosen.name} are shown beside those of this device.`);
    if (setup !== null) onOpened(setup);
  };
  return (
    <div class="race__share">
      {some && (
        <>
          <Button onClick={() => saveFile('race.json', new Blob([session.json()], { type: 'application/json' }))}>
            Save as JSON
          </Button>
          <Button onClick={() => void copy('Link', link())}>Copy link with times</Button>
        </>
      )}
      <FileButton label="Saved race" accept=".json,application/json" onFile={(chosen) => void open(chosen)}>
        Open saved race
      </FileButton>
      {outcome}
      {some && (
        <p class="race__note">
          Anyone with the link sees these times and can race against them. File and link contain only the browser, its
          number of processors and the times.
        </p>
      )}
    </div>
  );
}
