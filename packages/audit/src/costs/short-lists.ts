/**
 * What packages list in place of all tools, in tokens. The packages are not needed to say what they would save. A test of
 * `apps/conformance` compares these figures with the lists of servers.
 */
export const shortLists = {
  /** `search_tools`, `describe_tool`, `call_tool`, and how many tools one search finds. */
  search: { tokens: 700, found: 5 },
  /**
   * `run_code`, `search_tools`, `describe_tool`, what the declarations of tools take at most, and how many calls a program
   * makes at most.
   */
  code: { tokens: 900, declarations: 2_000, calls: 50 },
} as const;

/** Tools that call or find others. They are there where a server has such a list. */
export const LISTED_INSTEAD: ReadonlySet<string> = new Set([
  'search_tools',
  'describe_tool',
  'call_tool',
  'load_group',
  'run_code',
]);
