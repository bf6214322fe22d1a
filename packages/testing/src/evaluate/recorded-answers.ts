import type { ListedTool } from '@toolwright/client';
import { canonicalJson, makeFolder } from '@toolwright/json';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ModelAnswer, ModelRequest } from './model.js';

/** The answers to one case, and what they were given for. */
export interface Recording {
  /** The digest of the system text and of the messages. */
  readonly request: string;
  /** The digest of the published text of each tool of the case; `absent` for one that was not listed. */
  readonly tools: Readonly<Record<string, string>>;
  /** The digest of the whole list. */
  readonly list: string;
  readonly answers: readonly ModelAnswer[];
  /** How the case ended when the file was last written. */
  readonly verdict: 'passed' | 'failed';
}

interface RecordingFile {
  readonly format: 1;
  readonly model: string;
  readonly cases: Readonly<Record<string, Recording>>;
}

/** What a recording must be of, so that it counts. */
export interface RecordingNeeds {
  readonly request: string;
  /** The tools that the case names. The tools that the recorded answers call are added. */
  readonly tools: readonly string[];
  readonly answers: number;
}

/** The recorded answers of one table. They are committed, and read like code. */
export class RecordedAnswers {
  private constructor(
    readonly path: string,
    private readonly kept: RecordingFile,
    private readonly digests: ToolDigests,
  ) {}

  /** @throws {Error} for a file that holds something else */
  static read(path: string, tools: readonly ListedTool[]): RecordedAnswers {
    return new RecordedAnswers(path, readFile(path), new ToolDigests(tools));
  }

  /** The recording of a case, also one that does not count any more. */
  find(name: string): Recording | undefined {
    return Object.hasOwn(this.kept.cases, name) ? this.kept.cases[name] : undefined;
  }

  /**
   * Why a recording does not count; `undefined` for one that does.
   *
   * @param model the name of the model; `undefined` where a run has none, and replays what any model said
   */
  whyStale(name: string, wanted: RecordingNeeds, model: string | undefined): string | undefined {
    const found = this.find(name);
    if (!found) return 'there is no recording';
    if (model !== undefined && model !== this.kept.model) return `it was recorded with ${this.kept.model}`;
    if (found.request !== wanted.request) return 'the request or the system text has changed';
    if (found.answers.length < wanted.answers)
      return `${found.answers.length} of ${wanted.answers} answers are recorded`;
    const names = new Set([...Object.keys(found.tools), ...wanted.tools]);
    const changed = [...names].filter((tool) => found.tools[tool] !== this.digests.of(tool));
    return changed.length > 0 ? `the text of ${changed.join(' and ')} has changed` : undefined;
  }

  /** Whether a recording was made with this very list. An answer may change when another tool does. */
  isOfThisList({ list }: Pick<Recording, 'list'>): boolean {
    return list === this.digests.list;
  }

  /** What is kept of new answers. */
  record(wanted: RecordingNeeds, answers: readonly ModelAnswer[]): Omit<Recording, 'verdict'> {
    const called = answers.flatMap(({ calls }) => calls.map(({ tool }) => tool));
    const names = [...new Set([...wanted.tools, ...called])].sort();
    const tools = Object.fromEntries(names.map((tool) => [tool, this.digests.of(tool)]));
    return { request: wanted.request, tools, list: this.digests.list, answers };
  }

  /** The model of a report: the one that was asked, or the one whose answers are replayed. */
  modelOf(asked: string | undefined): string {
    return asked ?? this.kept.model;
  }

  /** Writes the recordings of all cases of the table, in its order. Those of cases that are gone go, too. */
  write(model: string | undefined, cases: ReadonlyMap<string, Recording>): void {
    const file: RecordingFile = {
      format: 1,
      model: this.modelOf(model),
      cases: Object.fromEntries(cases),
    };
    const text = `${JSON.stringify(file, undefined, 2)}\n`;
    if (existsSync(this.path) ? readFileSync(this.path, 'utf8') === text : cases.size === 0) return;
    replaceFile(this.path, text);
  }
}

/** Writes a file as a whole, or not at all: answers cost money. */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function readFile(path: string): RecordingFile {
  if (!existsSync(path)) return { format: 1, model: '', cases: {} };
  const file = parse(readFileSync(path, 'utf8'));
  if (file?.format !== 1 || typeof file.cases !== 'object' || file.cases === null)
    throw new Error(`${path} is no file of recorded answers. Name another file, or delete it.`);
  return file;
}

function parse(text: string): RecordingFile | undefined {
  try {
    return JSON.parse(text) as RecordingFile;
  } catch {
    return undefined;
  }
}

/** The digest of a request without its tools. */
export function digestOfRequest({ system, messages }: Omit<ModelRequest, 'tools'>): string {
  return digest({ system, messages });
}

/** What a model and a host may read of each tool. Icons and `_meta` are for programs. */
class ToolDigests {
  readonly #digests: ReadonlyMap<string, string>;
  readonly list: string;

  constructor(tools: readonly ListedTool[]) {
    this.#digests = new Map(
      tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => [
        name,
        digest({ name, title, description, inputSchema, outputSchema, annotations }),
      ]),
    );
    this.list = digest(Object.fromEntries(this.#digests));
  }

  of(tool: string): string {
    return this.#digests.get(tool) ?? 'absent';
  }
}

/** Short enough to be read in a diff, and long enough that two texts never share one by chance. */
function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22);
}
