import { useEffect, useMemo, useState } from 'preact/hooks';
import { useImport } from '../numbers/use-import';
import { imageActionsOf } from '../page/image-actions';
import type { Page } from '../page/page';

/** Opens images and arrays that are dropped on the page or pasted into it. Loaded after the first download. */
export function ImageDrop({ page }: { readonly page: Page }) {
  const images = useMemo(() => imageActionsOf(page), [page]);
  const [dragging, setDragging] = useState(false);
  const numbers = useImport(page);
  const { open } = numbers;
  useEffect(() => {
    const onImage = (file: File) => images.openFile(file, file.name, page.images.channels.peek());
    const onFile = (file: File) => (isImage(file) ? onImage(file) : open(file.name, file));
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
      const file = imageIn(event.dataTransfer) ?? event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    const onPaste = (event: ClipboardEvent) => {
      const file = imageIn(event.clipboardData) ?? event.clipboardData?.files[0];
      const text = file || isPastedElsewhere(event) ? '' : (event.clipboardData?.getData('text/plain') ?? '');
      const link = ownLinkIn(text);
      if (!file && !link && !/\d/.test(text)) return;
      event.preventDefault();
      if (file) onFile(file);
      else if (link) page.address.goTo(link);
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
  }, [page, images, open]);
  return (
    <>
      {dragging && <div class="drop">Drop an image to use it as x, or an array file</div>}
      {numbers.sheet}
    </>
  );
}

/** The first image among dropped or pasted files. */
function imageIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(isImage) ?? null;
}

/** The hash of a text that is a link to this page; null for any other text. */
function ownLinkIn(text: string): string | null {
  const [, address = '', hash = null] = /^\s*([^\s?#]+)(?:\?[^\s#]*)?#(\S+)\s*$/.exec(text) ?? [];
  return address === `${location.origin}${location.pathname}` ? hash : null;
}

const isImage = ({ type }: File): boolean => type.startsWith('image/');

/** Pasting into a text box or a dialog is not an import. */
const isPastedElsewhere = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null;
