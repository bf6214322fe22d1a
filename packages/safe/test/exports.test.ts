import * as safe from '../src/index.js';

test('the package exports exactly this', () => {
  expect(Object.keys(safe).sort()).toMatchInlineSnapshot(`
    [
      "rootedPath",
      "runCommand",
      "safeErrorCatalogue",
      "safeFetch",
    ]
  `);
});
