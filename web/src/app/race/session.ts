import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { startRace } from '../../compute/race-client';
import type { RaceMachine, RaceMessage } from '../../protocol/race';
import { type Page, perPage } from '../page/page';
import { engineOf, NO_CEILINGS, type RaceRecord } from './record';
import { parseRecord, recordJson } from './record-file';
import { parseRecordText, recordText } from './record-text';
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
  /** Setup and results of the last race on this device; updated while it runs. */
  readonly own: ReadonlySignal<ShownRace | null>;
  /** Setup and results of another device, from a link or a file. */
  readonly other: ReadonlySignal<ShownRace | null>;
  /** Why a link or a file was refused; '' if it was not. */
  readonly refusal: ReadonlySignal<string>;
  readonly start: (setup: Setup) => void;
  readonly cancel: () => void;
  /** Both as in a link. */
  readonly openText: (times: string, setup: string) => void;
  /** Returns the setup of the file; null if it was refused. */
  readonly openFile: (text: string) => string | null;
  readonly removeOther: () => void;
  readonly json: () => string;
  readonly text: () => string;
}

export interface ShownRace {
  readonly setup: string;
  readonly record: RaceRecord;
}

export const raceSessionOf = perPage(createSession);

function createSession({ store }: Page): RaceSession {
  const state = signal<RaceState>({ status: 'idle' });
  const machine = signal<RaceMachine | null>(null);
  const own = signal<ShownRace | null>(null);
  const other = signal<ShownRace | null>(null);
  const refusal = signal('');
  let end: (() => void) | null = null;
  const current = () => store.problem.peek().desc;
  const endRun = (next: RaceState) => {
    end?.();
    end = null;
    state.value = next;
  };
  const change = (to: (record: RaceRecord) => RaceRecord) => {
    const shown = own.peek();
    if (shown) own.value = { ...shown, record: to(shown.record) };
  };
  const onMessage = (message: RaceMessage) => {
    switch (message.type) {
      case 'machine':
        machine.value = message.machine;
        change((record) => ({ ...record, machine: message.machine }));
        break;
      case 'ceilings':
        change((record) => ({ ...record, ceilings: message.ceilings }));
        break;
      case 'progress':
        state.value = { status: 'running', fraction: message.fraction, what: message.what };
        break;
      case 'result':
        change((record) => ({ ...record, results: record.results.with(message.index, message.result) }));
        break;
      case 'done':
        endRun({ status: 'done' });
        break;
      case 'failed':
        endRun({ status: 'failed', message: message.message });
    }
  };
  return {
    state,
    machine,
    own,
    other,
    refusal,
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
        other.value = typeof record === 'string' ? null : { setup, record };
      });
    },
    openFile(text) {
      const opened = parseRecord(text);
      if (typeof opened === 'string') {
        refusal.value = opened;
        return null;
      }
      batch(() => {
        refusal.value = '';
        other.value = opened;
      });
      return opened.setup;
    },
    removeOther() {
      other.value = null;
      refusal.value = '';
    },
    json() {
      const shown = own.peek();
      return shown ? recordJson(shown.record, shown.setup, new Date()) : '';
    },
    text() {
      const shown = own.peek();
      return shown ? recordText(shown.record) : '';
    },
  };
}
