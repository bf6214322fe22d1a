import * as audit from '../src/index.js';

test('the package exports exactly this', () => {
  expect(Object.keys(audit).sort()).toMatchInlineSnapshot(`
    [
      "AuditError",
      "auditCommands",
      "auditErrorCatalogue",
      "auditSinkOptions",
      "currentAnchors",
      "digestValue",
      "exportAudit",
      "jsonlRecordSink",
      "openAuditSink",
      "otelLogsSink",
      "queryAudit",
      "recordSinkContract",
      "tailAudit",
      "verifyAudit",
    ]
  `);
});
