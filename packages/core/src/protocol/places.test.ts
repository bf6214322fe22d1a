import { Places } from './places.js';

test('A principal is stopped at its own cap, everybody at the one for all', () => {
  const places = new Places({ max: 3, maxPerPrincipal: 2 });
  places.take('ann');
  places.take('ann');
  expect([places.isExhaustedFor('ann'), places.isExhaustedFor('bob'), places.full]).toEqual([
    true,
    false,
    false,
  ]);
  places.take('bob');
  expect(places.full).toBe(true);
});

test('A place is given up once, however often that is said', () => {
  const places = new Places({ max: 2, maxPerPrincipal: 1 });
  const leave = places.take('ann');
  places.take('bob');
  leave();
  leave();
  expect([places.isExhaustedFor('ann'), places.isExhaustedFor('bob'), places.full]).toEqual([
    false,
    true,
    false,
  ]);
  places.take('cid');
  expect(places.full).toBe(true);
});

test('Anonymous callers share only the cap for all', () => {
  const places = new Places({ max: 3, maxPerPrincipal: 1 });
  places.take('');
  places.take('');
  expect([places.isExhaustedFor(''), places.full]).toEqual([false, false]);
});
