import { SparseMap } from './sparse-map.js';

test('a sparse map is a map, before its first entry and after its last', () => {
  const map = new SparseMap<string, number>();
  const state = () => [map.size, map.has('a'), map.get('a'), map.values()];
  map.delete('a');
  expect(state()).toEqual([0, false, undefined, []]);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect(state()).toEqual([2, true, 3, [3, 2]]);
  map.delete('a');
  map.delete('b');
  expect(state()).toEqual([0, false, undefined, []]);
  map.set('b', 4);
  expect(map.values()).toEqual([4]);
});

test('its values are a copy, so that entries may be deleted meanwhile', () => {
  const map = new SparseMap<string, string>();
  map.set('a', 'a');
  map.set('b', 'b');
  for (const each of map.values()) map.delete(each);
  expect(map.size).toBe(0);
});
