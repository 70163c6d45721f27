import { beforeEach, expect, it, vi } from 'vitest';
import { cellAt, numberIn, one, part, says, texts } from '../support/page/find';
import { address, goTo, open, usePage } from '../support/page/open';
import { choose } from '../support/page/stage';
import { click } from '../support/page/user';

// The tab Code: the line of the current step with its values, a copied check, and sums as LaTeX.

usePage();

const PROBLEM = '#h=6&kh=3&stride=2&padding=1,0,1,0&x=ramp&weights=countdown:9&dy=random:3';

let copied = '';
beforeEach(() => {
  copied = '';
  vi.stubGlobal('ClipboardItem', undefined);
  vi.stubGlobal('navigator', {
    clipboard: {
      async writeText(text: string) {
        copied = text;
      },
    },
  });
});

const here = () => texts('.listing [aria-current]').join('');
const status = () => texts('.code [role=status]').join('');
const listing = (name: string) => part(`[aria-label="${name}"]`).textContent ?? '';

it('marks the line of a chosen cell, in each language; a link restores the choice', async () => {
  await open(`${PROBLEM}&side=code&cell=y.4`);
  const y = cellAt('y', 1, 1).textContent;
  expect(here()).toBe(`        y[n][i][j][k] = sum;  // y[0][1][1][0] = ${y}\n`);
  expect(part('.code__here').textContent).toContain(`y[0][1][1][0] = ${y}`);
  // A cell of dx: the loops that compute it.
  await click(cellAt('dx', 2, 3));
  const dx = cellAt('dx', 2, 3).textContent?.replace('\u2212', '-');
  expect(here()).toBe(`        dx[n][r][s][c] = sum;  // dx[0][2][3][0] = ${dx}\n`);
  await choose('PyTorch');
  expect(here()).toContain('torch.autograd.grad(y, x, grad_outputs=dy)  # dx[0, 2, 3, 0]');
  await choose('dw');
  expect(await address()).toContain('code=pytorch.dw.dx');
  await open(await address());
  expect(listing('PyTorch code for dw')).not.toBe('');
});

it.each([
  ['mode=dx&dx.way=scatter&dx.t=5', 'dx[n][r][s][c] += dy[n][i][j][k] * w[p][q][c][k];  // dy[0][1][1][0] = '],
  ['mode=dx&dx.way=gather&dx.t=9', 'dx[n][r][s][c] = sum;  // dx[0][1][2][0] = '],
  ['mode=dw&dw.way=dilated_dy&dw.t=4', 'dw[p][q][c][k] = sum;  // dw[1][0][0][0] = '],
  ['mode=board&board.t=2', 'y[n][i][j][k] = sum;  // y[0][0][1][0] = '],
  ['mode=lowering&lowering.part=fold&lowering.folded=5', 'dx[n][r][s][c] += row[p][q][c];  // added'],
])('marks the line of the step of a player: %s', async (look, line) => {
  await open(`${PROBLEM}&side=code&${look}`);
  expect(here()).toContain(line);
});

it('copies a check in each language, and saves it; the layout is that of the code', async () => {
  await open(`${PROBLEM}&side=code&mode=board&board.t=2`);
  await choose('NumPy');
  await click(one('button', 'Copy check'));
  expect(status()).toBe('Check copied.');
  expect(copied).toContain('page_dx = np.array([');
  expect(copied).toContain('check("db", page_db, db');
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await click(one('button', 'Save check'));
  expect(saved).toEqual(['conv2d_check_numpy.py']);

  // The link keeps the layout. The helper saves a layer of the framework.
  await choose('PyTorch');
  await choose('NCHW');
  await choose('y');
  expect(part('.listing').textContent).toContain('y = F.conv2d(x_padded, w, stride=2)');
  expect(await address()).toContain('layout=nchw');
  await click(one('button', 'Copy helper'));
  expect(copied).toContain('def watch(layer):');
  await click(one('button', 'Copy check'));
  expect(copied).toContain('import torch');
});

it('neither shows nor copies hidden values', async () => {
  await open(`${PROBLEM}&side=code&code=numpy&cell=y.4&hidden=y.4`);
  expect(here()).toContain('y[0, 1, 1, 0] = ?');
  await click(one('button', 'Copy check'));
  expect(status()).toContain('hidden');
  expect(copied).toBe('');
});

it('shows and copies the code of a whole network, and of its open layer', async () => {
  const network = '#h=6&kh=3&layer.2=relu&layer.3=max_pool;kernel:2&x=ramp&weights=ones&dy=ones&layout=nchw';
  await open(`${network}&side=code&mode=network&code=pytorch`);
  expect(listing('PyTorch code for the network')).toContain('y3 = layer3(y2)');
  await click(one('button', 'Copy code'));
  expect(copied).toContain('def layer3(x):  # max pooling 2 × 2\n    y = F.max_pool2d(x, 2, stride=2)');
  await click(one('button', 'Copy check'));
  expect(copied).toContain('check("dw1", dw1, here_dw1');
  expect(copied).toContain('check("dy2", dy2, here_dy2');
  // One layer, on demand; a link keeps the choice, in another view, too.
  await choose('dx', part('.code'));
  expect(listing('PyTorch code for dx')).not.toBe('');
  expect(says('Layer 1 of the network.')).toBe(true);
  await goTo(`${network}&side=code&code=numpy.network.y`);
  expect(listing('NumPy code for the network')).toContain('y3, back3 = layer3(y2)');
  // Other languages say which have it.
  await choose('C++');
  expect(says('C++ shows one layer: layer 1, which is open.')).toBe(true);
});

it('copies a sum as LaTeX, without hidden values', async () => {
  await open(`${PROBLEM}&cell=y.4`);
  const y = numberIn(cellAt('y', 1, 1).textContent);
  await click(one('button', 'Copy this sum as LaTeX'));
  expect(says('LaTeX copied.')).toBe(true);
  expect(copied).toContain('y_{1,1} &= \\sum_{p,q} x_{1+p,1+q} \\cdot w_{p,q} \\\\\n&= 7 \\cdot 9 + 8 \\cdot 8');
  expect(copied).toContain(`&= ${y}\n\\end{aligned}`);
  await open(`${PROBLEM}&cell=y.4&hidden=y.4`);
  await click(one('button', 'Hint: the cells'));
  await click(one('button', 'Hint: the products'));
  await click(one('button', 'Copy this sum as LaTeX'));
  expect(copied).toContain('&= ?\n\\end{aligned}');
});
