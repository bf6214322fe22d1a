import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { writeJson } from '@toolwright/core/transport';
import { resolve } from 'node:path';
import { RECORD_START } from '../chain/entries.js';
import { SEAL_START, type ChainSeal, parseSeal } from '../chain/seal.js';
import { AuditError } from '../errors/audit-error.js';
import { type LogPaths, logPaths, slotsOf } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { fits } from './audit-filter.js';
import { type AuditSource, type LatestRecord, logsIn, someLogFiles } from './log-sources.js';
import { differentRecords } from './merge-records.js';
import { type QueryOptions, queryOptions } from './query-audit.js';
import { type OnBroken, type Position, readRecord, tellParts } from './read-since.js';
import { type Segment, listSegments, openSegment, readFirstEntry } from './segments.js';
import { tellForksWithin } from './verify/find-forks.js';

export interface LatestOptions extends Omit<QueryOptions, 'onNote'> {
  /** How many records at most. Default 50. */
  limit?: number;
  /** Only records whose line contains this text, in whatever case. */
  text?: string;
  /** `next` of the page before. */
  before?: string;
}

/** A page of a log, or of several. */
export interface LatestRecords {
  /** The latest first. */
  readonly records: readonly AuditRecord[];
  /** What to pass as `before` for the page after this one. `undefined`: this is the last page. */
  readonly next: string | undefined;
}

/** The last line of a batch, and what it links to. */
export interface ChainLink extends Omit<ChainSeal, 'mac'> {
  /** The number of its writer. */
  readonly slot: number;
}

/** How many records one page looks at. A filter that fits nothing must not read a large log in one go. */
const MOST_READ = 50_000;

const { filledText, positiveCount, text } = optionRules;
const { onNote: _onNote, ...reading } = queryOptions;

const latestOptions = {
  ...reading,
  limit: { ...positiveCount, default: 50 },
  text,
  before: filledText,
} satisfies OptionSchema<LatestOptions>;

/**
 * The latest sealed records that match, page by page, the latest first. It reads the files from their ends, so a page of
 * a large log costs as much as one of a small log. It does not verify the log. A page looks at 50,000 records at most,
 * so it may be empty although there is a next one. A record that several logs have comes once. If they have different
 * ones of the same number, all of them come, and `onBroken` hears of it.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log, or if one of several is missing and nobody listens with `onBroken`;
 *   `TW_AUDIT_OPTIONS` if `before` is not from here
 */
export async function latestRecords(options: LatestOptions): Promise<LatestRecords> {
  const {
    file,
    filter,
    limit,
    text: wanted,
    before,
    onBroken,
  } = parseOptions('latestRecords', latestOptions, options);
  const places = before === undefined ? new Map<string, string>() : readPlaces(before);
  const words = wanted?.toLowerCase();
  const { files, tables } = logsIn(file);
  const found = await someLogFiles(files, { onBroken, tables });
  const sources = await sourcesOf(found, tables, { places, onBroken });
  await Promise.all(sources.map((source) => source.advance()));
  const records: AuditRecord[] = [];
  for (let read = 0; read < MOST_READ && records.length < limit; read++) {
    const same = newestOf(sources);
    if (!same) break;
    const versions = new Map(same.map(({ head }) => [writeJson(head!.record), head!]));
    const [
      {
        record: { writer, seq },
      },
    ] = [...versions.values()] as [LatestRecord];
    if (versions.size > 1) onBroken?.(differentRecords(seq, writer));
    for (const { record, line } of versions.values())
      if ((!words || line.toLowerCase().includes(words)) && fits(record, filter)) records.push(record);
    for (const source of same) {
      places.set(source.name, source.head!.place);
      await source.advance();
    }
  }
  const isOver = newestOf(sources) === undefined;
  await Promise.all(sources.map((source) => source.close()));
  return { records, next: isOver ? undefined : JSON.stringify([...places]) };
}

/**
 * The last links of the chain of each writer, the latest first.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log
 */
export async function latestLinks(file: string, limit = 20): Promise<ChainLink[]> {
  const log = await openLog(file);
  const links: ChainLink[] = [];
  for (const slot of log.slots) {
    let count = 0;
    for await (const { text: line } of linesOf(log.paths, slot)) {
      const seal = line.startsWith(SEAL_START) ? parseSeal(`${line}\n`) : undefined;
      if (!seal) continue;
      const { mac: _, ...link } = seal;
      links.push({ slot, ...link });
      if (++count >= limit) break;
    }
  }
  return links;
}

async function openLog(file: string): Promise<{ paths: LogPaths; slots: number[] }> {
  const paths = logPaths(resolve(file));
  return { paths, slots: await slotsOf(paths, file) };
}

interface Reading {
  /** Where reading goes on, by the name of the source. */
  readonly places: ReadonlyMap<string, string>;
  readonly onBroken: OnBroken | undefined;
}

async function sourcesOf(
  files: readonly string[],
  tables: readonly AuditSource[],
  { places, onBroken }: Reading,
): Promise<Source[]> {
  const ofFiles = await Promise.all(
    files.map(async (file) => {
      const { paths, slots } = await openLog(file);
      if (onBroken) for (const slot of slots) await tellNoLog(paths, slot, onBroken);
      if (onBroken) await tellForksWithin(paths, slots, onBroken);
      return slots.map((slot) => {
        const name = `${slot} ${file}`;
        return new Source(name, recordsBackwards(paths, slot, positionOf(places.get(name))));
      });
    }),
  );
  const ofTables = tables.map((table) => new Source(table.name, table.latest(places.get(table.name))));
  return [...ofFiles.flat(), ...ofTables];
}

async function tellNoLog(log: LogPaths, slot: number, onBroken: OnBroken): Promise<void> {
  const segments = await listSegments(log, slot);
  await tellParts(log, slot, { segments, onBroken });
  const newest = segments.at(-1);
  if (newest && !(await readFirstEntry(newest.path)))
    onBroken(`${newest.path} does not begin as a log does. See \`toolwright audit verify\`.`);
}

/** The records of one writer, or of one table, that were not read yet. */
class Source {
  head: LatestRecord | undefined;

  constructor(
    readonly name: string,
    private readonly records: AsyncGenerator<LatestRecord>,
  ) {}

  async advance(): Promise<void> {
    const { value, done } = await this.records.next();
    this.head = done ? undefined : value;
  }

  async close(): Promise<void> {
    await this.records.return(undefined);
  }
}

/** The sources of which the next record is the latest one: all that have it, or another one with its number. */
function newestOf(sources: readonly Source[]): Source[] | undefined {
  const last = new Map<string, number>();
  for (const { head } of sources)
    if (head) last.set(head.record.writer, Math.max(head.record.seq, last.get(head.record.writer) ?? 0));
  // The order within each writer stays, so that the logs of one writer are at the same place.
  const open = sources.filter(({ head }) => head && last.get(head.record.writer) === head.record.seq);
  const [newest] = open.sort((one, other) => (isNewer(one.head!, other.head!) ? -1 : 1));
  return newest && open.filter(({ head }) => head!.record.writer === newest.head!.record.writer);
}

function isNewer(
  { record: one, line }: LatestRecord,
  { record: other, line: another }: LatestRecord,
): boolean {
  if (one.time !== other.time) return one.time > other.time;
  return one.writer !== other.writer ? one.writer > other.writer : line > another;
}

async function* recordsBackwards(log: LogPaths, slot: number, from?: Position): AsyncGenerator<LatestRecord> {
  // What follows the last seal is not stored yet. A place that was read was before one.
  let isSealed = from !== undefined;
  for await (const { text: line, place } of linesOf(log, slot, from)) {
    if (line.startsWith(SEAL_START)) isSealed = true;
    else if (isSealed && line.startsWith(RECORD_START)) {
      const record = readRecord(line);
      if (record) yield { record, line, place: `${place.segment}:${place.offset}` };
    }
  }
}

async function* linesOf(
  log: LogPaths,
  slot: number,
  from?: Position,
): AsyncGenerator<PlacedLine & { place: Position }> {
  const segments = await listSegments(log, slot);
  const left = segments.filter(({ number }) => from === undefined || number <= from.segment).reverse();
  for (const segment of left) {
    const { number } = segment;
    const end = number === from?.segment ? from.offset : undefined;
    for await (const line of linesBackwards(segment, end))
      yield { ...line, place: { segment: number, offset: line.start } };
  }
}

const PLACE = /^(\d{1,15}):(\d{1,15})$/;

function positionOf(place: string | undefined): Position | undefined {
  if (place === undefined) return undefined;
  const [, segment, offset] = PLACE.exec(place) ?? [];
  if (offset === undefined) throw notFromHere();
  return { segment: Number(segment), offset: Number(offset) };
}

function readPlaces(before: string): Map<string, string> {
  try {
    const places = JSON.parse(before) as [string, string][];
    if (places.every((place) => place.length === 2 && place.every((each) => typeof each === 'string')))
      return new Map(places);
  } catch {
    // The error below says it.
  }
  throw notFromHere();
}

const notFromHere = () =>
  new AuditError('TW_AUDIT_OPTIONS', 'latestRecords: "before" must be the "next" of a page.');

/** One complete line of a file. */
interface PlacedLine {
  readonly text: string;
  /** Where it begins, in bytes from the start of the file. */
  readonly start: number;
}

const CHUNK_BYTES = 64 * 1024;
/** More bytes than any line of a writer. */
const LIMIT_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * The complete lines of a segment, the last one first. Only what is read is in memory.
 *
 * @param end where to begin; default: the end of the file
 */
async function* linesBackwards(segment: Segment, end?: number): AsyncGenerator<PlacedLine> {
  const file = await openSegment(segment);
  try {
    let position = end ?? (await file.stat()).size;
    /** The bytes from `position` to the end of the line before. */
    let rest: Buffer = Buffer.alloc(0);
    // What follows the last line feed is not complete.
    let isComplete = false;
    while (position > 0 && rest.length < LIMIT_BYTES) {
      const length = Math.min(CHUNK_BYTES, position);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, position - length);
      position -= length;
      rest = rest.length === 0 ? buffer : Buffer.concat([buffer, rest]);
      for (;;) {
        const at = rest.lastIndexOf(LINE_FEED);
        if (at < 0) break;
        if (isComplete) yield { text: rest.toString('utf8', at + 1), start: position + at + 1 };
        isComplete = true;
        rest = rest.subarray(0, at);
      }
    }
    if (position === 0 && isComplete && rest.length > 0) yield { text: rest.toString('utf8'), start: 0 };
  } finally {
    await file.close();
  }
}
