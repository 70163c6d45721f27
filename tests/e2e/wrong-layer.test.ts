import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pythonWith } from '../web/support/python';
import { openPage, useStage } from './support/browser';
import { dropFiles } from './support/drop-and-paste';

// The whole way of a wrong gradient: a PyTorch layer with a bug, saved by the helper; the page names the bug; the script
// of the report shows the difference.

const stage = useStage();
const python = pythonWith('torch', 'python3-torch');
const HELPER = readFileSync(new URL('../../examples/save_layer_pytorch.py', import.meta.url), 'utf8');

/** A convolution with a backward pass of its own, which flips the kernel once too often for dx. */
const TRAINING = `
import sys, tempfile, torch
import torch.nn.functional as F

class Conv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return F.conv2d(x, w, b, stride=2, padding=1, groups=2)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx = F.conv_transpose2d(dy, w.flip(2, 3), stride=2, padding=1, groups=2)
        dw = torch.nn.grad.conv2d_weight(x, w.shape, dy, stride=2, padding=1, groups=2)
        return dx, dw, dy.sum((0, 2, 3))

class MyConv(torch.nn.Conv2d):
    def _conv_forward(self, x, weight, bias):
        return Conv.apply(x, weight, bias)

torch.manual_seed(1)
layer = MyConv(4, 6, 3, stride=2, padding=1, groups=2)
save = watch(layer)
layer(torch.randn(2, 4, 7, 5, requires_grad=True)).square().sum().backward()
path = tempfile.mkdtemp() + "/layer.npz"
save(path)
sys.stdout.buffer.write(open(path, "rb").read())`;

it.skipIf(!python)('is found from a saved layer, and the report shows it', async () => {
  const run = (text: string) => spawnSync(python ?? '', ['-c', text], { maxBuffer: 2 ** 24 });
  const saved = run(`${HELPER}${TRAINING}`);
  expect(saved.stderr.toString()).toBe('');
  const { page, troubles } = await openPage(stage);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dropFiles(page, [{ name: 'layer.npz', bytes: saved.stdout }]);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Stride 2, padding 1, 2 groups.*: the only one of [\d,]+ that gives y/).waitFor();
  const rows = dialog.locator('.judged__results tbody tr');
  for (const right of ['y', 'dw', 'db']) {
    await rows
      .filter({ hasText: `✓right: ${right}` })
      .getByText(/are right/)
      .waitFor();
  }
  await rows.filter({ hasText: '✗wrong: dx' }).getByText('Weight of the opposite corner').waitFor();
  await dialog.getByRole('button', { name: 'Open and compare cell by cell' }).click();
  const dx = dialog.getByRole('region', { name: 'dx compared' });
  await dx.getByRole('button', { name: 'Copy report with a script' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('Weight of the opposite corner');
  const [, script = ''] = /```python\n(.*?)```/s.exec(await copied()) ?? [];
  const [, largest = ''] = /Largest difference: (\S+) at/.exec(await copied()) ?? [];
  const { stdout, stderr } = run(script);
  expect(stderr.toString()).toBe('');
  const [, printed = ''] = /^largest difference (\S+) at dx/.exec(stdout.toString()) ?? [];
  expect(Number(printed)).toBeGreaterThan(0.1);
  expect(Number(printed)).toBeCloseTo(Number(largest), 3);
  expect(troubles).toEqual([]);
  await page.context().close();
});
