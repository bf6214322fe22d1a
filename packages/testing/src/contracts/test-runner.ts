/** The two globals that Jest, Vitest (with globals) and Mocha share. The assertions are those of Node.js. */
interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
}

/**
 * Declares a suite in which every test gets a fresh subject. The subject is closed afterwards, whether the
 * test passes or fails.
 */
export function describeContract<S extends { close?(): unknown }>(
  name: string,
  create: () => S | Promise<S>,
  cases: Record<string, (subject: S) => Promise<void>>,
): void {
  const { describe, it } = globalThis as unknown as TestRunner;
  describe(name, () => {
    for (const [sentence, run] of Object.entries(cases)) {
      it(sentence, async () => {
        const subject = await create();
        try {
          await run(subject);
        } finally {
          await subject.close?.();
        }
      });
    }
  });
}
