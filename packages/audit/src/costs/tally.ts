import { getOrMake } from '@toolwright/json';
import type { AuditRecord } from '../record.js';
import { Amounts } from '../usage/amounts.js';
import { bytesRead, isEnd, isRefusal, weekOf } from '../usage/usage-of.js';
import { Requests } from './requests.js';

/** What the log has of one tool. */
class CallsOfTool {
  calls = 0;
  bytes = 0;
  /** The sizes of the results, without errors. */
  readonly sizes = new Amounts();
}

/** `found`: models find it by what is in the list. `pages`: it is in the list, and models do not see it. */
export type PartOfList = 'listed' | 'found' | 'unlisted' | 'pages';

/** What the log has of one week. */
class Week {
  requests = 0;
  bytes = 0;
}

/** What models have read of the results of a server, and how often they have read its list. */
export class Tally {
  readonly tools = new Map<string, CallsOfTool>();
  /** By their names, in the order of time. */
  readonly weeks = new Map<string, Week>();
  /** Requests of models that wrote a call. */
  requests = 0;
  /** Programs that could have made these calls: one for each chain, and for each call that is in none. */
  programs = 0;
  calls = 0;
  bytes = 0;
  from = 0;
  until = 0;
  /** Called tools that the list does not have. Nothing else counts them: whoever called them had another list. */
  readonly unlisted = new Map<string, CallsOfTool>();
  readonly #requests = new Requests();

  /** @param partOf what a tool is to the list */
  constructor(private readonly partOf: (name: string) => PartOfList) {}

  /** What these programs would give. */
  get bytesOfEnds(): number {
    return this.#requests.bytesOfEnds;
  }

  add(record: AuditRecord): void {
    const { name, event, time, count = 1, result, outcome, parent } = record;
    // What a program calls goes to the program, and not to a model.
    if (!isEnd(record) || parent !== undefined) return;
    const part = this.partOf(name);
    // Whoever is refused may have made the name up.
    if (part === 'pages' || (part !== 'listed' && isRefusal(event))) return;
    if (part === 'unlisted') return this.#addUnlisted(record);
    const { requests, programs } = this.#requests.add(record);
    const bytes = bytesRead(result);
    const tool = getOrMake(this.tools, name, () => new CallsOfTool());
    const week = getOrMake(this.weeks, weekOf(time), () => new Week());
    if (outcome === 'ok' && result) tool.sizes.add(bytes);
    if (this.calls === 0) this.from = time;
    this.until = Math.max(this.until, time);
    this.programs += programs;
    for (const each of [tool, this]) each.calls += count;
    for (const each of [week, this]) each.requests += requests;
    for (const each of [tool, week, this]) each.bytes += bytes;
  }

  #addUnlisted({ name, count = 1, result }: AuditRecord): void {
    const tool = getOrMake(this.unlisted, name, () => new CallsOfTool());
    tool.calls += count;
    tool.bytes += bytesRead(result);
  }
}
