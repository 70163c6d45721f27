import { useEffect, useRef } from 'preact/hooks';
import { flat } from '../../protocol/limits';
import { type ConvDesc, PASSES } from '../../protocol/problem';
import type { RaceResult } from '../../protocol/race';
import { BREAKPOINTS } from '../../ui/breakpoints';
import { Button } from '../../ui/controls/Button';
import { Progress } from '../../ui/controls/Progress';
import type { Page } from '../page';
import { type RaceDesk, raceDeskOf, type Shown } from './desk';
import { Facts } from './Facts';
import { tasksOf } from './plan';
import { Roofline } from './Roofline';
import { SetupForm } from './SetupForm';
import { Share } from './Share';
import { SweepPlot } from './SweepPlot';
import { parseSetup, type Setup, setupText } from './setup';
import { SWEEPS } from './sweep';
import { TaskBars } from './TaskBars';
import './race.css';

/** The same convolution computed in many ways, timed against each other on one's own device. */
export function RaceRoom({ page }: { readonly page: Page }) {
  const { look, store } = page;
  const desk = raceDeskOf(page);
  const room = useRef<HTMLElement>(null);
  const small = !matchMedia(BREAKPOINTS.wide).matches;
  const setup = parseSetup(look.race.value ?? '', small);
  const times = look.times.value;
  const { desc } = store.problem.value;
  const state = desk.state.value;
  const running = state.status === 'running';
  const choose = (next: Setup) => {
    look.race.value = setupText(next);
  };
  useEffect(() => {
    room.current?.focus({ preventScroll: true });
    // Whoever leaves has seen enough: the worker ends, and its memory is free.
    return () => {
      if (desk.state.peek().status === 'running') desk.cancel();
    };
  }, [desk]);
  useEffect(() => {
    if (times !== null) desk.openText(times, parseSetup(look.race.peek() ?? '', small));
  }, [desk, times, look, small]);
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
          Back to the stage
        </Button>
      </div>
      <div class="race__columns">
        <div class="race__side">
          <p class="race__note">
            The same convolution, computed in different ways: by plain loops, by im2col and a matrix product, and by
            what the library chooses, each as far as this browser can. All get the same random numbers, are checked
            against sums in double precision before they are timed, and run in turns.
          </p>
          <SetupForm setup={setup} current={desc} small={small} onChange={choose}>
            {running ? (
              <Progress label={state.what} fraction={state.fraction} onCancel={desk.cancel} />
            ) : (
              <Button kind="primary" disabled={tasksOf(setup, desc).length === 0} onClick={() => desk.start(setup)}>
                Start the race
              </Button>
            )}
          </SetupForm>
          <p role="status" class="race__status">
            {STATUS[state.status]}
          </p>
          {state.status === 'failed' && <p role="alert">The race broke off: {state.message}.</p>}
          {desk.refusal.value !== '' && <p role="alert">{desk.refusal.value}</p>}
          <Share
            page={page}
            desk={desk}
            onOpened={(text) => {
              look.race.value = setupText(parseSetup(text, small));
            }}
          />
          <div class="race__about">
            <h3>What this browser has</h3>
            <Facts machine={desk.machine.value} ceilings={desk.own.value?.record.ceilings ?? null} />
            <HowMeasured />
          </div>
        </div>
        <Results desk={desk} />
      </div>
    </main>
  );
}

const STATUS = {
  idle: '',
  running: '',
  done: 'The race is over.',
  cancelled: 'Cancelled: what was finished by then is shown.',
  failed: '',
} as const;

const isRun = (result: RaceResult | null): result is RaceResult => result !== null;

/** One's own results, those of somebody else beside them; these alone as long as there are no others. */
function Results({ desk }: { readonly desk: RaceDesk }) {
  const [own, other] = [desk.own.value, desk.other.value];
  const shown = own?.record.results.some(isRun) ? own : other;
  if (!shown) {
    return (
      <div class="race__results race__results--empty">
        <p>Results will stand here: bars, a roofline, and a table of all times. Nothing runs before you start it.</p>
      </div>
    );
  }
  const beside = shown === own ? other : null;
  const results = shown.record.results.filter(isRun);
  const sweep = sweepOfSetup(shown);
  return (
    <div class="race__results">
      {other && (
        <p class="race__other">
          {shown === other ? 'Shown: ' : 'Hatched: '}
          another device, {other.record.engine}
          {other.record.cores > 0 && `, ${other.record.cores} processors`}.{' '}
          {shown === other && 'Start the race to compare yours. '}
          <Button onClick={desk.forgetOther}>Put it away</Button>
        </p>
      )}
      {sweep
        ? PASSES.filter((pass) => results.some((result) => result.pass === pass)).map((pass) => (
            <SweepPlot
              key={pass}
              sweep={sweep}
              pass={pass}
              results={results.filter((result) => result.pass === pass)}
            />
          ))
        : results.map((result) => (
            <TaskBars
              key={`${result.name} ${result.pass}`}
              result={result}
              ceilings={shown.record.ceilings}
              other={counterpart(beside, result)}
            />
          ))}
      <Roofline results={results} ceilings={shown.record.ceilings} />
    </div>
  );
}

function sweepOfSetup({ setup }: Shown) {
  const { what, parameter } = parseSetup(setup, false);
  return what === 'sweep' ? (SWEEPS.find(({ id }) => id === parameter) ?? null) : null;
}

const sizesOf = (desc: ConvDesc): string => Object.entries(flat(desc)).sort().join();

/** The same sizes and the same pass: names alone prove nothing. */
function counterpart(beside: Shown | null, { desc, pass }: RaceResult): RaceResult | null {
  const same = sizesOf(desc);
  return beside?.record.results.find((result) => result?.pass === pass && sizesOf(result.desc) === same) ?? null;
}

function HowMeasured() {
  return (
    <details class="race__more">
      <summary>How it is measured</summary>
      <p>
        A time is the median of several rounds; in each round everybody has a turn, and who begins changes. The bracket
        on a bar reaches from the slowest quarter of the rounds to the fastest. Everybody runs for a while before the
        clock starts, since browsers replace code that runs often by faster code.
      </p>
      <p>
        Weights stay the same from run to run: an algorithm that rearranges them does so once, before the clock starts.{' '}
        <em>With new w</em> is the time when it has to be done in every run.
      </p>
      <p>
        <em>Plain loops</em> are the formula written down in C++, with sums in float and the same compiler, for one
        thread. In NHWC there is a second order of the loops, which lets the compiler use SIMD by itself.{' '}
        <em>im2col</em> copies a block of windows into a matrix and multiplies; the whole matrix x_col, whose size is
        told, never exists here.
      </p>
      <p>
        An operation is a multiplication or an addition of the direct convolution; multiplications with padding count,
        so who leaves them out, and who needs fewer, is told a higher speed.
      </p>
    </details>
  );
}
