/**
 * Returns whether copying succeeded. Call it inside the click handler: Safari refuses content that comes after
 * asynchronous work, but accepts a promise of it. There is no clipboard over plain http.
 */
export async function toClipboard(content: string | Promise<string | Blob>, type = 'text/plain'): Promise<boolean> {
  try {
    if (typeof content === 'string') await navigator.clipboard.writeText(content);
    else await writeLater(content, type);
    return true;
  } catch {
    return false;
  }
}

async function writeLater(content: Promise<string | Blob>, type: string): Promise<void> {
  // Firefox before 127 has no ClipboardItem, and accepts text after asynchronous work.
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(String(await content));
  const blob = content.then((made) => (typeof made === 'string' ? new Blob([made], { type }) : made));
  // Avoids an unhandled rejection: a refused item does not await its blob.
  blob.catch(() => undefined);
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}
