import { writeJson } from '@toolwright/core/transport';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { AuditRecord } from '../record.js';
import { RecentIds, type RecordSink } from './record-sink.js';

/**
 * What is emitted, and a logger that emits it. They are declared here because the types of the optional peer
 * may be missing.
 */
interface OtelLogRecord {
  timestamp: number;
  severityNumber: number;
  severityText: string;
  eventName: string;
  body: string;
  attributes: Record<string, string | number>;
}
interface OtelLogger {
  emit(record: OtelLogRecord): void;
}

export interface OtelLogsSinkOptions {
  /**
   * A logger from `logs.getLogger('toolwright.audit')` of @opentelemetry/api-logs, under your own
   * LoggerProvider.
   */
  logger: OtelLogger;
  /**
   * Waits until everything that was emitted was also sent: `() => provider.forceFlush()`. Without it, the SDK
   * decides when to send.
   */
  flush?: () => Promise<void>;
  /** The name of the sink. Default `otel`. Set it when there are several. */
  name?: string;
}

const { callback, filledText, objectWith, required } = optionRules;

const otelOptions = {
  logger: required(objectWith('an OpenTelemetry logger with emit', 'emit')),
  flush: callback,
  name: { ...filledText, default: 'otel' },
} satisfies OptionSchema<OtelLogsSinkOptions>;

/**
 * Emits each record as an OpenTelemetry log record. `log.record.uid` carries the record's id. A backend can
 * use it to remove records that come again after a restart.
 */
export function otelLogsSink(options: OtelLogsSinkOptions): RecordSink {
  const { logger, flush, name } = parseOptions('otelLogsSink', otelOptions, options);
  const emitted = new RecentIds();
  return {
    name,
    async ship(records) {
      for (const record of records.filter(({ id }) => !emitted.has(id))) {
        logger.emit(logRecordOf(record));
        emitted.add(record.id);
      }
      await flush?.();
    },
  };
}

/**
 * The SeverityNumbers INFO and WARN of the log data model. Importing its enum would make the optional peer a
 * required one.
 */
const INFO = 9;
const WARN = 13;

function logRecordOf(record: AuditRecord): OtelLogRecord {
  const refused = record.event === 'denied' || record.event === 'limited';
  return {
    timestamp: record.time,
    severityNumber: refused ? WARN : INFO,
    severityText: refused ? 'WARN' : 'INFO',
    eventName: `toolwright.audit.${record.event}`,
    body: `${record.operation} ${record.name}: ${record.outcome ?? record.event}`,
    attributes: attributesOf(record),
  };
}

function attributesOf(record: AuditRecord): OtelLogRecord['attributes'] {
  const attributes: OtelLogRecord['attributes'] = {
    'log.record.uid': record.id,
    'toolwright.audit.seq': record.seq,
    'toolwright.audit.writer': record.writer,
    'toolwright.audit.record': writeJson(record),
    'mcp.operation': record.operation,
    'mcp.name': record.name,
  };
  if (record.principal) attributes['enduser.id'] = record.principal.subject;
  if (record.ip) attributes['client.address'] = record.ip;
  if (record.traceId) attributes['trace_id'] = record.traceId;
  return attributes;
}
