import * as compiler from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(compiler).sort()).toMatchInlineSnapshot(`
    [
      "ProjectError",
      "adoptDefaults",
      "buildManifest",
      "createWatchCompiler",
      "explainProject",
      "formatDiagnostic",
      "inspectProject",
      "loadSourceEdits",
      "schemaErrorCatalogue",
    ]
  `);
});
