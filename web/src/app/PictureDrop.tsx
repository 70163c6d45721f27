import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Page } from './page';
import { picturesOf } from './pictures';

/** Pictures dropped anywhere on the page or pasted into it. No part of the first download: it is there right after it. */
export function PictureDrop({ page }: { readonly page: Page }) {
  const pictures = useMemo(() => picturesOf(page), [page]);
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const onPicture = (file: File) => pictures.openFile(file, file.name, page.pictures.channels.peek());
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragging(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const file = pictureIn(event.dataTransfer) ?? event.dataTransfer?.files[0];
      if (file) onPicture(file);
    };
    const onPaste = (event: ClipboardEvent) => {
      const file = pictureIn(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      onPicture(file);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, [page, pictures]);
  return dragging && <div class="drop">Drop a picture to make it x</div>;
}

/** The first picture among dropped or pasted things. */
function pictureIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null;
}
