/** A player on the page, for who wants all its pictures one after the other. */
export interface Player {
  /** The step that was chosen, of 0 .. total; the picture may be a moment behind. */
  readonly value: number;
  readonly total: number;
  /** Steps a second. */
  readonly speed: number;
  /** What its picture shows, in words. */
  readonly sentence: string;
  /** Stops playing. */
  readonly go: (to: number) => void;
}

const players = new WeakMap<Element, Player>();

/** To be told whenever something of it changes. */
export function keepPlayer(element: Element, player: Player): void {
  players.set(element, player);
}

export function playerIn(root: ParentNode): Player | null {
  const element = root.querySelector('.scrubber');
  return (element && players.get(element)) ?? null;
}
