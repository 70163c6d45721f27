import { useEffect, useMemo, useState } from 'preact/hooks';
import { useNumbers } from './numbers/use-numbers';
import type { Page } from './page';
import { picturesOf } from './pictures';

/** Pictures and numbers dropped anywhere on the page or pasted into it. No part of the first download: it is there right after it. */
export function PictureDrop({ page }: { readonly page: Page }) {
  const pictures = useMemo(() => picturesOf(page), [page]);
  const [dragging, setDragging] = useState(false);
  const numbers = useNumbers(page);
  const { open } = numbers;
  useEffect(() => {
    const onPicture = (file: File) => pictures.openFile(file, file.name, page.pictures.channels.peek());
    const onFile = (file: File) => (isPicture(file) ? onPicture(file) : open(file.name, file));
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
      if (file) onFile(file);
    };
    const onPaste = (event: ClipboardEvent) => {
      const file = pictureIn(event.clipboardData) ?? event.clipboardData?.files[0];
      const text = file || isForAnother(event) ? '' : (event.clipboardData?.getData('text/plain') ?? '');
      if (!file && !/\d/.test(text)) return;
      event.preventDefault();
      if (file) onFile(file);
      else open('', text);
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
  }, [page, pictures, open]);
  return (
    <>
      {dragging && <div class="drop">Drop a picture to make it x, or a file of numbers</div>}
      {numbers.sheet}
    </>
  );
}

/** The first picture among dropped or pasted things. */
function pictureIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(isPicture) ?? null;
}

const isPicture = ({ type }: File): boolean => type.startsWith('image/');

/** Text goes where one writes; a dialog is about something else. */
const isForAnother = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null;
