import { userInfo } from 'node:os';

/**
 * The name of the user of the system that this process runs as. Some platforms, such as OpenShift, run containers as a number
 * that no user has; then it is that number.
 */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
