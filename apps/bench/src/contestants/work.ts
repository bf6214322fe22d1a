/** The work of every contestant's tools, so that only the way to it differs. */

/** Where a contestant answers, over HTTP. */
export const ENDPOINT = '/mcp';

export const SERVER_INFO = { name: 'bench', version: '1.0.0' };

export const toolName = (index: number) => `measure_${index}`;

export const MEASURE_DESCRIPTION = 'Measures a text and answers with its length, padded to a size.';

/** The tool: reads an argument of any length, gives a result of any length, and costs next to nothing itself. */
export const measure = (text: string, size: number) => `${text.length}:${'x'.repeat(size)}`;

export const COUNT_TOOL = 'count';
export const COUNT_DESCRIPTION = 'Counts, reporting progress at each step.';
export const countResult = (steps: number) => `${steps} steps`;

export const SEARCH_TOOL = 'search';
/** The same, for callers whose token allows it. */
export const GUARDED_SEARCH_TOOL = 'guarded_search';
export const SEARCH_DESCRIPTION = 'Finds pages.';

/** A row as a service has it, which may be more than its callers are to be told. */
export interface PageRow {
  id: string;
  title: string;
  url: string;
  stars: number;
  score: number;
  archived: boolean;
  tags: string[];
  owner: { name: string; email?: string };
  updated: string;
}

export const searchResult = (count: number): { total: number; results: PageRow[] } => ({
  total: count,
  results: Array.from({ length: count }, (_, index) => ({
    id: `page-${index}-8f14e45f`,
    title: `How the page number ${index} came to be`,
    url: `https://example.org/pages/${index}`,
    stars: 12 + index,
    score: 0.5 + index / 8,
    archived: false,
    tags: ['guide', 'typescript'],
    owner: { name: 'Ann Other', email: 'ann@example.org' },
    updated: '2026-01-02T00:00:00.000Z',
  })),
});

export const FIND_TOOL = 'find_pages';
export const FIND_DESCRIPTION = 'Finds pages by what they hold, best match first.';

/** The argument of `find_pages`, as a DTO with another one inside. */
export interface PagesToFind {
  query: string;
  limit: number;
  filter: { tags: string[]; archived: boolean };
}

export const pagesToFind = (limit: number): PagesToFind => ({
  query: 'decorators',
  limit,
  filter: { tags: ['guide', 'typescript'], archived: false },
});

/** A store answers later, so tools that people write are asynchronous. */
export const findPages = async ({ limit }: PagesToFind) => searchResult(limit);

/** What a token must allow, where tokens are checked. */
export const SCOPE = 'pages:read';

export const SAVE_TOOL = 'save';
export const SAVE_DESCRIPTION = 'Saves a page.';

/** The argument of `save`: five fields, one of them a list of objects. */
export interface PageToSave {
  title: string;
  body: string;
  stars: number;
  author: string;
  tags: { label: string; weight: number }[];
}

export const pageToSave: PageToSave = {
  title: 'Decorators',
  body: 'A decorator records, and the kernel builds.',
  stars: 5,
  author: 'ann',
  tags: ['mcp', 'typescript', 'decorators', 'express', 'guide'].map((label, weight) => ({ label, weight })),
};

export const saveResult = (page: PageToSave) =>
  `${page.title}: ${page.tags.reduce((sum, { weight }) => sum + weight, 0)}`;

export const BOOK_TOOL = 'book';
export const BOOK_DESCRIPTION = 'Books a table, and asks for how many.';
export const BOOK_QUESTION = { key: 'guests', message: 'How many guests?' };
export const bookResult = (guests: number) => `a table for ${guests}`;

export const REPORT_TOOL = 'report';
export const REPORT_DESCRIPTION = 'Writes a report, as a task.';
export const REPORT_RESULT = '12,408 pages';
/** How long a task and its result are kept, in milliseconds: a bench begins thousands of them a second. */
export const TASK_TTL = 500;

export const TOUCH_TOOL = 'touch';
export const TOUCH_DESCRIPTION = 'Tells all who listen that the clock has changed.';
export const CLOCK_URI = 'bench://clock';

export const FORWARD_TOOL = 'forward';
export const FORWARD_DESCRIPTION = 'Measures a text on another server.';

export const MEASURE_SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, description: 'what to measure' },
    size: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'characters of padding' },
  },
  required: ['text', 'size'],
  additionalProperties: false,
} as const;
