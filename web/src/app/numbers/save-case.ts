import { questionsOf } from '../../compute/questions';
import { sentenceOf } from '../../formats/format';
import { writeCase } from '../../formats/write-case';
import { writeLink } from '../../link/write-link';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';

/** Saves the shown problem with its results as a case file. Returns the message to show. */
export async function saveCase({ client, scene, address }: Page): Promise<string> {
  const content = scene.peek();
  const { x, w, b, dy, y, dx, dw, db } = content?.tensors ?? {};
  if (!content || !x || !w || !dy || !y || !dx || !dw || !db)
    return 'Not everything is computed yet. Try again in a moment.';
  const { hash } = writeLink(address.seen());
  // The library computes the tolerances.
  const { revision, geometry } = content;
  const rounding = await questionsOf(client).once(revision, { kind: 'rounding' });
  if (rounding.status === 'failed') return `Not saved: ${rounding.error.message}.`;
  if (rounding.status !== 'answered') return 'Not saved, because the problem changed meanwhile. Try again.';
  const text = writeCase({
    name: nameOf(geometry),
    geometry,
    inputs: { x: x.data, w: w.data, b: b?.data ?? null, dy: dy.data },
    results: { y: y.data, dx: dx.data, dw: dw.data, db: db.data },
    atol: rounding.answer,
    link: hash,
  });
  if (typeof text !== 'string') return `Not saved: ${sentenceOf(text.refusal)}.`;
  const file = `${nameOf(geometry)}.json`;
  saveFile(file, new Blob([text], { type: 'application/json' }));
  return `Saved ${file}.`;
}

/** "conv2d-1x7x7x1-3x3x1": named by its sizes, so that several files fit in one folder. */
const nameOf = ({ n, h, w, c, kh, kw, k }: { readonly [Name in 'n' | 'h' | 'w' | 'c' | 'kh' | 'kw' | 'k']: number }) =>
  `conv2d-${n}x${h}x${w}x${c}-${kh}x${kw}x${k}`;
