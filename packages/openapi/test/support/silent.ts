/** The logger of a server that is expected to say something: a green run prints nothing. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A logger that keeps what it warns of. */
export function keepingLogger() {
  const warnings: { fields: Record<string, unknown>; message: string }[] = [];
  const warn = (fields: Record<string, unknown>, message: string) => void warnings.push({ fields, message });
  return { warnings, logger: { ...silent, warn } };
}
