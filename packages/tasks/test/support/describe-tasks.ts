import { checkNodeVersion } from '../../src/node-version.js';

// Each test makes the tables of pg-boss anew, some of them within the process. A busy machine takes its time.
jest.setTimeout(120_000);

/** What keeps this Node.js from running the engine. */
export function refusal(): string | undefined {
  try {
    return void checkNodeVersion();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Declares tests that need the engine. An older Node.js says in their name why it does not run them. */
export function describeTasks(name: string, define: () => void): void {
  if (refusal() === undefined) return describe(name, define);
  it(`${name}: not tried, pg-boss needs Node.js 22.12, and this is ${process.versions.node}`, () => {
    expect(refusal()).toContain('needs Node.js 22.12');
  });
}
