/** Pixels of the viewport, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A browser with one window, with the operations that the walk needs. Independent of the page. */
export interface Driver {
  /** The version of the engine, as reported by the browser. */
  readonly version: string;
  /** Goes to an address; resolves when it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** Evaluates an expression in the page and awaits promises there. The result must be JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly click: (point: Point) => Promise<void>;
  readonly move: (point: Point) => Promise<void>;
  /** Presses a key by its name in KeyboardEvent.key, with modifiers before it: `Control+z`. */
  readonly press: (chord: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Gives a file to the input that an expression evaluates to. */
  readonly choose: (expression: string, path: string) => Promise<void>;
  readonly resize: (width: number, height: number) => Promise<void>;
  /** A PNG of the viewport. */
  readonly screenshot: () => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/** The modifiers and the key of `Control+Shift+z`. */
export function parseChord(chord: string): { readonly modifiers: readonly string[]; readonly key: string } {
  const parts = chord.split('+');
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? '' };
}
