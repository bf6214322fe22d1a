/**
 * What a contract suite needs from a test runner. The globals of Jest, Vitest and node:test fit without
 * changes. The suites use node:assert, so that they depend on no runner.
 */
export interface ContractHarness {
  describe(name: string, define: () => void): void;
  it(name: string, run: () => Promise<void>): void;
}
