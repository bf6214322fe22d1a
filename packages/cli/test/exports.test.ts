import * as cli from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(cli).sort()).toMatchInlineSnapshot(`
    [
      "exitCodes",
      "processTerminal",
      "run",
    ]
  `);
});
