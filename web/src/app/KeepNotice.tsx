import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Address } from '../link/address';
import { Button } from '../ui/controls/Button';

interface KeepNoticeProps {
  /** Inputs that were kept in this browser and are there again. */
  readonly restored: readonly string[];
  /** Inputs that this browser does not keep. */
  readonly refused: ReadonlySignal<readonly string[]>;
  readonly address: Address;
}

/** What a reload gave back that a link could not have, or will not give back. Each is said once. */
export function KeepNotice({ restored, refused, address }: KeepNoticeProps) {
  const [saysRestored, setSaysRestored] = useState(restored.length > 0);
  const [saysRefused, setSaysRefused] = useState(true);
  if (saysRestored) {
    const startOver = () => {
      void address.open('');
      setSaysRestored(false);
    };
    return (
      <div class="corner__notice" role="status">
        <p>
          Restored what was here before the reload: this browser kept {restored.join(' and ')}, which a link cannot
          carry.
        </p>
        <Button onClick={startOver}>Start over</Button>
        <Button onClick={() => setSaysRestored(false)}>Dismiss</Button>
      </div>
    );
  }
  if (!saysRefused || refused.value.length === 0) return null;
  return (
    <div class="corner__notice" role="status">
      <p>
        This browser does not let the page keep {refused.value.join(' and ')}, and a link cannot carry it either: a
        reload will lose it. Private windows do that, and full disks.
      </p>
      <Button onClick={() => setSaysRefused(false)}>Dismiss</Button>
    </div>
  );
}
