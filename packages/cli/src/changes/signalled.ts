/** Resolves when the process is asked to stop, or nobody reads what it prints any more. Signals that come again are one, and the command itself exits. */
export async function signalled(): Promise<void> {
  const { stopOnSignals } = await import('@toolwright/core/transport');
  return new Promise((stop) => {
    process.stdout.once('error', () => stop());
    stopOnSignals(() => {
      stop();
      return new Promise(() => undefined);
    });
  });
}
