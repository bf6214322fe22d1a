import * as createToolwright from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(createToolwright).sort()).toEqual([
    'AppOptionsError',
    'askForApp',
    'auths',
    'canAsk',
    'createApp',
    'databases',
    'mountFiles',
    'ownVersion',
    'packageManagerOf',
    'pieceFiles',
    'pieceKinds',
    'setUpApp',
    'transports',
  ]);
});
