import { sentenceOf } from '../../formats/format';
import { writeCase } from '../../formats/write-case';
import { writeLink } from '../../link/write-link';
import type { Rounding } from '../../protocol/questions';
import type { Page } from '../page';
import { saveFile } from '../save-file';

/** Saves the problem on the stage with its results as a case file, and says what became of that. */
export async function saveCase({ client, scene, address }: Page): Promise<string> {
  const content = scene.peek();
  const { x, w, b, dy, y, dx, dw, db } = content?.tensors ?? {};
  if (!content || !x || !w || !dy || !y || !dx || !dw || !db) return 'Not all of it is computed: there is no case yet.';
  const { hash } = writeLink(address.seen());
  // How far other algorithms may be away, the library says.
  const { revision, geometry } = content;
  const asked = await client.ask({ type: 'question', revision, question: { kind: 'rounding' } });
  if (asked.status === 'failed') return `It was not saved: ${asked.error.message}.`;
  if (asked.status !== 'done') return 'It was not saved, since something else was computed meanwhile. Try again.';
  const text = writeCase({
    name: nameOf(geometry),
    geometry,
    inputs: { x: x.data, w: w.data, b: b?.data ?? null, dy: dy.data },
    results: { y: y.data, dx: dx.data, dw: dw.data, db: db.data },
    atol: asked.result.answer as Rounding,
    link: hash,
  });
  if (typeof text !== 'string') return `It was not saved: ${sentenceOf(text.refusal)}.`;
  const file = `${nameOf(geometry)}.json`;
  saveFile(file, new Blob([text], { type: 'application/json' }));
  return `${file} was saved.`;
}

/** "conv2d-1x7x7x1-3x3": by the sizes, so that several lie beside each other in a folder. */
const nameOf = ({ n, h, w, c, kh, kw, k }: { readonly [Name in 'n' | 'h' | 'w' | 'c' | 'kh' | 'kw' | 'k']: number }) =>
  `conv2d-${n}x${h}x${w}x${c}-${kh}x${kw}x${k}`;
