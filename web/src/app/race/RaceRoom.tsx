import { useEffect, useRef } from 'preact/hooks';
import type { ConvDesc } from '../../protocol/problem';
import type { RaceResult } from '../../protocol/race';
import { flat } from '../../protocol/shapes';
import { Button } from '../../ui/controls/Button';
import { Progress } from '../../ui/notices';
import type { Page } from '../page/page';
import { Facts } from './Facts';
import { SetupForm } from './SetupForm';
import { Share } from './Share';
import { type RaceSession, raceSessionOf, type ShownRace } from './session';
import { isOfOtherProblems, parseSetup, type Setup, setupText, tasksOf } from './setup';
import { TaskBars } from './TaskBars';
import './race.css';

/** Benchmarks several implementations of the same convolution on this device. */
export function RaceRoom({ page }: { readonly page: Page }) {
  const { look, store } = page;
  const session = raceSessionOf(page);
  const room = useRef<HTMLElement>(null);
  const setup = parseSetup(look.race.value ?? '');
  const times = look.times.value;
  const { desc } = store.problem.value;
  const state = session.state.value;
  const running = state.status === 'running';
  const choose = (next: Setup) => {
    look.race.value = setupText(next);
  };
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
          <SetupForm setup={setup} current={desc} onChange={choose}>
            {running ? (
              <Progress label={state.what} fraction={state.fraction} onCancel={session.cancel} />
            ) : (
              <Button kind="primary" disabled={tasksOf(setup, desc).length === 0} onClick={() => session.start(setup)}>
                Start race
              </Button>
            )}
          </SetupForm>
          <p role="status" class="race__status">
            {STATUS[state.status]}
          </p>
          {state.status === 'failed' && <p role="alert">The race failed: {state.message}.</p>}
          {session.refusal.value !== '' && <p role="alert">{session.refusal.value}</p>}
          <Share
            page={page}
            session={session}
            onOpened={(text) => {
              look.race.value = setupText(parseSetup(text));
            }}
          />
          <div class="race__about">
            <h3>This browser</h3>
            <Facts machine={session.machine.value} ceilings={session.own.value?.record.ceilings ?? null} />
            <HowMeasured />
          </div>
        </div>
        <Results session={session} />
      </div>
    </main>
  );
}

const STATUS = {
  idle: '',
  running: '',
  done: 'Race finished.',
  cancelled: 'Canceled. The finished results are shown.',
  failed: '',
} as const;

const isRun = (result: RaceResult | null): result is RaceResult => result !== null;

/** The results of this device with those of another device beside them, or either alone. */
function Results({ session }: { readonly session: RaceSession }) {
  const [own, other] = [session.own.value, session.other.value];
  const shown = own?.record.results.some(isRun) ? own : other;
  if (!shown) {
    return (
      <div class="race__results race__results--empty">
        <p>Results appear here: bars and a table of all times. Press “Start race” to begin.</p>
      </div>
    );
  }
  const beside = shown === own ? other : null;
  const results = shown.record.results.filter(isRun);
  return (
    <div class="race__results">
      {other && (
        <p class="race__other">
          {shown === other ? 'Shown: ' : 'Hatched: '}
          another device, {other.record.engine}
          {other.record.cores > 0 && `, ${other.record.cores} processors`}.{' '}
          {shown === other && 'Start a race to compare this device. '}
          <Button onClick={session.removeOther}>Remove</Button>
        </p>
      )}
      {results.map((result) => (
        <TaskBars
          key={`${result.name} ${result.pass}`}
          result={result}
          ceilings={shown.record.ceilings}
          other={counterpart(beside, result)}
        />
      ))}
    </div>
  );
}

const sizesOf = (desc: ConvDesc): string => Object.entries(flat(desc)).sort().join();

/** Matches by sizes and pass: equal names do not imply equal sizes. */
function counterpart(beside: ShownRace | null, { desc, pass }: RaceResult): RaceResult | null {
  const same = sizesOf(desc);
  return beside?.record.results.find((result) => result?.pass === pass && sizesOf(result.desc) === same) ?? null;
}

function HowMeasured() {
  return (
    <details class="race__more">
      <summary>How it is measured</summary>
      <p>
        Each time is the median of several rounds. Every implementation runs in each round, in rotating order. The
        bracket on a bar spans the middle half of the rounds. Each implementation warms up first, because browsers
        optimize code that runs often.
      </p>
      <p>
        The weights do not change between runs, so algorithms that pack them do so once, before timing.{' '}
        <em>With packing</em> is the time of a run that also packs them.
      </p>
      <p>
        <em>Plain loops</em> are the formula in C++, with float sums, the same compiler and one thread. For NHWC there
        is a second loop order, which the compiler can vectorize. <em>im2col</em> copies a block of windows into a
        matrix and multiplies. It never stores the whole matrix x_col; its size is listed for comparison.
      </p>
      <p>
        An operation is a multiplication or an addition of the direct convolution, including multiplications with
        padding. Implementations that skip these, or need fewer (such as Winograd), report a higher speed.
      </p>
    </details>
  );
}
