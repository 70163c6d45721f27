import { batch, signal } from '@preact/signals';
import { startRace } from '../../compute/race-client';
import type { RaceMessage } from '../../protocol/race';
import { type Page, perPage } from '../page/page';
import {
  engineOf,
  isOfOtherProblems,
  NO_CEILINGS,
  openRecordJson,
  parseRecordText,
  parseSetup,
  type RaceRecord,
  requestOf,
  type Setup,
  setupText,
  tasksOf,
} from './record';

type RaceState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly fraction: number; readonly what: string }
  | { readonly status: 'done' | 'cancelled' }
  | { readonly status: 'failed'; readonly message: string };

export type RaceSession = ReturnType<typeof createSession>;

export const raceSessionOf = perPage(createSession);

/** State of the races; it survives closing the race room. */
function createSession({ store }: Page) {
  const state = signal<RaceState>({ status: 'idle' });
  /** The last race on this device, updated while it runs, and its setup as in a link. */
  const own = signal<{ readonly record: RaceRecord; readonly setup: string } | null>(null);
  /** The race of another device, from a link. */
  const other = signal<RaceRecord | null>(null);
  /** Why a link was refused; '' if it was not. */
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
    ...{ state, own, other, refusal },
    start(setup: Setup) {
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
    /** Both as in a link. */
    openText(times: string, setup: string) {
      const record = isOfOtherProblems(setup)
        ? 'The times in this link are of other problems than the one on this page.'
        : parseRecordText(times, tasksOf(parseSetup(setup), current()));
      batch(() => {
        refusal.value = typeof record === 'string' ? record : '';
        other.value = typeof record === 'string' ? null : record;
      });
    },
    /** Shows the times of a saved race beside those of this device. Returns its setup; null: refused. */
    openFile(content: string): string | null {
      const opened = openRecordJson(content);
      if (opened) this.openText(opened.times, opened.setup);
      else refusal.value = 'This file is not a race that this page saved, or it is damaged.';
      return opened && refusal.value === '' ? setupText(parseSetup(opened.setup)) : null;
    },
    removeOther() {
      other.value = null;
      refusal.value = '';
    },
  };
}
