/**
 * What a contract suite needs of a test runner; the globals of Jest, Vitest and node:test fit as they are. The
 * suites assert with node:assert, so that none of them is tied to a runner.
 */
export interface ContractHarness {
  describe(name: string, define: () => void): void;
  it(name: string, run: () => Promise<void>): void;
}
