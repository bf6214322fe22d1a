import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { resolve } from 'node:path';
import { RECORD_START } from '../chain/entries.js';
import { SEAL_START, type ChainSeal, parseSeal } from '../chain/seal.js';
import { AuditError, noLog } from '../errors/audit-error.js';
import { type LogPaths, logPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { fits } from './audit-filter.js';
import { type AuditSource, type LatestRecord, logFiles, logsIn } from './log-sources.js';
import { type QueryOptions, queryOptions } from './query-audit.js';
import { type Position, readRecord } from './read-since.js';
import { type Segment, listSegments, openSegment } from './segments.js';

export interface LatestOptions extends Omit<QueryOptions, 'onBroken' | 'onNote'> {
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
  /** Of several logs, each one that is not there. */
  readonly missing: readonly string[];
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
const { onBroken: _onBroken, onNote: _onNote, ...reading } = queryOptions;

const latestOptions = {
  ...reading,
  limit: { ...positiveCount, default: 50 },
  text,
  before: filledText,
} satisfies OptionSchema<LatestOptions>;

/**
 * The latest sealed records that match, page by page, the latest first. It reads the files from their ends, so a page of
 * a large log costs as much as one of a small log. It does not verify the log. A page looks at 50,000 records at most,
 * so it may be empty although there is a next one.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log, `TW_AUDIT_OPTIONS` if `before` is not from here
 */
export async function latestRecords(options: LatestOptions): Promise<LatestRecords> {
  const { file, filter, limit, text: wanted, before } = parseOptions('latestRecords', latestOptions, options);
  const places = before === undefined ? new Map<string, string>() : readPlaces(before);
  const words = wanted?.toLowerCase();
  const { files, tables } = logsIn(file);
  const found = await logFiles(files);
  if (found.files.length + tables.length === 0) throw noLog(found.missing[0]!);
  const sources = await sourcesOf(found.files, tables, places);
  await Promise.all(sources.map((source) => source.advance()));
  const records: AuditRecord[] = [];
  for (let read = 0; read < MOST_READ && records.length < limit; read++) {
    const newest = newestOf(sources);
    if (!newest) break;
    const { record, line, place } = newest.head!;
    if ((!words || line.toLowerCase().includes(words)) && fits(record, filter)) records.push(record);
    places.set(newest.name, place);
    await newest.advance();
  }
  const isOver = newestOf(sources) === undefined;
  await Promise.all(sources.map((source) => source.close()));
  return { records, missing: found.missing, next: isOver ? undefined : JSON.stringify([...places]) };
}

/**
 * The last links of the chain of each writer, the latest first.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
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
  const slots = await paths.slots();
  if (slots.length === 0) throw noLog(file);
  return { paths, slots };
}

/** @param places where reading goes on, by the name of the source */
async function sourcesOf(
  files: readonly string[],
  tables: readonly AuditSource[],
  places: ReadonlyMap<string, string>,
): Promise<Source[]> {
  const ofFiles = await Promise.all(
    files.map(async (file) => {
      const { paths, slots } = await openLog(file);
      return slots.map((slot) => {
        const name = `${slot} ${file}`;
        return new Source(name, recordsBackwards(paths, slot, positionOf(places.get(name))));
      });
    }),
  );
  const ofTables = tables.map((table) => new Source(table.name, table.latest(places.get(table.name))));
  return [...ofFiles.flat(), ...ofTables];
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

function newestOf(sources: readonly Source[]): Source | undefined {
  const open = sources.filter(({ head }) => head);
  return open.sort((one, other) => other.head!.record.time - one.head!.record.time)[0];
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
