import { ask } from '../../data/ask.js';
import { calls, messages } from '../../data/live.js';
import { notifyError } from '../notices.js';

/** Forgets all calls and messages, here and in the console's memory. */
export async function clearRecords(): Promise<void> {
  try {
    await ask('clearRecords', {});
    calls.clear();
    messages.clear();
  } catch (error) {
    notifyError(error);
  }
}
