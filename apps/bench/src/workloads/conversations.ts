import { BASELINE, type Ability } from '../contestants/catalogue.js';
import type { Settings } from '../contestants/settings.js';
import { BOOK_QUESTION, BOOK_TOOL, bookResult, REPORT_RESULT, REPORT_TOOL } from '../contestants/work.js';
import { scriptedLoad, type Step } from '../load/scripted.js';
import { ContestantServer } from '../processes/contestant-server.js';
import type { ServerMessage } from '../protocol/answer.js';
import { wireRequest, type Question } from '../protocol/request.js';
import type { Entrant, Run, Workload } from './workload.js';

const TOOLS = 10;
const CONNECTIONS = 16;

interface Conversation {
  name: string;
  title: string;
  needs: Ability;
  offers: Partial<Settings>;
  /** The questions, each made from the answer to the one before. */
  questions: ((answer: ServerMessage | undefined) => Question)[];
  check(answer: ServerMessage): void;
}

/** Several requests that make one call; rates and costs are of the whole. */
function conversations(talk: Conversation): Workload {
  return {
    name: talk.name,
    title: talk.title,
    metrics: [
      { name: 'rate', unit: 'conversations/s', better: 'higher' },
      { name: 'cpu', unit: 'µs CPU per conversation', better: 'lower' },
    ],
    baseline: BASELINE,
    dialectOf: ({ serves }) => (serves.includes(talk.needs) ? 'modern' : undefined),
    enter: async (contestant, dialect, run) => {
      const generated = run.generated(TOOLS);
      const common = { transport: 'http' as const, dialect, tools: TOOLS, progress: false, generated };
      const server = ContestantServer.spawn(contestant, { ...common, ...talk.offers }, run.place);
      try {
        return entrant(talk, server, await server.ready(), run);
      } catch (error) {
        await server.stop();
        throw error;
      }
    },
  };
}

function entrant(
  { questions, check }: Conversation,
  server: ContestantServer,
  port: number,
  run: Run,
): Entrant {
  let id = 0;
  const steps = questions.map((question): Step => {
    return (answer) => wireRequest(question(answer), ++id, { dialect: 'modern' });
  });
  const sample = async () => {
    const before = await server.cpu();
    const load = { port, connections: CONNECTIONS, seconds: run.seconds, steps, check };
    const result = await scriptedLoad(load);
    const cpu = (await server.cpu()) - before;
    if (result.problem) throw new Error(result.problem);
    return { rate: result.conversations / result.seconds, cpu: cpu / result.conversations };
  };
  return { sample, stop: () => server.stop() };
}

const elicitation = { elicitation: {} };
const call = { method: 'tools/call', params: { name: BOOK_TOOL, arguments: {} }, capabilities: elicitation };

/** A question to the person behind the client, and its answer: two requests. */
export const callElicit = conversations({
  name: 'call-elicit',
  title: `tools/call that asks a person and goes on with the answer, ${CONNECTIONS} connections`,
  needs: 'elicit',
  offers: { elicit: true },
  questions: [
    () => call,
    (asked) => {
      const inputResponses = { [BOOK_QUESTION.key]: { action: 'accept', content: { count: 4 } } };
      const { requestState } = asked!.result!;
      return { ...call, params: { ...call.params, inputResponses, ...(requestState && { requestState }) } };
    },
  ],
  check: ({ result, error }) => checkText(result, bookResult(4), error),
});

const extensions = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** The beginning of a task, and its result: two requests. */
export const callTask = conversations({
  name: 'call-task',
  title: `tools/call as a task, and its result, ${CONNECTIONS} connections`,
  needs: 'task',
  offers: { task: true },
  questions: [
    () => ({
      method: 'tools/call',
      params: { name: REPORT_TOOL, arguments: {} },
      capabilities: extensions,
    }),
    (begun) => ({
      method: 'tasks/get',
      params: { taskId: begun!.result!.taskId },
      capabilities: extensions,
    }),
  ],
  check: ({ result, error }) => checkText(result?.result, REPORT_RESULT, error),
});

function checkText(result: ServerMessage['result'], text: string, error: unknown): void {
  if (result?.content?.[0]?.text !== text)
    throw new Error(`wrong answer: ${JSON.stringify(error ?? result)}`);
}
