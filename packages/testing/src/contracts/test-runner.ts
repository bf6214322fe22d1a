/** The two globals that Jest, Vitest (with globals) and Mocha share; assertions are Node's own. */
interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
}

/** Declares a suite whose every case works on a fresh subject, closed again whatever happens. */
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
