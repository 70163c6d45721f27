import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { cellAt } from './support/grids';

// The tab "Code": the line that the stage is at, with its numbers, and a check that somebody takes away.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const PROBLEM = '#h=6&kh=3&stride=2&padding=1,0,1,0&x=ramp&weights=countdown:9&dy=random:3';

it('marks the line of a chosen cell and of a player, and hands out a check', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    `${PROBLEM}&side=code&cell=y.4`,
  );
  const here = page.locator('.listing [aria-current]');
  const y = await cellAt(page, 'y', 1, 1).textContent();
  await expect.poll(() => here.textContent()).toBe(`        y[n][i][j][k] = sum;  // y[0][1][1][0] = ${y}\n`);
  expect(await page.locator('.code__here').textContent()).toContain(`y[0][1][1][0] = ${y}`);
  // A cell of dx: the loops that make it.
  await cellAt(page, 'dx', 2, 3).click();
  const dx = (await cellAt(page, 'dx', 2, 3).textContent())?.replace('\u2212', '-');
  await expect.poll(() => here.textContent()).toBe(`        dx[n][r][s][c] = sum;  // dx[0][2][3][0] = ${dx}\n`);
  await page.getByRole('radio', { name: 'PyTorch' }).check({ force: true });
  await expect.poll(() => here.textContent()).toContain('torch.autograd.grad(y, x, grad_outputs=dy)  # dx[0, 2, 3, 0]');
  await page.getByRole('radio', { name: 'C++' }).check({ force: true });

  // The frames of the players.
  await page.keyboard.press('Escape');
  for (const [look, line] of [
    [
      'mode=steps&steps.process=dx_scatter&steps.t=5',
      'dx[n][r][s][c] += dy[n][i][j][k] * w[p][q][c][k];  // dy[0][1][1][0] = ',
    ],
    ['mode=steps&steps.process=dx_gather&steps.t=9', 'dx[n][r][s][c] = sum;  // dx[0][1][2][0] = '],
    ['mode=dw&dw.way=dilated_dy&dw.t=4', 'dw[p][q][c][k] = sum;  // dw[1][0][0][0] = '],
    ['mode=board&board.t=2', 'y[n][i][j][k] = sum;  // y[0][0][1][0] = '],
    ['mode=lowering&lowering.part=fold&lowering.folded=5', 'dx[n][r][s][c] += row[p][q][c];  // added'],
  ] as const) {
    await page.goto(`${stage.site.url}${PROBLEM}&side=code&${look}`);
    await expect.poll(() => here.textContent().catch(() => ''), { message: look }).toContain(line);
  }

  await page.getByRole('radio', { name: 'NumPy' }).check({ force: true });
  await page.getByRole('button', { name: 'Copy a runnable check' }).click();
  await expect.poll(() => page.locator('.code__said').textContent()).toBe('The check was copied.');
  const check = await page.evaluate(() => navigator.clipboard.readText());
  expect(check).toContain('page_dx = np.array([');
  expect(check).toContain('check("db", page_db, db');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save it' }).click();
  expect((await saving).suggestedFilename()).toBe('conv2d_check_numpy.py');

  // Hidden numbers are neither told nor handed out.
  await page.goto(`${stage.site.url}${PROBLEM}&side=code&cell=y.4&hidden=y.4`);
  await expect.poll(() => here.textContent().catch(() => '')).toContain('y[0, 1, 1, 0] = ?');
  await page.getByRole('button', { name: 'Copy a runnable check' }).click();
  await expect.poll(() => page.locator('.code__said').textContent()).toContain('hidden');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(check);
  expect(troubles).toEqual([]);
});
