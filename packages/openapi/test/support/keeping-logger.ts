import { silentLogger } from '@toolwright/core/ports';

/** A logger that keeps what it warns of. */
export function keepingLogger() {
  const warnings: { fields: Record<string, unknown>; message: string }[] = [];
  const warn = (fields: Record<string, unknown>, message: string) => void warnings.push({ fields, message });
  return { warnings, logger: { ...silentLogger, warn } };
}
