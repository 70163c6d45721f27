/** How long the browser may take to begin saving, in milliseconds. */
const SAVING = 10_000;

/** Has the browser save what was made here. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}
