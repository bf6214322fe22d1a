import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { describeAuditSink } from '@toolwright/testing';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import {
  jsonlRecordSink,
  openAuditSink,
  otelLogsSink,
  recordSinkContract,
  type AuditRecord,
} from '../src/index.js';
import { readRecords } from './temporary-log.js';

const newFile = () => join(temporaryFolder(), 'audit.jsonl');

describeAuditSink('the JSONL sink', async () => {
  const file = newFile();
  const sink = await openAuditSink({ file });
  const stored = async () => (await readRecords(file)).map((record) => JSON.stringify(record));
  return { sink, stored, close: () => sink.close() };
});

describe('the JSONL record sink', () => {
  recordSinkContract({ describe, it }, async () => {
    const file = newFile();
    const deliveredIds = async () => {
      const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
      return lines.map((line) => (JSON.parse(line) as AuditRecord).id);
    };
    return { sink: await jsonlRecordSink({ file }), deliveredIds };
  });
});

describe('the OpenTelemetry sink', () => {
  recordSinkContract({ describe, it }, async () => {
    const exporter = new InMemoryLogRecordExporter();
    const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
    const sink = otelLogsSink({ logger: provider.getLogger('audit'), flush: () => provider.forceFlush() });
    const deliveredIds = async () =>
      exporter.getFinishedLogRecords().map(({ attributes }) => String(attributes['log.record.uid']));
    return { sink, deliveredIds };
  });
});
