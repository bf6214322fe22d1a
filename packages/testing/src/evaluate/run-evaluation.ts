import type { ListedTool } from '@toolwright/client';
import { isDeepStrictEqual } from 'node:util';
import { basename } from 'node:path';
import { type AnswerProblem, type CaseReport, type EvaluationReport, reasonOf } from '@toolwright/json';
import type { EvaluationMode } from './evaluation-mode.js';
import { AnswerJudge, type ExpectedCall, toolsOf } from './judge-answer.js';
import type { EvaluatedModel, ModelAnswer, ModelRequest } from './model.js';
import { digestOfRequest, type Recording, RecordedAnswers, type RecordingNeeds } from './recorded-answers.js';
import { costOf, keepReport, reportOf, sumOfUsage, type TokenPrices } from './report.js';
import { CALLERS, meantCalls } from './tools-behind.js';

/** A case with everything decided that its author may leave out. */
export interface PlannedCase {
  readonly name: string;
  readonly request: Omit<ModelRequest, 'tools'>;
  readonly expected: readonly ExpectedCall[];
  readonly tools: readonly string[];
}

export interface PlannedEvaluation {
  readonly cases: readonly PlannedCase[];
  readonly tools: readonly ListedTool[];
  /** Tools of the table that are not in the list, because models search for them. */
  readonly behind: readonly ListedTool[];
  /** Absolute path of the recordings. */
  readonly path: string;
  readonly model?: EvaluatedModel | undefined;
  readonly mode: EvaluationMode;
  readonly answers: number;
  readonly atOnce: number;
  readonly prices?: TokenPrices | undefined;
  readonly command: string;
}

/** What is known of a case after it was asked or replayed. */
interface Answered {
  readonly source: CaseReport['source'];
  /** Why the model was asked, or why there is no answer. */
  readonly reason: string | undefined;
  readonly answers: readonly ModelAnswer[];
  /** Why there are no answers. */
  readonly problem?: AnswerProblem;
  /** What is kept. Without answers it is the recording that was there before. */
  readonly recorded: Omit<Recording, 'verdict'> | undefined;
}

/** Asks and replays, writes the recordings, and reports. */
export async function runEvaluation(planned: PlannedEvaluation): Promise<EvaluationReport> {
  const { cases, tools, behind, path, prices, mode, model } = planned;
  const all = [...tools, ...behind];
  const recordings = RecordedAnswers.read(path, all);
  const judge = new AnswerJudge(all);
  const answered = await inTurn(cases, planned.atOnce, (each) => answerCase(each, planned, recordings));
  const reports = cases.map((each, index) =>
    reportCase(each, answered[index]!, { judge, before: recordings.find(each.name), prices }),
  );
  const name = model?.name ?? 'model';
  // A run that asks nothing writes nothing: files of CI belong to nobody.
  if (mode !== 'replay') recordings.write(model && name, keptOf(cases, answered, { reports, recordings }));
  const report = reportOf({
    name: basename(path).replace(/(\.recordings)?\.json$/, ''),
    model: recordings.modelOf(model && name),
    cases: reports,
    ofAnotherList: answered.filter(
      ({ source, recorded }) =>
        source === 'replayed' && recorded !== undefined && !recordings.isOfThisList(recorded),
    ).length,
    prices,
  });
  keepReport(report, path);
  return report;
}

async function answerCase(
  { name, request, expected, tools }: PlannedCase,
  planned: PlannedEvaluation,
  recordings: RecordedAnswers,
): Promise<Answered> {
  const { model, mode, answers: count, command } = planned;
  const wanted: RecordingNeeds = {
    request: digestOfRequest(request),
    tools: [...tools, ...expected.flatMap(toolsOf)],
    answers: count,
  };
  const found = recordings.find(name);
  const stale = recordings.whyStale(name, wanted, model && (model.name ?? 'model'));
  const reason = stale ?? (mode === 'all' ? 'every case is asked' : undefined);
  if (found && (reason === undefined || (stale === undefined && !model)))
    return { source: 'replayed', reason: undefined, answers: found.answers.slice(0, count), recorded: found };
  if (mode === 'replay' || !model) {
    const why = `No answer is recorded that counts: ${reason}`;
    const missing = mode === 'replay' ? '' : ' This run has no model.';
    const message = `${why}.${missing} To record it: ${command}`;
    return {
      source: 'missing',
      reason,
      answers: [],
      problem: { kind: 'recording', message },
      recorded: found,
    };
  }
  try {
    const answers: ModelAnswer[] = [];
    while (answers.length < count)
      answers.push(readAnswer(await model.generate({ ...request, tools: planned.tools })));
    return { source: 'asked', reason, answers, recorded: recordings.record(wanted, answers) };
  } catch (error) {
    const message = `The model gave no answer: ${reasonOf(error)}`;
    return { source: 'missing', reason, answers: [], problem: { kind: 'model', message }, recorded: found };
  }
}

/** Models are written by anybody. What is recorded has the form that a later run reads. */
function readAnswer(answer: ModelAnswer): ModelAnswer {
  const { calls, text, usage } = answer;
  if (!Array.isArray(calls)) throw new TypeError('"generate" must return { calls: [...] }.');
  const kept = {
    calls: (calls as ModelAnswer['calls']).map(({ tool, arguments: given }) => {
      if (typeof tool !== 'string') throw new TypeError('Each call of "generate" must name its "tool".');
      return { tool, arguments: given };
    }),
    ...(text !== undefined && text !== '' && { text }),
    ...(usage && { usage }),
  };
  return JSON.parse(JSON.stringify(kept)) as ModelAnswer;
}

interface Judging {
  readonly judge: AnswerJudge;
  readonly before: Recording | undefined;
  readonly prices: TokenPrices | undefined;
}

function reportCase(
  { name, expected }: PlannedCase,
  { source, reason, answers, problem }: Answered,
  { judge, before, prices }: Judging,
): CaseReport {
  const judged = answers
    .map((answer) => meantBy(answer, expected))
    .map((answer) => ({ answer, problems: judge.judge(answer, expected) }));
  const wrong = judged.find(({ problems }) => problems.length > 0);
  const { calls = [], text } = (wrong ?? judged[0])?.answer ?? {};
  const passed = problem === undefined && wrong === undefined;
  const usage = sumOfUsage(answers.map((answer) => answer.usage));
  const earlier = source === 'asked' && before ? sumOfUsage(before.answers.map((each) => each.usage)) : usage;
  const [first] = before?.answers ?? [];
  const callsBefore = first ? meantBy(first, expected).calls : [];
  const isOther = source === 'asked' && before && !isDeepStrictEqual(callsBefore, calls);
  return {
    name,
    expected: [...new Set(expected.flatMap(toolsOf))],
    passed,
    source,
    ...(reason !== undefined && { reason }),
    change: changeOf(before?.verdict, passed),
    calls,
    ...(text !== undefined && { text }),
    ...(isOther && { callsBefore }),
    problems: problem ? [problem] : (wrong?.problems ?? []),
    right: judged.filter(({ problems }) => problems.length === 0).length,
    answers: answers.length,
    usage,
    ...(tokensOf(earlier) !== tokensOf(usage) && { tokensBefore: tokensOf(earlier) }),
    ...costOf(usage, prices),
  };
}

/** The tools behind `call_tool` and in programs are judged, unless the table expects `call_tool` or `run_code` itself. */
function meantBy(answer: ModelAnswer, expected: readonly ExpectedCall[]): ModelAnswer {
  const named = new Set(expected.flatMap(toolsOf));
  const calls = answer.calls.flatMap((call) =>
    CALLERS.includes(call.tool) && named.has(call.tool) ? [call] : meantCalls(call),
  );
  return { ...answer, calls };
}

const tokensOf = (usage: CaseReport['usage']) => usage.inputTokens + usage.outputTokens;

function changeOf(before: Recording['verdict'] | undefined, passed: boolean): CaseReport['change'] {
  if (before === undefined) return 'new';
  if ((before === 'passed') === passed) return 'same';
  return passed ? 'repaired' : 'broken';
}

/** The recordings of the table. A recording that does not count any more stays until there is a new answer. */
function keptOf(
  cases: readonly PlannedCase[],
  answered: readonly Answered[],
  { reports, recordings }: { readonly reports: readonly CaseReport[]; readonly recordings: RecordedAnswers },
): Map<string, Recording> {
  const kept = new Map<string, Recording>();
  for (const [index, { name }] of cases.entries()) {
    const { recorded, source } = answered[index]!;
    if (!recorded) continue;
    const verdict =
      source === 'missing'
        ? recordings.find(name)!.verdict
        : reports[index]!.passed
          ? ('passed' as const)
          : ('failed' as const);
    kept.set(name, { ...recorded, verdict });
  }
  return kept;
}

/** Works on a few items at a time. The results are in the order of the items. */
async function inTurn<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
