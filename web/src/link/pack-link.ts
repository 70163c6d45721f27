import { LINK_LIMITS } from '../protocol/limits';
import type { InputName } from '../state/problem';
import type { Linked } from './field';
import { isAble, packed } from './packed';
import { encodeValues, planes } from './payload';
import { type Link, writeLink } from './write-link';

/** A link that carries as much as one can. */
export interface PackedLink extends Link {
  /** Numbers that the page's own address leaves out, too, or has compressed. */
  readonly isPacked: boolean;
  /** Of inputs whose numbers it has to carry one by one, the heaviest first. */
  readonly weights: readonly Weight[];
  /** This browser can compress. */
  readonly isAble: boolean;
}

export interface Weight {
  readonly input: InputName;
  readonly numbers: number;
  /** In the link; null: more than is read of one. */
  readonly characters: number | null;
}

/** The link of a state, with its numbers compressed where that is shorter. What makes it longer than is read stays behind. */
export async function packLink(state: Linked): Promise<PackedLink> {
  const wanted = new Map<InputName, Float32Array>();
  const plain = writeLink(state, (values, input) => {
    wanted.set(input, values);
    return undefined;
  });
  const able = isAble();
  const texts = new Map<InputName, string | null>();
  for (const [input, values] of wanted) texts.set(input, await textOf(values, able));
  const weights = [...wanted].map(([input, values]): Weight => {
    return { input, numbers: values.length, characters: texts.get(input)?.length ?? null };
  });
  weights.sort((a, b) => (b.characters ?? Number.POSITIVE_INFINITY) - (a.characters ?? Number.POSITIVE_INFINITY));
  const link = () => writeLink(state, (_values, input) => texts.get(input) ?? undefined);
  for (const { input } of weights) {
    if (link().hash.length <= LINK_LIMITS.characters) break;
    texts.delete(input);
  }
  const best = link();
  return { ...best, isPacked: best.hash !== plain.hash, weights, isAble: able };
}

/** The shorter of both; null: too long, either way. */
async function textOf(values: Float32Array, able: boolean): Promise<string | null> {
  const { name, bytes } = planes(values);
  const text = able ? await packed(bytes, LINK_LIMITS.characters) : null;
  const short = text === null ? null : `${name}z.${text}`;
  // Three numbers take four characters at least.
  if (values.length > LINK_LIMITS.characters) return short;
  const plain = encodeValues(values);
  if (short !== null && short.length < plain.length) return short;
  return plain.length > LINK_LIMITS.characters ? null : plain;
}
