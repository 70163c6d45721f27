import { useEffect, useRef } from 'preact/hooks';
import { packLink } from '../../link/compress';
import { type ConvDesc, PASSES } from '../../protocol/problem';
import type { RaceResult } from '../../protocol/race';
import { flat } from '../../protocol/shapes';
import { Button } from '../../ui/controls/Button';
import { Checkbox, FileButton } from '../../ui/controls/Choice';
import { Progress } from '../../ui/notices';
import { fullUrl } from '../page/clipboard';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { StageNotices } from '../stage/Stage';
import { Facts, HowMeasured } from './Facts';
import {
  isOfOtherProblems,
  parseSetup,
  type RaceRecord,
  recordJson,
  recordText,
  requestOf,
  type Setup,
  secondsOf,
  setupText,
} from './record';
import { type RaceSession, raceSessionOf } from './session';
import { lengthText, PASS_NAMES, TaskBars } from './TaskBars';
import './race.css';

const STATUS = {
  idle: '',
  running: '',
  done: 'Race finished.',
  cancelled: 'Canceled. The finished results are shown.',
};

/** Races several implementations of the convolution on the page, on this device. */
export function RaceRoom({ page }: { readonly page: Page }) {
  const { look, store } = page;
  const session = raceSessionOf(page);
  const room = useRef<HTMLElement>(null);
  const setup = parseSetup(look.race.value ?? '');
  const times = look.times.value;
  const state = session.state.value;
  useEffect(() => {
    room.current?.focus({ preventScroll: true });
    // Leaving the room cancels the race, which ends the worker and frees its memory.
    return () => {
      if (session.state.peek().status === 'running') session.cancel();
    };
  }, [session]);
  useEffect(() => {
    if (times !== null) session.openText(times, look.race.peek() ?? '');
  }, [session, times, look]);
  return (
    <main ref={room} class="race" id="stage" tabIndex={-1} aria-labelledby="race-title">
      <div class="race__head">
        <h2 id="race-title">Race on this device</h2>
        <Button
          onClick={() => {
            look.race.value = null;
            look.times.value = null;
          }}
        >
          Back to the problem
        </Button>
      </div>
      <StageNotices page={page} />
      <div class="race__columns">
        <div class="race__side">
          <p class="race__note">
            The race times the convolution on this page in several implementations: plain loops, im2col with a matrix
            product, and the library’s choice. All get the same random numbers and run in turns. Each is checked against
            double-precision sums before it is timed.
          </p>
          {isOfOtherProblems(look.race.value ?? '') && (
            <p class="race__note" role="status">
              This link names races of other problems. This version of the page races the problem that it shows.
            </p>
          )}
          {state.status === 'running' ? (
            <Progress label={state.what} fraction={state.fraction} onCancel={session.cancel} />
          ) : (
            <Button kind="primary" disabled={setup.passes.length === 0} onClick={() => session.start(setup)}>
              Start race
            </Button>
          )}
          <SetupFields
            setup={setup}
            current={store.problem.value.desc}
            onChange={(next) => {
              look.race.value = setupText(next);
            }}
          />
          <p role="status" class="race__status">
            {state.status !== 'failed' && STATUS[state.status]}
          </p>
          {state.status === 'failed' && <p role="alert">The race failed: {state.message}.</p>}
          {session.refusal.value !== '' && <p role="alert">{session.refusal.value}</p>}
          <Share page={page} session={session} />
          <div class="race__about">
            <h3>This browser</h3>
            <Facts record={session.own.value?.record ?? null} />
            <HowMeasured />
          </div>
        </div>
        <Results session={session} />
      </div>
    </main>
  );
}

interface SetupFieldsProps {
  readonly setup: Setup;
  readonly current: ConvDesc;
  readonly onChange: (setup: Setup) => void;
}

function SetupFields({ setup, current, onChange }: SetupFieldsProps) {
  const { passes, every, careful } = setup;
  const count = passes.length;
  const length = lengthText(secondsOf(requestOf(setup, current)));
  return (
    <>
      <p class="race__note">
        {count === 0 ? 'Nothing selected.' : `${count} ${count === 1 ? 'race' : 'races'}, about ${length}.`}
      </p>
      <fieldset class="race__choices">
        <legend>Results</legend>
        {PASSES.map((pass) => (
          <Checkbox
            key={pass}
            label={PASS_NAMES[pass]}
            checked={passes.includes(pass)}
            onChange={(on) =>
              onChange({ ...setup, passes: PASSES.filter((each) => (each === pass ? on : passes.includes(each))) })
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label="All algorithms of the library"
        checked={every}
        onChange={(on) => onChange({ ...setup, every: on })}
      />
      <Checkbox
        label="Three times as many rounds"
        checked={careful}
        onChange={(on) => onChange({ ...setup, careful: on })}
      />
    </>
  );
}

/** Bytes of a saved race that is opened. */
const MOST_FILE = 2 ** 23;

/** Saves the results as a file, copies a link with their times, or opens a saved race. */
function Share({ page, session }: { readonly page: Page; readonly session: RaceSession }) {
  const { copy, outcome } = useCopy();
  const own = session.own.value;
  const open = async (file: File) => {
    // A file that is too large or cannot be read is refused like one that is no race.
    const text = file.size > MOST_FILE ? '' : await file.text().catch(() => '');
    const setup = session.openFile(text);
    if (setup !== null) page.look.race.value = setup;
  };
  const opener = (
    <FileButton label="Saved race" accept=".json,application/json" onFile={(file) => void open(file)}>
      Open saved race
    </FileButton>
  );
  if (!own?.record.results.some(isRun)) return <div class="race__share">{opener}</div>;
  const { record, setup } = own;
  const link = async () => {
    const { problem, look } = page.address.seen();
    const { hash } = await packLink({ problem, look: { ...look, race: setup, times: recordText(record) } });
    return fullUrl(hash);
  };
  const json = () => new Blob([recordJson(record, setup, new Date())], { type: 'application/json' });
  return (
    <div class="race__share">
      <Button onClick={() => saveFile('race.json', json())}>Save as JSON</Button>
      <Button onClick={() => void copy('Link', link())}>Copy link with times</Button>
      {opener}
      {outcome}
      <p class="race__note">
        Anyone with the link sees these times and can race against them. File and link contain only the browser, its
        number of processors and the times.
      </p>
    </div>
  );
}

const isRun = (result: RaceResult | null): result is RaceResult => result !== null;

/** The results of this device with those of another device beside them, or either alone. */
function Results({ session }: { readonly session: RaceSession }) {
  const [own, other] = [session.own.value?.record, session.other.value];
  const shown = own?.results.some(isRun) ? own : other;
  if (!shown) {
    return (
      <div class="race__results race__results--empty">
        <p>Results appear here: bars and a table of all times. Press “Start race” to begin.</p>
      </div>
    );
  }
  return (
    <div class="race__results">
      {other && (
        <p class="race__other">
          {shown === other ? 'Shown: ' : 'Hatched: '}
          another device, {other.engine}
          {other.cores > 0 && `, ${other.cores} processors`}.{' '}
          {shown === other && 'Start a race to compare this device. '}
          <Button onClick={session.removeOther}>Remove</Button>
        </p>
      )}
      {shown.results.filter(isRun).map((result) => (
        <TaskBars
          key={result.pass}
          result={result}
          ceilings={shown.ceilings}
          other={shown === other ? null : counterpart(other, result)}
        />
      ))}
    </div>
  );
}

const sizesOf = (desc: ConvDesc): string => Object.entries(flat(desc)).sort().join();

/** The race of the same pass and sizes: the problem may have changed since. */
const counterpart = (other: RaceRecord | null, { desc, pass }: RaceResult): RaceResult | null =>
  other?.results.find((result) => result?.pass === pass && sizesOf(result.desc) === sizesOf(desc)) ?? null;
