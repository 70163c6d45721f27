/** Pixels of the viewport, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A browser with one window, as far as the walk needs one. What the page consists of it does not know. */
export interface Driver {
  /** Of the engine, as the browser says it. */
  readonly version: string;
  /** Goes to an address, and resolves when that is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** Evaluates an expression in the page; a promise is awaited there. What it gives must be representable as JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly click: (point: Point) => Promise<void>;
  readonly move: (point: Point) => Promise<void>;
  /** One key by its name in KeyboardEvent.key, with what is held meanwhile before it: `Control+z`. */
  readonly press: (chord: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Gives a file to the input that an expression evaluates to. */
  readonly choose: (expression: string, path: string) => Promise<void>;
  readonly resize: (width: number, height: number) => Promise<void>;
  /** A PNG of what is to be seen. */
  readonly screenshot: () => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/** `Control+Shift+z` in parts: what is held, and the key. */
export function partsOf(chord: string): { readonly held: readonly string[]; readonly key: string } {
  const parts = chord.split('+');
  return { held: parts.slice(0, -1), key: parts.at(-1) ?? '' };
}
