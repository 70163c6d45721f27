import { batch, effect, type ReadonlySignal } from '@preact/signals';
import type { Page } from '../app/page';
import type { Carried, Field } from '../link/field';
import { FIELDS } from '../link/fields';
import { LOOK_FIELDS } from '../link/look-fields';
import { packLink } from '../link/pack-link';
import { type ParsedLink, parseLink } from '../link/parse-link';
import { readLink } from '../link/read-link';
import { writeLink } from '../link/write-link';
import type { Look } from '../look/look';
import { dyEntry } from '../sources/dy-sources';
import type { Problem } from '../state/problem';
import type { Content } from '../views/kit/scene';
import { type Answer, type Fault, fieldsOf, linkOf, type Request, type State } from './protocol';

export interface Parts extends Pick<Page, 'store' | 'look' | 'address'> {
  readonly scene: ReadonlySignal<Pick<Content, 'geometry' | 'loss'> | null>;
}

/** What is seen now, at once: numbers that would have to be compressed are left out. */
export function stateOf({ store, look }: Pick<Parts, 'store' | 'look'>): State {
  const { hash, omitted } = writeLink({ problem: store.problem.peek(), look: look.written.peek() });
  return { link: hash, fields: fieldsOf(hash), omitted };
}

/** Does what the host asks for: every state goes the way of a link, through its reader. */
export function createDriver(parts: Parts): (request: Request) => Promise<Answer> {
  const { store, look, address, scene } = parts;

  const now = async (complaints: readonly string[] = []): Promise<Answer> => {
    const { hash, omitted } = await packLink(address.seen());
    return { ok: true, state: { link: hash, fields: fieldsOf(hash), omitted }, complaints };
  };

  /** As one edit, which can be undone. What was done meanwhile stands. */
  const open = async (link: string, carried: Carried = {}): Promise<Answer> => {
    const later = store.begin();
    const parsed = await readLink(link, false, carried);
    if (later()) return failed('overtaken', 'Something else was done in the frame while this was read: that stands.');
    if (parsed.fault === 'costly') {
      // The reader is asked, who waits for it.
      void address.open(link, 'link', false, carried);
      return failed('costly', 'It takes more to compute than is computed unasked: the frame asks its reader.');
    }
    if (parsed.fault) return { ok: false, fault: parsed.fault, complaints: parsed.complaints };
    address.dismiss();
    batch(() => {
      store.open(parsed.problem, 'everything');
      look.open(parsed.look);
    });
    return outcomeOf(parsed.problem, parsed);
  };

  const outcomeOf = async (problem: Problem, { complaints }: Pick<ParsedLink, 'complaints'>): Promise<Answer> => {
    await settled(store);
    const draft = store.draft.peek();
    if (draft?.refused === problem) return failed('refused', `The library refused it: ${draft.error.message}.`);
    const progress = store.progress.peek();
    if (progress.status === 'failed') return failed('failed', `It was not computed: ${progress.error.message}.`);
    return now(complaints);
  };

  const change = async (given: Readonly<Record<string, string | null>>): Promise<Answer> => {
    const { fields } = stateOf(parts);
    const keys = Object.keys(given);
    const isLook = keys.every((key) => LOOK_FIELDS.some((field) => speaksOf(field, key)));
    const kept = Object.entries(fields).filter(([key]) => !isReplaced(key, keys));
    const added = Object.entries(given).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
    if (!isLook) return open(linkOf([...kept, ...added]), carriedOf(store.problem.peek()));
    // Only how one looks: the problem stays the same object, and nothing is computed.
    const ofLook = kept.filter(([key]) => LOOK_FIELDS.some((field) => speaksOf(field, key)));
    const parsed = parseLink(linkOf([['v', fields['v'] ?? ''], ...ofLook, ...added]));
    if (parsed.fault) return { ok: false, fault: parsed.fault, complaints: parsed.complaints };
    turn(parsed.look);
    return outcomeOf(store.problem.peek(), parsed);
  };

  /** Another look at the picture that is there. No other one will come, by which the look would learn what its cells are of. */
  const turn = (next: Look) =>
    batch(() => {
      const hovered = next.mode === look.mode.peek() ? look.hovered.peek() : null;
      look.open(next);
      const content = store.shown.peek()?.problem === store.problem.peek() ? scene.peek() : null;
      if (!content) return;
      look.follow(content.geometry, content.loss !== null);
      // The reader still points there.
      look.hover(hovered);
    });

  return async (request) => {
    switch (request.do) {
      case 'hello':
      case 'get':
        await settled(store);
        return now();
      case 'set':
        return open(request.link);
      case 'change':
        return change(request.fields);
    }
  };
}

const failed = (fault: Fault, sentence: string): Answer => ({ ok: false, fault, complaints: [sentence] });

/** Resolves when no picture is on its way. */
const settled = ({ progress }: Page['store']): Promise<void> =>
  new Promise((resolve) => {
    const stop = effect(() => {
      if (progress.value.status === 'computing') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });

const speaksOf = ({ key, also }: Field, typed: string): boolean =>
  key.endsWith('.') ? typed.startsWith(key) : typed === key || also?.includes(typed) === true;

/** A field of the present state that one of `keys` speaks of too, by whatever name; "kernel" stands for both of its sides. */
function isReplaced(present: string, keys: readonly string[]): boolean {
  const field = FIELDS.find((candidate) => speaksOf(candidate, present));
  return keys.some((key) => {
    if (key === 'kernel') return present === 'kh' || present === 'kw';
    return key === present || (field !== undefined && !field.key.endsWith('.') && speaksOf(field, key));
  });
}

/** The numbers that a link leaves out. */
function carriedOf({ x, w, b, dy }: Problem): Carried {
  const { values } = dyEntry(dy).write(dy);
  return { x, w, ...(b && { b }), ...(values && { dy: { data: values, edited: true } }) };
}
