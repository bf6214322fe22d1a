import {
  RECORDING_FORMAT,
  type RecordingHeader,
  RecordingLines,
} from '../../../../../json/src/base/recording.js';
import type { ServerSummary } from '../../../../src/api/overview-api.js';
import { type MessageRow, methodOf } from '../traffic/message-rows.js';
import { messagesOf } from './call-messages.js';
import type { CallRow } from './call-rows.js';

/** A file for `toolwright replay`. */
export interface RecordingFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Calls as recordings, one for each server: the messages of the calls, and the lists that their callers got, so that a replay can
 * compare them, too.
 */
export function recordingsOf(
  calls: readonly CallRow[],
  messages: readonly MessageRow[],
  servers: readonly ServerSummary[],
): RecordingFile[] {
  return servers.flatMap((server) => {
    const own = calls.filter(({ call }) => call.server === server.id);
    if (own.length === 0) return [];
    const all = messages.filter(({ record }) => record.server === server.id);
    return [{ name: `${server.name}.recording.jsonl`, text: textOf(server, own, all) }];
  });
}

function textOf(server: ServerSummary, calls: readonly CallRow[], all: readonly MessageRow[]): string {
  const wanted = new Set(calls.flatMap(({ call }) => messagesOf(call, all)));
  const callers = new Set(calls.map(({ call }) => subjectOf(call)));
  for (const row of all)
    if (methodOf(row)?.endsWith('/list') && callers.has(subjectOf(row.record))) wanted.add(row);
  const header: RecordingHeader = {
    recording: RECORDING_FORMAT,
    server: { name: server.name, version: server.version },
    began: all[0]?.record.at ?? 0,
  };
  const lines = new RecordingLines(header.began);
  // Messages that are not wanted say which revision the others have.
  const texts = all.flatMap((row) => {
    const line = lines.of({ ...row.record, channel: `${row.record.run} ${row.record.channel}` });
    return wanted.has(row) ? [JSON.stringify(line)] : [];
  });
  return [JSON.stringify(header), ...texts, ''].join('\n');
}

const subjectOf = ({ principal }: Pick<MessageRow['record'], 'principal'>) => principal?.subject;
