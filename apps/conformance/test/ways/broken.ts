import type { Cell } from './cells.js';

/** Cells that fail for one reason. */
export interface Broken {
  /** The names of judges. They end with `…` where all that begin so are meant. */
  readonly judges: readonly string[];
  /** The same for ways. */
  readonly ways: readonly string[];
  readonly era?: Cell['era'];
  /** Judges that these ways satisfy all the same, because they refuse what is wrong. */
  readonly except?: readonly string[];
  /** A part of what does not hold. */
  readonly fails: string;
}

const everything = ['…'];
const oldVersions = [
  'the name of an old version',
  'the link to the rest of an old version',
  'a cursor of an old version',
  'a task of an old version',
  'a later round of an old version',
  'a question in the middle of an old version',
];
const byCallTool = [
  'call_tool',
  'the link to the rest of call_tool',
  'a task by call_tool',
  'a later round of call_tool',
  'a question in the middle of call_tool',
  'a mounted tool by call_tool',
];
const links = [
  'the link to the rest',
  'the link to the rest of an old version',
  'the link to the rest of call_tool',
];
const cursors = ['a cursor', 'a cursor of an old version'];
const secrets = ['sensitive arguments in messages', 'sensitive results in messages'];
const strictSecrets = ['sensitive arguments that are wrong', 'sensitive arguments in errors'];

/** What does not hold so far. A cell that holds must be taken out. */
export const broken: readonly Broken[] = [
  // The tools of the search do not know versions.
  { judges: everything, ways: ['call_tool with an old version'], except: ['tasks'], fails: '' },
  { judges: ['tasks'], ways: ['call_tool with an old version'], era: '2026-07-28', fails: '' },
  {
    judges: everything,
    ways: ['describe_tool with an old version'],
    except: ['sensitive arguments…'],
    fails: '',
  },
  // A worker does not find the version that a job means.
  { judges: everything, ways: ['a task of an old version on a queue'], fails: '' },
  // Observers look a tool up by the name of the request.
  {
    judges: ['sensitive arguments in messages', ...strictSecrets],
    ways: byCallTool,
    fails: 'shows the argument',
  },
  {
    judges: ['sensitive results in messages'],
    ways: byCallTool.filter((way) => way !== 'a task by call_tool'),
    fails: 'shows the result',
  },
  {
    judges: ['sensitive results in messages'],
    ways: ['a task by call_tool'],
    era: '2025-11-25',
    fails: 'shows the result',
  },
  { judges: [...secrets, ...strictSecrets], ways: oldVersions, fails: 'shows the ' },
  { judges: ['sensitive arguments in traces'], ways: oldVersions, fails: 'shows the argument' },
  { judges: secrets, ways: ['the link to the rest'], fails: 'shows the ' },
  {
    judges: secrets,
    ways: ['a task in this process', 'a task on a queue', 'tasks/result'],
    era: '2025-11-25',
    fails: 'shows the ',
  },
  // A policy engine is asked by the name of a version, and not about completions and subscriptions.
  {
    judges: ['a policy engine that hides'],
    ways: ['tasks/…', 'a task in this process', 'a task of an old version', 'a task on a queue'],
    era: '2025-11-25',
    fails: 'becomes no task',
  },
  {
    judges: ['a policy engine', 'a policy engine that hides'],
    ways: oldVersions,
    fails: 'is reached all the same',
  },
  {
    judges: ['a policy engine'],
    ways: ['the completion of…', 'a subscription of 2025-11-25', 'subscriptions/listen'],
    fails: 'is reached all the same',
  },
  {
    judges: ['a policy engine that hides'],
    ways: ['the completion of…', 'a subscription of 2025-11-25', 'subscriptions/listen'],
    fails: 'is not reached',
  },
  // Each part of a result asks again, and each reading of a link runs again.
  { judges: ['confirm', 'approval on a page'], ways: [...links, ...cursors], fails: 'asks 2 times' },
  { judges: ['the cache'], ways: links, fails: 'runs again' },
  {
    judges: ['the cache'],
    ways: ['a later round…', 'a question in the middle…'],
    fails: 'keeps what depends on an answer',
  },
  // Spans and metrics name what a request named, and not what it reached.
  { judges: ['names in spans', 'names in metrics'], ways: byCallTool, fails: 'call_tool' },
  {
    judges: ['names of refused calls in metrics'],
    ways: oldVersions.filter((way) => !way.startsWith('the link')),
    fails: 'subject.v1',
  },
  // A call as a task through call_tool, of a tool that is hidden, is refused before a guard sees it.
  { judges: ['security events'], ways: ['a task by call_tool'], era: '2025-11-25', fails: 'nobody is told' },
];

/** Pairs of features of which the first does not hold beside the second. A pair that holds must be taken out. */
export const brokenPairs: readonly { judged: string; beside: string; era: Cell['era'] }[] = [
  // A hidden tool is called without a task, before the engine was asked whether it is hidden.
  { judged: 'externalDecision that hides()', beside: '@McpTool({ task…', era: '2025-11-25' },
];

const isNamed = (names: readonly string[], name: string) =>
  names.some((each) => (each.endsWith('…') ? name.startsWith(each.slice(0, -1)) : each === name));

/** Why a cell is known to fail. */
export function brokenBy({ judge, way, era }: Cell): Broken | undefined {
  return broken.find(
    (known) =>
      isNamed(known.judges, judge.name) &&
      !isNamed(known.except ?? [], judge.name) &&
      isNamed(known.ways, way.name) &&
      (known.era === undefined || known.era === era),
  );
}
