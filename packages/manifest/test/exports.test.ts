import * as manifest from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(manifest).sort()).toMatchInlineSnapshot(`
    [
      "MANIFEST_FILE",
      "MANIFEST_FORMAT",
      "ManifestError",
      "checkManifest",
      "checksumOf",
      "classId",
      "classOperationName",
      "concealSensitive",
      "formatManifest",
      "hashSources",
      "isSensitive",
      "markSensitive",
      "parseManifest",
      "shapeOf",
      "toolId",
    ]
  `);
});
