import type { LookStore } from '../look/look-store';
import type { Store } from '../state/store-types';

/** What commands act on. The shell says how; commands say what. */
export interface Hands {
  readonly store: Pick<Store, 'undo' | 'redo' | 'canUndo' | 'canRedo'>;
  readonly look: LookStore;
  readonly theme: { readonly words: () => string; readonly next: () => void };
  /** The panel that explains the current cell. */
  readonly explanation: {
    /** The keyboard is in it. */
    readonly isInside: () => boolean;
    /** The keyboard is at a cell, whose explanation there is. */
    readonly isAhead: () => boolean;
    readonly enter: () => void;
    /** Back to the cell. */
    readonly leave: () => void;
  };
  /** Hides the number of the current cell, or reveals it. */
  readonly hideCell: () => void;
  readonly copyLink: () => void;
  readonly showKeys: () => void;
  readonly showExamples: () => void;
  /** What can be taken away: pictures, files. */
  readonly showExport: () => void;
  readonly showClass: () => void;
  readonly showLessons: () => void;
}

export type IconName = 'undo' | 'redo' | 'link' | 'export' | 'keys' | 'theme';

/** Something that a person can have done from anywhere on the page. */
export interface Command {
  readonly id: string;
  /** In ARIA's notation ("Control+Shift+Z"); the first is the one that is shown. */
  readonly keys: readonly string[];
  /** The name of its button, and what the list of keys says that its key does. */
  readonly words: string | ((hands: Hands) => string);
  /** Stands in the toolbar with this icon. */
  readonly icon?: IconName;
  /** Stands in the toolbar by its words; primary: what somebody who is new should see first. */
  readonly named?: 'plain' | 'primary';
  /** Its key works in a text box too. */
  readonly inText?: true;
  /** Reads signals: who asks while rendering is asked again when it changes. Always, where it is missing. */
  readonly enabled?: (hands: Hands) => boolean;
  readonly run: (hands: Hands) => void;
}

export const wordsOf = ({ words }: Command, hands: Hands): string => (typeof words === 'string' ? words : words(hands));

/** Goes behind the name of what a link locks. */
export const LOCKED = ' (locked by this link)';

export const isLocked = ({ id }: Command, { look }: Hands): boolean => look.locked.value.includes(id);
/** It stands nowhere, and its key does nothing. */
export const isAbsent = ({ id }: Command, { look }: Hands): boolean => look.absent.value.includes(id);

/** A locked command does nothing, whatever it says itself. */
export const isEnabled = (command: Command, hands: Hands): boolean =>
  !isLocked(command, hands) && !isAbsent(command, hands) && (command.enabled?.(hands) ?? true);
