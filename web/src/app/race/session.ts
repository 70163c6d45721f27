import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { startRace } from '../../compute/race-client';
import type { RaceMachine, RaceMessage } from '../../protocol/race';
import type { Page } from '../page/page';
import { perPage } from '../page/per-page';
import { engineOf, NO_CEILINGS, parseRecordText, type RaceRecord } from './record';
import { isOfOtherProblems, parseSetup, requestOf, type Setup, setupText, tasksOf } from './setup';

export type RaceState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly fraction: number; readonly what: string }
  | { readonly status: 'done' | 'cancelled' }
  | { readonly status: 'failed'; readonly message: string };

/** State of the races; it survives closing the race room. */
export interface RaceSession {
  readonly state: ReadonlySignal<RaceState>;
  readonly machine: ReadonlySignal<RaceMachine | null>;
  /** The last race on this device; updated while it runs. */
  readonly own: ReadonlySignal<ShownRace | null>;
  /** The race of another device, from a link. */
  readonly other: ReadonlySignal<RaceRecord | null>;
  /** Why a link was refused; '' if it was not. */
  readonly refusal: ReadonlySignal<string>;
  readonly start: (setup: Setup) => void;
  readonly cancel: () => void;
  /** Both as in a link. */
  readonly openText: (times: string, setup: string) => void;
  readonly removeOther: () => void;
}

interface ShownRace {
  /** As in a link. */
  readonly setup: string;
  readonly record: RaceRecord;
}

export const raceSessionOf = perPage(createSession);

function createSession({ store }: Page): RaceSession {
  const state = signal<RaceState>({ status: 'idle' });
  const machine = signal<RaceMachine | null>(null);
  const own = signal<ShownRace | null>(null);
  const other = signal<RaceRecord | null>(null);
  const refusal = signal('');
  let end: (() => void) | null = null;
  const current = () => store.problem.peek().desc;
  const endRun = (next: RaceState) => {
    end?.();
    end = null;
    state.value = next;
  };
  const change = (to: (record: RaceRecord) => Partial<RaceRecord>) => {
    const shown = own.peek();
    if (shown) own.value = { ...shown, record: { ...shown.record, ...to(shown.record) } };
  };
  const onMessage = (message: RaceMessage) => {
    switch (message.type) {
      case 'machine':
        machine.value = message.machine;
        return change(() => ({ machine: message.machine }));
      case 'ceilings':
        return change(() => ({ ceilings: message.ceilings }));
      case 'result':
        return change(({ results }) => ({ results: results.with(message.index, message.result) }));
      case 'progress':
        state.value = { status: 'running', fraction: message.fraction, what: message.what };
        return;
      case 'done':
        return endRun({ status: 'done' });
      case 'failed':
        return endRun({ status: 'failed', message: message.message });
    }
  };
  return {
    ...{ state, machine, own, other, refusal },
    start(setup) {
      end?.();
      const request = requestOf(setup, current());
      const { hardwareConcurrency: cores, userAgent } = navigator;
      const results = request.tasks.map(() => null);
      batch(() => {
        state.value = { status: 'running', fraction: 0, what: 'starting' };
        own.value = {
          setup: setupText(setup),
          record: { engine: engineOf(userAgent), cores, machine: null, ceilings: NO_CEILINGS, results },
        };
      });
      end = startRace(request, onMessage);
    },
    cancel: () => endRun({ status: 'cancelled' }),
    openText(times, setup) {
      const record = isOfOtherProblems(setup)
        ? 'The times in this link are of other problems than the one on this page.'
        : parseRecordText(times, tasksOf(parseSetup(setup), current()));
      batch(() => {
        refusal.value = typeof record === 'string' ? record : '';
        other.value = typeof record === 'string' ? null : record;
      });
    },
    removeOther() {
      other.value = null;
      refusal.value = '';
    },
  };
}
