export interface Point {
  readonly x: number;
  readonly y: number;
  /** The tooltip of the point, and the label of the highest point of this name. */
  readonly name?: string;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}
