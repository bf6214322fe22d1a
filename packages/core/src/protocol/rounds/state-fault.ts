import { JsonRpcCode, ProtocolError } from '../../base/errors/errors.js';

/**
 * Why a state is refused.
 * - `forged`: this server did not seal it, or somebody changed it
 * - `stolen`: it was sealed for another principal
 * - `misplaced`: it was sealed for another operation, or for other arguments
 * - `outdated`: the operation has another contract now: a release has changed it meanwhile
 * - `expired`: the client took too long
 * - `used`: an earlier request has already brought it
 */
export type StateFault = 'forged' | 'stolen' | 'misplaced' | 'outdated' | 'expired' | 'used';

/** All faults have the same answer: telling them apart would only help an attacker. */
export function invalidState(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.invalidParams,
    'Invalid or expired requestState. Start the request again.',
    { reason: 'invalid_request_state' },
  );
}

/** While it is not known whether a state was used, it could be used twice. */
export function unverifiableState(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.internalError,
    'This server cannot check right now whether the requestState was used before, so nothing was done. Try again later.',
    { reason: 'request_state_unverifiable' },
  );
}
