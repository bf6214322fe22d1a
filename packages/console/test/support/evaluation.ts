import type { EvaluationReport } from '@toolwright/json';

const usage = { inputTokens: 1_000, outputTokens: 20, cachedInputTokens: 0 };
const right = {
  change: 'same',
  expected: [],
  problems: [],
  right: 1,
  answers: 1,
  usage,
  source: 'replayed',
} as const;

/** A report with one case of each kind. */
export const evaluation: EvaluationReport = {
  name: 'shop',
  model: 'scripted',
  at: '2026-11-26T10:00:00.000Z',
  cases: [
    {
      ...right,
      name: 'Where is my order 7?',
      passed: true,
      calls: [{ tool: 'find_order', arguments: { id: 7 } }],
    },
    {
      ...right,
      name: 'Give me my money back.',
      passed: false,
      source: 'asked',
      reason: 'the text of refund_order has changed',
      change: 'broken',
      calls: [{ tool: 'cancel_order', arguments: {} }],
      callsBefore: [{ tool: 'refund_order', arguments: { id: 7 } }],
      text: 'I cancel it.',
      problems: [{ kind: 'tool', message: 'refund_order was expected; called: cancel_order.' }],
      right: 1,
      answers: 3,
      tokensBefore: 900,
      cost: 0.004,
    },
    {
      ...right,
      name: 'Hello.',
      passed: false,
      source: 'missing',
      reason: 'there is no recording',
      change: 'new',
      calls: [],
      problems: [{ kind: 'recording', message: 'No answer is recorded that counts: there is no recording.' }],
      right: 0,
      answers: 0,
      usage: { ...usage, inputTokens: 0, outputTokens: 0 },
    },
  ],
  tools: [
    { name: 'find_order', expected: 1, called: 1, instead: {} },
    { name: 'refund_order', expected: 1, called: 0, instead: { cancel_order: 1 } },
  ],
  passRate: 1 / 3,
  failures: [],
  ofAnotherList: 1,
  usage: { ...usage, inputTokens: 2_000, outputTokens: 40 },
  cost: 0.012,
  spent: { usage, cost: 0.004 },
};
