import { startTokenIssuer } from '../protocol/token-issuer.js';
import { against } from './against.js';
import { httpLoad, type HttpLoad } from './http-load.js';
import type { Workload } from './workload.js';

/**
 * Calls that bring a token: each server fetches the issuer's keys, verifies the token and looks for a scope.
 *
 * @param open the same question to a server that lets everyone in
 */
export function callAuth(load: HttpLoad, open: HttpLoad['exam']): Workload {
  const guarded: Workload = {
    ...httpLoad(load),
    enter: async (contestant, dialect, run) => {
      const { rules, token, stop } = await startTokenIssuer();
      const exam = { ...load.exam, token, offers: { ...load.exam.offers, tokens: rules } };
      try {
        const entrant = await httpLoad({ ...load, exam }).enter(contestant, dialect, run);
        return {
          ...entrant,
          stop: async () => {
            stop();
            await entrant.stop();
          },
        };
      } catch (error) {
        stop();
        throw error;
      }
    },
  };
  return against(guarded, httpLoad({ ...load, exam: open }), 'of the rate without tokens');
}
