import { expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { createLook } from '../../../web/src/look/look-store';
import { withLayer, withoutLayer, withWeights } from '../../../web/src/state/layer-edits';
import type { EditResult, Problem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { FakeLibrary } from './fake-compute';
import { opened } from './networks';

// The layer that the views show.

/** A store and its look. `shown`: the sizes, weights and number of the layer that the controls show. */
function storeOf(problem: Problem) {
  const look = createLook(() => null);
  return { look, store: createStore(problem, { look }) };
}

test('shows another layer: its sizes and weights are those that the controls show, and the problem stays', () => {
  const problem = opened();
  const { look, store } = storeOf(problem);
  look.showLayer(3);
  expect(store.layer.value.desc).toMatchObject({ h: 5, w: 5, kh: 3, k: 1 });
  expect(store.layer.value.w.source).toEqual({ kind: 'random', seed: 3 });
  expect(store.layer.value.fixed).toEqual({ x: 'output of layer 3' });
  expect(store.canUndo.value).toBe(false);
  // Layer 2 has no weights.
  look.showLayer(1);
  expect(store.layer.value.index).toBe(0);
  expect(store.problem.value).toBe(problem);
});

test('another layer is shown from the same result, without a computation; one that is under way is shown as that layer', async () => {
  const library = new FakeLibrary();
  const { look, store } = storeOf(opened());
  store.connect(library.compute);
  look.showLayer(3);
  await library.answer();
  expect(store.shown.value).toMatchObject({ index: 3, revision: 0, geometry: { h: 5 } });
  look.showLayer(0);
  expect(store.shown.value).toMatchObject({ index: 0, revision: 0, geometry: { h: 12 } });
  expect(store.shown.value?.problem).toBe(store.problem.value);
  expect(library.requests).toHaveLength(1);
});

test('an edit that the library refuses is no undo step, also if another layer was shown meanwhile', async () => {
  const library = new FakeLibrary();
  const problem = opened();
  const { look, store } = storeOf(problem);
  store.connect(library.compute);
  await library.answer();
  store.setSource('w', { kind: 'impulse' });
  look.showLayer(3);
  await library.refuse({ code: 'unsupported', field: 'w', message: 'no' });
  expect(store.problem.value).toBe(problem);
  expect(store.layer.value.index).toBe(3);
  expect(store.canUndo.value).toBe(false);
});

test('undo and redo return to the layer that they change', () => {
  const { look, store } = storeOf(opened());
  look.showLayer(3);
  store.setSource('w', { kind: 'impulse' });
  look.showLayer(0);
  store.undo();
  expect(store.layer.value).toMatchObject({ index: 3, w: { source: { kind: 'random' } } });
  expect(store.canUndo.value).toBe(false);
  look.showLayer(0);
  store.redo();
  expect(store.layer.value).toMatchObject({ index: 3, w: { source: { kind: 'impulse' } } });
});

test('undo of an edit of all layers, or of x, leaves the layer', () => {
  const { look, store } = storeOf(opened());
  const all = [
    { w: new Float32Array(9), b: null },
    { w: new Float32Array(9), b: null },
  ];
  store.accept(withWeights(store.problem.value, all), { field: '', text: '' }, 'values');
  store.setSource('x', { kind: 'impulse' });
  look.showLayer(3);
  store.undo();
  expect(store.layer.value.index).toBe(3);
  store.undo();
  expect(store.layer.value).toMatchObject({ index: 3, w: { source: { kind: 'random' } } });
});

test('undo pins the cell of the edit again, in its layer', () => {
  const { look, store } = storeOf(opened());
  look.showLayer(3);
  const geometry = geometryOf(store.layer.value.desc);
  look.setGeometry(geometry);
  look.togglePin({ tensor: 'w', index: 4 });
  store.setCells({ tensor: 'w', indices: [4], geometry }, 5);
  look.showLayer(0);
  expect(look.pinned.value).toBeNull();
  store.undo();
  expect(store.layer.value.index).toBe(3);
  expect(look.pinned.value).toEqual({ tensor: 'w', index: 4 });
});

test('the shown layer and its pinned cell get their new number where a layer is added, removed, or restored by undo', async () => {
  const library = new FakeLibrary();
  const { look, store } = storeOf(opened());
  store.connect(library.compute);
  await library.answer();
  const accept = (edited: EditResult) => store.accept(edited, { field: '', text: '' }, 'sizes');
  look.showLayer(3);
  look.setGeometry(store.shown.value?.geometry ?? null);
  look.togglePin({ tensor: 'w', index: 4 });
  const { w } = store.layer.value;
  const isSame = () => expect([store.layer.value.w, look.pinned.value]).toEqual([w, { tensor: 'w', index: 4 }]);
  accept(withoutLayer(store.problem.value, 1));
  expect(look.layer.value).toBe(2);
  isSame();
  // The result on the page has four layers.
  expect(store.shown.value).toMatchObject({ index: 3, geometry: { h: 5 } });
  await library.answer();
  expect(store.shown.value).toMatchObject({ index: 2 });
  accept(withLayer(store.problem.value, 'relu', 0));
  expect(look.layer.value).toBe(3);
  isSame();
  store.undo();
  expect(look.layer.value).toBe(2);
  isSame();
  store.undo();
  expect(look.layer.value).toBe(3);
  isSame();
  await library.refuse({ code: 'unsupported', field: 'w', message: 'no' });
  expect(look.layer.value).toBe(2);
  isSame();
});

test('the pinned cell of the view Network gets the new number of its layer', () => {
  const { look, store } = storeOf(parseLink('h=6&kh=3').problem);
  const accept = (edited: EditResult) => store.accept(edited, { field: '', text: '' }, 'sizes');
  const cell = () => look.settings.network.value.cell;
  look.choose('network', { cell: 'dy.3' });
  accept(withLayer(store.problem.value, 'relu', 0));
  expect(cell()).toBe('dy2.3');
  accept(withLayer(store.problem.value, 'relu', 2));
  expect(cell()).toBe('dy2.3');
  store.undo();
  store.undo();
  expect(cell()).toBe('dy.3');
  store.redo();
  look.choose('network', { cell: 'y1.5' });
  accept(withoutLayer(store.problem.value, 0));
  expect(cell()).toBeUndefined();
  look.choose('network', { cell: 'x.5' });
  accept(withLayer(store.problem.value, 'relu', 0));
  expect(cell()).toBe('x.5');
});

test('a layer before the first one with weights moves it', () => {
  const { look, store } = storeOf(parseLink('h=6&kh=3').problem);
  const { w } = store.layer.value;
  store.accept(withLayer(store.problem.value, 'conv', 0), { field: '', text: '' }, 'sizes');
  expect(store.layer.value).toMatchObject({ index: 1, w: { data: w.data } });
  expect(look.layer.value).toBe(1);
});

test('in place of a shown layer that is removed, the first one with weights is shown, and nothing is pinned', () => {
  const { look, store } = storeOf(opened());
  look.showLayer(3);
  look.setGeometry(geometryOf(store.layer.value.desc));
  look.togglePin({ tensor: 'w', index: 4 });
  store.accept(withoutLayer(store.problem.value, 3), { field: '', text: '' }, 'sizes');
  expect([store.layer.value.index, look.layer.value, look.pinned.value]).toEqual([0, null, null]);
});

test('a problem that is opened shows its first layer with weights', () => {
  const { look, store } = storeOf(opened());
  look.showLayer(3);
  store.open(opened(), 'sizes');
  expect(store.layer.value.index).toBe(0);
});

test('the same gesture in another layer is another undo step', () => {
  const { look, store } = storeOf(opened());
  store.setDesc({ k: 2 }, { gesture: 'k' });
  look.showLayer(3);
  store.setDesc({ k: 2 }, { gesture: 'k' });
  store.undo();
  expect(store.problem.value.layers).toMatchObject([{ fields: { k: 2 } }, {}, {}, { fields: { k: 1 } }]);
});
