import { useEffect, useState } from 'preact/hooks';
import { type PackedLink, packLink } from '../../link/compress';
import type { LinkContent } from '../../link/field';

/** The link of a state that does not change while it is the same object. Null until the first is ready. */
export function usePackedLink(content: LinkContent, onError: () => void): PackedLink | null {
  const [link, setLink] = useState<PackedLink | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest handler is not needed
  useEffect(() => {
    let isNewest = true;
    packLink(content).then((next) => isNewest && setLink(next), onError);
    return () => {
      isNewest = false;
    };
  }, [content]);
  return link;
}
