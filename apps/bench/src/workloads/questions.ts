import {
  COUNT_TOOL,
  countResult,
  FIND_TOOL,
  FORWARD_TOOL,
  measure,
  pagesToFind,
  pageToSave,
  SAVE_TOOL,
  saveResult,
  SEARCH_TOOL,
  searchResult,
  toolName,
} from '../contestants/work.js';
import type { Settings } from '../contestants/settings.js';
import type { Expected } from '../protocol/answer.js';
import type { Question } from '../protocol/request.js';

/** What a workload asks, and what the right answer holds. */
export interface Exam {
  /** How many tools the server has. */
  tools: number;
  question: Question;
  expected: Expected;
  /** What the server serves beside `measure`. */
  offers?: Partial<Settings>;
  /** What the client shows to be let in. */
  token?: string;
}

/** 100 KB, with the quotes and line ends that a JSON parser has to look at. */
export const LARGE = 100_000;
const LARGE_TEXT = 'She said "measure me",\nand so it was done.\n'.repeat(LARGE / 40).slice(0, LARGE);

/** Calls the tool in the middle of the list. */
export function callExam(tools: number, large?: 'argument' | 'result'): Exam {
  const text = large === 'argument' ? LARGE_TEXT : 'measure me';
  const size = large === 'result' ? LARGE : 16;
  return {
    tools,
    question: {
      method: 'tools/call',
      params: { name: toolName(Math.floor(tools / 2)), arguments: { text, size } },
    },
    expected: { text: measure(text, size) },
  };
}

/** Calls the tool that answers with objects: as many rows as asked for, as data and as text. */
export function objectExam(tools: number, rows: number, name = SEARCH_TOOL): Exam {
  return {
    tools,
    offers: { objects: true },
    question: { method: 'tools/call', params: { name, arguments: { count: rows } } },
    expected: { text: JSON.stringify(searchResult(rows)), structured: true },
  };
}

/** Calls the tool whose argument is a nested DTO. */
export function dtoExam(tools: number): Exam {
  return {
    tools,
    offers: { dto: true },
    question: { method: 'tools/call', params: { name: SAVE_TOOL, arguments: pageToSave } },
    expected: { text: saveResult(pageToSave) },
  };
}

/** Calls the tool that is as people write them: asynchronous, with a limit, a nested DTO and rows in the answer. */
export function usualExam(tools: number, rows: number): Exam {
  return {
    tools,
    offers: { usual: true },
    question: { method: 'tools/call', params: { name: FIND_TOOL, arguments: pagesToFind(rows) } },
    expected: { text: JSON.stringify(searchResult(rows)), structured: true },
  };
}

/** Calls the tool that passes its call on. */
export function forwardExam(tools: number): Exam {
  const args = { text: 'measure me', size: 16 };
  return {
    tools,
    question: { method: 'tools/call', params: { name: FORWARD_TOOL, arguments: args } },
    expected: { text: measure(args.text, args.size) },
  };
}

export function listExam(tools: number): Exam {
  return { tools, question: { method: 'tools/list', params: {} }, expected: { tools } };
}

/** A call that reports progress, and so is answered with a stream of events. */
export function progressExam(tools: number, steps: number): Exam {
  return {
    tools,
    question: {
      method: 'tools/call',
      params: { name: COUNT_TOOL, arguments: { steps } },
      progress: true,
    },
    expected: { text: countResult(steps), progress: steps },
  };
}
