/** A player on the page, for code that exports all its frames. */
export interface Player {
  /** The chosen step, 0 .. total; the drawn frame may be behind. */
  readonly value: number;
  readonly total: number;
  /** Steps per second. */
  readonly speed: number;
  /** Describes the current frame. */
  readonly sentence: string;
  /** Stops playing. */
  readonly go: (to: number) => void;
}

const players = new WeakMap<Element, Player>();

/** Call it after each change of the player. */
export function registerPlayer(element: Element, player: Player): void {
  players.set(element, player);
}

export function playerIn(root: ParentNode): Player | null {
  const element = root.querySelector('.scrubber');
  return (element && players.get(element)) ?? null;
}
