import * as manifest from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(manifest).sort()).toMatchInlineSnapshot(`
    [
      "DefinitionPool",
      "INLINE_LIMIT",
      "MANIFEST_FILE",
      "MANIFEST_FORMAT",
      "ManifestError",
      "checkManifest",
      "checksumOf",
      "classId",
      "classOperationName",
      "concealSensitive",
      "definitionsOf",
      "formatManifest",
      "hashSources",
      "inlineReferences",
      "isSchema",
      "isSensitive",
      "mapSchema",
      "markSensitive",
      "parseManifest",
      "partsOf",
      "reachedFrom",
      "referenceName",
      "referencesIn",
      "schemaOf",
      "shapeOf",
      "sharedDefinitions",
      "sortByReferences",
      "toolId",
      "traitsOf",
      "withDefinitions",
    ]
  `);
});
