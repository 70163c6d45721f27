import type { LookStore } from '../look/look-store';
import type { Store } from '../state/store';

/** The dialogs of the page. */
export type SheetName = 'keys' | 'examples' | 'link' | 'export' | 'class' | 'about';

/** What commands act on. */
export interface CommandContext {
  readonly store: Pick<Store, 'undo' | 'redo' | 'canUndo' | 'canRedo' | 'problem'>;
  readonly look: LookStore;
  readonly theme: { readonly label: () => string; readonly next: () => void };
  /** The panel that explains the current cell. */
  readonly explanation: {
    readonly isInside: () => boolean;
    /** True if the focus is on a cell with an explanation. */
    readonly isAhead: () => boolean;
    readonly enter: () => void;
    /** Moves the focus back to the cell. */
    readonly leave: () => void;
  };
  readonly hideCell: () => void;
  /** Null: there is no result to keep, or it has hidden values. */
  readonly keepResult: () => (() => void) | null;
  readonly copyLink: () => void;
  readonly show: (dialog: SheetName) => void;
  /** Opens or closes the controls. */
  readonly toggleControls: () => void;
  /** Closes what is open beside the stage of a narrow page. */
  readonly closeSheet: () => void;
  readonly showLessons: () => void;
}

/** An action with a shortcut, a place in the header, or both. */
export interface Command {
  readonly id: string;
  /** In ARIA notation ("Control+Shift+Z"); the first one is shown. */
  readonly keys: readonly string[];
  /** Label of the button, of the menu item and of the entry in the list of keys. */
  readonly label: string | ((context: CommandContext) => string);
  /**
   * Where it is in the header: a button (primary: the most prominent one; sheet: on a narrow page only), an icon, or an item of the
   * menu Share or More.
   */
  readonly place?: 'primary' | 'sheet' | 'plain' | 'undo' | 'redo' | 'share' | 'more';
  /** The shortcut works in text boxes, too. */
  readonly inText?: true;
  /** Reads signals, so that a component that calls it re-renders. Default: enabled. */
  readonly enabled?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

export const labelOf = ({ label }: Command, context: CommandContext): string =>
  typeof label === 'string' ? label : label(context);

/** Suffixes of the label of a locked part. */
export const LOCKED = ' (locked by this link)';
const IN_EXERCISE = ' (locked during the exercise)';

const isLocked = ({ id }: Command, { look }: CommandContext): boolean => look.locked.value.includes(id);
/** A hidden command has no button and no shortcut. */
export const isHidden = ({ id }: Command, { look }: CommandContext): boolean => look.hiddenParts.value.includes(id);

/** The name of its button or menu item. */
export const nameOf = (command: Command, context: CommandContext): string =>
  labelOf(command, context) + (isLocked(command, context) ? (context.look.exercise.value ? IN_EXERCISE : LOCKED) : '');

/** Locked and hidden commands are disabled. */
export const isEnabled = (command: Command, context: CommandContext): boolean =>
  !isLocked(command, context) && !isHidden(command, context) && (command.enabled?.(context) ?? true);
