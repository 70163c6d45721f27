import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt } from './support/grids';
import { chooseFrom } from './support/modes';

// The "Code" tab: the line of the current step with its values, and a copied check.

const stage = useStage();

const PROBLEM = '#h=6&kh=3&stride=2&padding=1,0,1,0&x=ramp&weights=countdown:9&dy=random:3';

it('marks the line of a chosen cell and of a player, and copies a check', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    `${PROBLEM}&side=code&cell=y.4`,
  );
  const here = page.locator('.listing [aria-current]');
  const y = await cellAt(page, 'y', 1, 1).textContent();
  await expect.poll(() => here.textContent()).toBe(`        y[n][i][j][k] = sum;  // y[0][1][1][0] = ${y}\n`);
  expect(await page.locator('.code__here').textContent()).toContain(`y[0][1][1][0] = ${y}`);
  // A cell of dx: the loops that compute it.
  await cellAt(page, 'dx', 2, 3).click();
  const dx = (await cellAt(page, 'dx', 2, 3).textContent())?.replace('\u2212', '-');
  await expect.poll(() => here.textContent()).toBe(`        dx[n][r][s][c] = sum;  // dx[0][2][3][0] = ${dx}\n`);
  await page.getByRole('radio', { name: 'PyTorch' }).check({ force: true });
  await expect.poll(() => here.textContent()).toContain('torch.autograd.grad(y, x, grad_outputs=dy)  # dx[0, 2, 3, 0]');
  // A link restores the choice, too.
  await page.getByRole('radio', { name: 'dw', exact: true }).check({ force: true });
  await expect.poll(() => page.url()).toContain('code=pytorch.dw.dx');
  await page.reload();
  await page.locator('.listing[aria-label="PyTorch code for dw"], [aria-label="PyTorch code for dw"]').waitFor();
  await page.getByRole('radio', { name: 'dx', exact: true }).check({ force: true });
  await page.getByRole('radio', { name: 'C++', exact: true }).check({ force: true });

  // The steps of the players.
  await page.keyboard.press('Escape');
  for (const [look, line] of [
    ['mode=dx&dx.way=scatter&dx.t=5', 'dx[n][r][s][c] += dy[n][i][j][k] * w[p][q][c][k];  // dy[0][1][1][0] = '],
    ['mode=dx&dx.way=gather&dx.t=9', 'dx[n][r][s][c] = sum;  // dx[0][1][2][0] = '],
    ['mode=dw&dw.way=dilated_dy&dw.t=4', 'dw[p][q][c][k] = sum;  // dw[1][0][0][0] = '],
    ['mode=board&board.t=2', 'y[n][i][j][k] = sum;  // y[0][0][1][0] = '],
    ['mode=lowering&lowering.part=fold&lowering.folded=5', 'dx[n][r][s][c] += row[p][q][c];  // added'],
  ] as const) {
    await page.goto(`${stage.site.url}${PROBLEM}&side=code&${look}`);
    await expect.poll(() => here.textContent().catch(() => ''), { message: look }).toContain(line);
  }

  await page.getByRole('radio', { name: 'NumPy' }).check({ force: true });
  await page.getByRole('button', { name: 'Copy check' }).click();
  await expect.poll(() => page.locator('.code [role=status]').textContent()).toBe('Check copied.');
  const check = await page.evaluate(() => navigator.clipboard.readText());
  expect(check).toContain('page_dx = np.array([');
  expect(check).toContain('check("db", page_db, db');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save check' }).click();
  expect((await saving).suggestedFilename()).toBe('conv2d_check_numpy.py');

  // The layout is that of the code, and the link keeps it. The helper saves a layer of the framework.
  await page.getByRole('radio', { name: 'PyTorch' }).check({ force: true });
  await page.getByRole('radio', { name: 'NCHW' }).check({ force: true });
  await page.getByRole('radio', { name: 'y', exact: true }).check({ force: true });
  await page.locator('.listing').getByText('y = F.conv2d(x_padded, w, stride=2)').waitFor();
  await expect.poll(() => page.url()).toContain('layout=nchw');
  await page.getByRole('button', { name: 'Copy helper' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('def watch(layer):');
  await page.getByRole('button', { name: 'Copy check' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('import torch');
  const last = await page.evaluate(() => navigator.clipboard.readText());

  // Hidden values are neither shown nor copied.
  await page.goto(`${stage.site.url}${PROBLEM}&side=code&code=numpy&cell=y.4&hidden=y.4`);
  await expect.poll(() => here.textContent().catch(() => '')).toContain('y[0, 1, 1, 0] = ?');
  await page.getByRole('button', { name: 'Copy check' }).click();
  await expect.poll(() => page.locator('.code [role=status]').textContent()).toContain('hidden');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(last);
  expect(troubles).toEqual([]);
});

it('shows and copies the code of a whole network, and of its open layer', async () => {
  const network = '#h=6&kh=3&layer.2=relu&layer.3=max_pool;kernel:2&x=ramp&weights=ones&dy=ones&layout=nchw';
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    `${network}&side=code&mode=network&code=pytorch`,
  );
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.locator('[aria-label="PyTorch code for the network"]').getByText('y3 = layer3(y2)').waitFor();
  await page.getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(copied).toContain('def layer3(x):  # max pooling 2 × 2\n    y = F.max_pool2d(x, 2, stride=2)');
  await page.getByRole('button', { name: 'Copy check' }).click();
  await expect.poll(copied).toContain('check("dw1", dw1, here_dw1');
  expect(await copied()).toContain('check("dy2", dy2, here_dy2');
  // One layer, on demand; a link keeps the choice, in another view, too.
  await page.getByRole('radio', { name: 'dx', exact: true }).check({ force: true });
  await page.locator('[aria-label="PyTorch code for dx"]').waitFor();
  await page.getByText('Layer 1 of the network.').waitFor();
  await page.goto(`${stage.site.url}${network}&side=code&code=numpy.network.y`);
  await page.locator('[aria-label="NumPy code for the network"]').getByText('y3, back3 = layer3(y2)').waitFor();
  // Other languages say which have it.
  await page.getByRole('radio', { name: 'C++', exact: true }).check({ force: true });
  await page.getByText('C++ shows one layer: layer 1, which is open.').waitFor();
  expect(troubles).toEqual([]);
});

it('copies a sum, the formulas and a matrix with its padding as LaTeX, without hidden values', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    `${PROBLEM}&cell=y.4`,
  );
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const y = Number(await cellAt(page, 'y', 1, 1).textContent());
  await page.getByRole('button', { name: 'Copy this sum as LaTeX' }).click();
  await page.getByText('LaTeX copied.').waitFor();
  const sum = await copied();
  expect(sum).toContain('y_{1,1} &= \\sum_{p,q} x_{1+p,1+q} \\cdot w_{p,q} \\\\\n&= 7 \\cdot 9 + 8 \\cdot 8');
  expect(sum).toContain(`&= ${y}\n\\end{aligned}`);

  const matrix = page.getByRole('textbox', { name: 'LaTeX' });
  const openExport = async () => {
    await chooseFrom(page, 'Share', 'Export');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
  };
  await openExport();
  expect(await matrix.inputValue()).toContain('x = \\left[\\begin{array}{c|cccccc}\n0 & 0 & 0');
  await page.getByRole('combobox', { name: 'content' }).selectOption('y');
  expect(await matrix.inputValue()).toContain(`& ${y} &`);
  await page.getByRole('combobox', { name: 'content' }).selectOption('letters');
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(copied).toContain('\\mathit{db}_k &= \\sum_{n,i,j}');

  await page.goto(`${stage.site.url}${PROBLEM}&cell=y.4&hidden=y.4`);
  await page.reload();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByRole('button', { name: 'Copy this sum as LaTeX' }).click();
  await expect.poll(copied).toContain('&= ?\n\\end{aligned}');
  await openExport();
  await page.getByRole('combobox', { name: 'content' }).selectOption('y');
  expect(await matrix.inputValue()).toContain('& ? &');
  expect(await matrix.inputValue()).not.toContain(String(y));
  expect(troubles).toEqual([]);
});
