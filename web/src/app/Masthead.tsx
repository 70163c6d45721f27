import type { Store } from '../state/store-types';
import { Button } from '../ui/controls/Button';
import { LinkIcon, RedoIcon, UndoIcon } from './icons';
import { ThemeSwitch } from './ThemeSwitch';

interface MastheadProps {
  readonly store: Store;
  readonly onCopyLink: () => void;
  readonly onKeys: () => void;
}

export function Masthead({ store, onCopyLink, onKeys }: MastheadProps) {
  return (
    <header class="masthead">
      <h1 class="masthead__title">conv2d playground</h1>
      <div class="toolbar">
        <Button kind="icon" label="Undo" shortcut="Control+Z" disabled={!store.canUndo.value} onClick={store.undo}>
          <UndoIcon />
        </Button>
        <Button
          kind="icon"
          label="Redo"
          shortcut="Control+Shift+Z"
          disabled={!store.canRedo.value}
          onClick={store.redo}
        >
          <RedoIcon />
        </Button>
        <Button kind="icon" label="Copy link" onClick={onCopyLink}>
          <LinkIcon />
        </Button>
        <Button kind="icon" label="Keys" shortcut="?" onClick={onKeys}>
          ?
        </Button>
        <ThemeSwitch />
      </div>
      <p class="masthead__intro">
        A convolution, forwards and backwards, on numbers you can change. Convolution here means cross-correlation, as
        in every deep-learning framework: the kernel is not turned.
      </p>
    </header>
  );
}
