import { check, createConv } from 'conv2d';

const values = (length, seed) => Float32Array.from({ length }, (_, i) => ((i * 7 + seed * 5) % 11) - 5);

async function main() {
  // Four images of 6 x 6 pixels, 2 channels, 3 filters of 3 x 3.
  const conv = await createConv();
  const x = { shape: [4, 6, 6, 2], data: values(288, 1) };
  const w = { shape: [3, 3, 2, 3], data: values(54, 2) };
  const y = conv.forward({ x, w, stride: 2, padding: 1 });
  const dy = { shape: y.shape, data: values(y.data.length, 3) };
  const { dw, db } = conv.backward({ x, w, dy, stride: 2, padding: 1 });
  conv.dispose();

  // A program of your own, which takes the mean over the images.
  const mine = { shape: db.shape, data: db.data.map((value) => value / 4) };
  const { verdict, layers } = await check({ x, w, y, dy, dw, db: mine });
  console.log(`${verdict}: ${layers[0].evidence}`);
  for (const [name, { sentence }] of Object.entries(layers[0].tensors)) console.log(`${name}: ${sentence}`);
}

main();
