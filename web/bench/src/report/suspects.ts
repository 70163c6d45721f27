import type { BenchResult, Entry, Race } from '../result';
import { fastest, gigaflops, partiesOf } from './summary';

/** A party whose best way of a pass is so far below its own forward pass that something may be in its way. */
export interface Suspect {
  readonly race: Race;
  readonly entry: Entry;
  /** Times slower than its forward pass, flop by flop. */
  readonly slower: number;
}

/**
 * The best ways of the peers known so far are up to eight times slower than forward; more only where a library has no fast way at
 * all (dx with strides in TensorFlow.js, dw of R7 in ONNX Runtime). LiteRT's hampered dx of S1 was 150 times slower.
 */
const SUSPICIOUS = 10;

/** Of the best way only: that a party has a slower one too is no harm. Sums of dy are bound by memory, not by flops. */
export function suspects(result: BenchResult): Suspect[] {
  return result.races
    .filter(({ pass }) => pass !== 'forward' && pass !== 'backward_bias')
    .flatMap((race) => {
      const forward = result.races.find(({ shape, pass }) => shape === race.shape && pass === 'forward');
      return partiesOf(result).flatMap((party) => {
        const entry = bestOf(race, party);
        const reference = forward && bestOf(forward, party);
        if (!entry || !forward || !reference) return [];
        const slower = gigaflops(forward, reference) / gigaflops(race, entry);
        return slower > SUSPICIOUS ? [{ race, entry, slower }] : [];
      });
    });
}

const bestOf = ({ entries }: Race, party: string) => fastest(entries.filter((entry) => entry.party === party));
