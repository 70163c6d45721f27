import { describe, expect, it } from 'vitest';
import { imagePlane, kernelPlane, linkTo, planeName, TESTED_CASES } from '../../e2e/support/notebook';
import { all, cellAt, exact, grid, numberIn, one, part, says, shown, texts } from '../support/page/find';
import { NOTEBOOK_4, open, usePage, wait } from '../support/page/open';
import { choose, explained, headline, marks, openMode, reached, slider, total } from '../support/page/stage';
import { click, fill, focus, press, typeInto } from '../support/page/user';

usePage();

describe('the player', () => {
  it('steps by keys, buttons and dragging, plays, and describes each frame', async () => {
    await open(NOTEBOOK_4);
    const view = one('main');
    await press('Home', slider('windows of x'));
    expect(reached()).toBe('0 of 16');
    for (const [key, to] of [
      ['ArrowRight', '1 of 16'],
      ['Shift+ArrowRight', '5 of 16'],
      ['ArrowLeft', '4 of 16'],
      ['End', '16 of 16'],
      ['Shift+ArrowLeft', '12 of 16'],
    ] as const) {
      await press(key, slider());
      expect(reached(), key).toBe(to);
    }
    await fill(slider(), '6');
    expect(says('Step 6 of 16: y[1,1] reads rows 1 to 3, columns 1 to 3 of x.', view)).toBe(true);
    // The other ten cells of y are covered: a row and a half of four.
    expect(marks('y', 'pending')).toEqual([
      { row: 1, col: 2, rows: 1, cols: 2 },
      { row: 2, col: 0, rows: 2, cols: 4 },
    ]);

    await click(one('button', 'Faster', view));
    expect(texts('.scrubber__speed span')).toEqual(['4 / s']);
    await press('[', slider());
    expect(texts('.scrubber__speed span')).toEqual(['2 / s']);
    // Two steps a second.
    await press(' ', slider());
    await wait(3000);
    expect(Number(reached()?.split(' ')[0])).toBeGreaterThanOrEqual(6 + 6);
    expect(Number(reached()?.split(' ')[0])).toBeLessThan(16);
    for (let i = 0; i < 5; i += 1) await press(']', slider());
    await wait(2000);
    expect(reached()).toBe('16 of 16');
    expect(all('button', 'Play', view)).toHaveLength(1);
  });

  it('stops on a step back while playing', async () => {
    await open(NOTEBOOK_4);
    const view = one('main');
    await press('Home', slider());
    await click(one('button', 'Play', view));
    await click(one('button', 'Pause', view));
    expect(all('button', 'Play', view)).toHaveLength(1);
    await click(one('button', 'Play', view));
    await wait(1500);
    await press('Home', slider());
    expect(all('button', 'Play', view)).toHaveLength(1);
    await click(one('button', 'One step forward', view));
    await wait(3000);
    expect(reached()).toBe('1 of 16');
  });
});

describe('a cell in another view', () => {
  it('is reached by arrow keys, pinned by Space, unpinned by Esc', async () => {
    await open(NOTEBOOK_4);
    await typeInto('x', 1, 1, '100');
    await press('Escape');
    const view = await openMode('dw & db');
    await choose('x convolved with dy', view);
    await focus(cellAt('dw_uncropped', 0, 0));
    await press('ArrowRight');
    await press('ArrowDown');
    expect(document.activeElement).toBe(cellAt('dw_uncropped', 1, 1));
    await press(' ');
    expect(all('button', 'Unpin this cell', explained())).toHaveLength(1);
    expect(headline()).toBe('dw[1,1] = 484');
    await press('Control+z');
    // The sum of x[2i,2j] = 14i + 2j for i, j = 0..3, with dy = 1.
    expect(headline()).toBe('dw[1,1] = 384');
    await press('Escape');
    expect(all('button', 'Unpin this cell', explained())).toEqual([]);
  });

  it('can be edited, and the edit is undone and redone in all views', async () => {
    await open(NOTEBOOK_4);
    const before = shown('y');
    await openMode('dw & db');
    await choose('window by window');
    // x[0,0], at [1,1] of the padded grid: read once, with w[1,1] = 8.
    await typeInto('x', 1, 1, '100');
    expect(shown('y')[0]).toBe(74 + 8 * 100);
    await openMode('Overview');
    expect(shown('y')[0]).toBe(874);
    await press('Control+z');
    expect(shown('y')).toEqual(before);
    await openMode('dw & db');
    expect(shown('y')[0]).toBe(74);
    await press('Control+Shift+z');
    expect(shown('y')[0]).toBe(874);
  });
});

/** The sum of all products of an explained sum; compares each channel with its subtotal. */
async function addedUp(): Promise<number> {
  const panel = explained();
  const listed = async () => {
    const [rest] = all('button', /^Show all \d+$/, panel);
    if (rest) await click(rest);
    return texts('.term__product', panel)
      .map(numberIn)
      .reduce((a, b) => a + b, 0);
  };
  if (texts('.plane', panel).length === 0) return listed();
  const [folded] = all('button', /^Show all \d+ \w+s$/, panel);
  if (folded) await click(folded);
  let sum = 0;
  for (let i = 0; i < texts('.plane', panel).length; i += 1) {
    const head = () => {
      const plane = panel.querySelectorAll('.plane')[i] as HTMLElement;
      return { plane, button: one('button', /^(channel|filter|image) \d+$/, plane) };
    };
    if (head().button.getAttribute('aria-expanded') === 'false') await click(head().button);
    const subtotal = numberIn(part('.plane__subtotal', head().plane).textContent);
    expect(await listed()).toBe(subtotal);
    sum += subtotal;
  }
  return sum;
}

it.each(TESTED_CASES.map((each) => [each.name, each] as const))(
  'explained sums of case %s add up to the computed value, by term and by part',
  async (_, each) => {
    await open(linkTo(each));
    const results = {
      y: imagePlane(each.y, each.y_shape, 0, 0),
      dx: imagePlane(each.dx, each.x_shape, 0, 0),
      dw: kernelPlane(each.dw, each.w_shape, 0, 0),
    };
    const seed = Number(process.env['CONV2D_SEED'] ?? Math.floor(Math.random() * 1e6));
    for (const [tensor, values] of Object.entries(results)) {
      const index = seed % values.length;
      const name = planeName(tensor, each);
      expect(exact(name)).toEqual(values);
      const cell = () => all('gridcell', undefined, grid(name))[index] as HTMLElement;
      await click(cell());
      const message = `${tensor}, seed ${seed}`;
      expect(numberIn(total('library')), message).toBe(values[index]);
      const sum = (values[index] ?? Number.NaN) - (tensor === 'y' ? (each.b?.[0] ?? 0) : 0);
      expect(numberIn(total('sum')), message).toBe(sum);
      expect(await addedUp(), message).toBe(sum);
      await click(cell());
    }
  },
);
