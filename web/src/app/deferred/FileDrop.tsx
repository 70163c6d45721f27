import { useEffect, useMemo, useState } from 'preact/hooks';
import { useImport } from '../numbers/use-import';
import { imageActionsOf } from '../page/image-actions';
import type { Page } from '../page/page';

/** Opens images and arrays that are dropped on the page or pasted into it. Loaded after the first download. */
export function FileDrop({ page }: { readonly page: Page }) {
  const images = useMemo(() => imageActionsOf(page), [page]);
  const [dragging, setDragging] = useState(false);
  const numbers = useImport(page);
  const { open } = numbers;
  useEffect(() => {
    const onImage = (file: File) => images.openFile(file, file.name, page.images.channels.peek());
    /** One of several images, or arrays. */
    const onFiles = (files: readonly File[]) => {
      const image = files.find(({ type }) => type.startsWith('image/'));
      if (image) onImage(image);
      else if (files.length > 0) open(files);
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      const isOpen = isDialogOpen();
      // Not for a box in the dialog that accepts the file.
      if (isOpen && !event.defaultPrevented && event.dataTransfer) event.dataTransfer.dropEffect = 'none';
      event.preventDefault();
      setDragging(!isOpen);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragging(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (!isDialogOpen()) onFiles(filesIn(event.dataTransfer));
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isDialogOpen()) return;
      const files = filesIn(event.clipboardData);
      const isFile = files.length > 0;
      const text = isFile || isPastedElsewhere(event) ? '' : (event.clipboardData?.getData('text/plain') ?? '');
      const link = ownLinkIn(text);
      if (!isFile && !link && !/\d/.test(text)) return;
      event.preventDefault();
      if (isFile) onFiles(files);
      else if (link) page.address.goTo(link);
      else open(text);
    };
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    window.addEventListener('paste', onPaste, { signal });
    return () => ending.abort();
  }, [page, images, open]);
  return (
    <>
      {dragging && <div class="drop">Drop an image to use it as x, or array files</div>}
      {numbers.sheet}
    </>
  );
}

const filesIn = (transfer: DataTransfer | null): readonly File[] => [...(transfer?.files ?? [])];

/** The hash of a text that is a link to this page; null for any other text. */
function ownLinkIn(text: string): string | null {
  const [, address = '', hash = null] = /^\s*([^\s?#]+)(?:\?[^\s#]*)?#(\S+)\s*$/.exec(text) ?? [];
  return pageAt(address) === pageAt(location.href) ? hash : null;
}

/** The address of a page without its parameters. Servers send the same page for …/, …/index and …/index.html. */
const pageAt = (address: string): string => address.replace(/[?#].*/, '').replace(/\/index(\.html)?$/, '/');

/** Nothing behind an open dialog may change. */
const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Pasting into a text box is not an import. */
const isPastedElsewhere = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
