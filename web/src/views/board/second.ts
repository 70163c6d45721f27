import { signal } from '@preact/signals';
import type { frameOf, pendingAreas } from '../kit/walk/frame';
import type { AboutBoard } from './AboutBoard';
import type { dyMenuOf, dyPartsFor } from './dy-settings';
import type { Graph } from './Graph';
import type { LossText, lossFormulas } from './LossText';
import type { WindowPlayer } from './WindowPlayer';

interface BoardParts {
  readonly AboutBoard: typeof AboutBoard;
  readonly Graph: typeof Graph;
  readonly dyMenuOf: typeof dyMenuOf;
  readonly dyPartsFor: typeof dyPartsFor;
  readonly LossText: typeof LossText;
  readonly lossFormulas: typeof lossFormulas;
  readonly WindowPlayer: typeof WindowPlayer;
  readonly frameOf: typeof frameOf;
  readonly pendingAreas: typeof pendingAreas;
}

/** The arrows and the player, which do not move the panels; the second chunk sets them (app/second-parts.ts). */
export const boardParts = signal<BoardParts | null>(null);
