import { wantsColours } from './terminal.js';

test.each<[string, Record<string, string>, boolean, boolean]>([
  ['a screen', {}, true, true],
  ['a pipe', {}, false, false],
  ['a screen with NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR, which counts as absent', { NO_COLOR: '' }, true, true],
  ['a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['a dumb terminal', { TERM: 'dumb' }, true, false],
])('%s', (_case, env, isScreen, colours) => {
  expect(wantsColours(env, isScreen)).toBe(colours);
});
