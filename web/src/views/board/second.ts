import { signal } from '@preact/signals';
import type { frameOf, pendingAreas } from '../kit/walk/frame';
import type { Graph } from './Graph';
import type { LossText } from './LossText';
import type { WindowPlayer } from './WindowPlayer';

interface BoardParts {
  readonly Graph: typeof Graph;
  readonly LossText: typeof LossText;
  readonly WindowPlayer: typeof WindowPlayer;
  readonly frameOf: typeof frameOf;
  readonly pendingAreas: typeof pendingAreas;
}

/** The arrows and the player, which do not move the panels; the second chunk sets them (app/second-parts.ts). */
export const boardParts = signal<BoardParts | null>(null);
