import { afterEach } from 'vitest';
import type { Serving } from './site';

/** A computation that stops at its next report of progress. */
export interface Held {
  /** Resolves when the worker has reported that progress and waits. */
  readonly reached: Promise<void>;
  /** Lets the worker go on. */
  readonly open: () => void;
}

interface Waiting extends Held {
  readonly isIt: (phase: string) => boolean;
  readonly arrive: () => Promise<void>;
}

/**
 * Holds the work of workers, so that a test sees the page while one runs, on any machine. A worker asks the
 * server of the test before each new phase of a request: the progress hook of the library reports it, and a synchronous request
 * blocks the worker like real work. The built site has no part of it: the server adds it to the file of the worker.
 */
export interface Gate {
  /** Holds the next computation or question, or the next phase for which `isIt` is true. Others pass. */
  readonly hold: (isIt?: (phase: string) => boolean) => Held;
  /** Lets everything pass. */
  readonly open: () => void;
  /** Called by the server; resolves when the worker may go on. */
  readonly pass: (phase: string) => Promise<void>;
}

interface Signal {
  readonly given: Promise<void>;
  readonly give: () => void;
}

function createSignal(): Signal {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

export function createGate(): Gate {
  let waiting: Waiting[] = [];
  let held: Held[] = [];
  return {
    hold(isIt = () => true) {
      const [reached, opened] = [createSignal(), createSignal()];
      const arrive = () => {
        reached.give();
        return opened.given;
      };
      const open = () => {
        waiting = waiting.filter((each) => each !== next);
        opened.give();
      };
      const next: Waiting = { isIt, arrive, reached: reached.given, open };
      waiting.push(next);
      held.push(next);
      return next;
    },
    open() {
      for (const each of held) each.open();
      held = [];
    },
    async pass(phase) {
      const found = waiting.find(({ isIt }) => isIt(phase));
      if (!found) return;
      waiting = waiting.filter((each) => each !== found);
      await found.arrive();
    },
  };
}

/** A gate for the tests of a file; `serving` is that of its stage. It opens after each test. */
export function useGate(serving: Serving): Gate {
  const gate = createGate();
  serving.gate = gate;
  afterEach(() => gate.open());
  return gate;
}

/**
 * Runs in the worker before its script. Each reading of the clock is `step` ms later, so that every progress is reported, and
 * algorithms are timed by the same number of calls on any machine.
 */
function waitAtGate(step: number): void {
  const post = self.postMessage.bind(self);
  let now = 0;
  performance.now = () => {
    now += step;
    return now;
  };
  let last = '';
  Object.assign(self, {
    postMessage(message: Reported, options?: WindowPostMessageOptions) {
      post(message, options);
      // The worker of animations reports no progress, but answers after each frame.
      const phase = message.type === 'progress' ? (message.phase ?? message.what) : message.type ? undefined : 'frame';
      const key = `${message.id} ${phase}`;
      if (phase === undefined || (message.type && key === last)) return;
      last = key;
      const request = new XMLHttpRequest();
      request.open('GET', `../gate?phase=${encodeURIComponent(phase)}`, false);
      try {
        request.send();
      } catch {
        // The page ends this worker.
      }
    },
  });
}

interface Reported {
  readonly type?: string;
  readonly id?: number;
  readonly phase?: string;
  readonly what?: string;
}

/** Runs in the worker before its script: its clock stands still, so every computation seems to take no time. */
function standStill(): void {
  performance.now = () => 0;
}

/** ms that pass with each reading of the clock: of computations, and of the making of an animation. */
const STEPS: readonly (readonly [file: RegExp, step: number])[] = [
  [/(?:^|\/)worker-[^/]*\.js$/, 1000],
  [/animation-worker-[^/]*\.js$/, 1],
];

/** The file of a worker, with the gate if there is one; that of the compute worker as on an infinitely fast machine. */
export function withGate(file: string, body: Buffer, gate: Gate | undefined, isInstant: boolean): Buffer {
  const [, step] = STEPS.find(([pattern]) => pattern.test(file)) ?? [];
  const before =
    step === undefined
      ? ''
      : gate
        ? `(${waitAtGate})(${step});\n`
        : isInstant && step === 1000
          ? `(${standStill})();\n`
          : '';
  return before === '' ? body : Buffer.concat([Buffer.from(before), body]);
}
