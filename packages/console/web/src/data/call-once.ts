import type { CallRequest, OwnCall } from '../../../src/api/call-api.js';
import { ask } from './ask.js';
import { ownCalls } from './live.js';

/** Makes a call and waits until it has ended. Its questions are answered where its operation is shown. */
export async function callOnce(request: CallRequest): Promise<OwnCall> {
  const { id } = await ask('startCall', request);
  return new Promise((resolve) => {
    const look = () => {
      const call = ownCalls.get(id);
      if (call?.state !== 'ended') return;
      stop();
      resolve(call);
    };
    const stop = ownCalls.subscribe(look);
    look();
  });
}
