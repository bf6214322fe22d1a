import { ProtocolError } from './protocol-error.js';

/**
 * The caller's token lacks scopes. Over HTTP it is answered with status 403 and a challenge that names all scopes the
 * operation needs (basic/authorization, scope challenge handling); elsewhere as a JSON-RPC error of our own.
 */
export class InsufficientScopeError extends ProtocolError {
  constructor(
    /** All scopes that the operation needs, not only the missing ones. */
    readonly scopes: readonly string[],
  ) {
    super(403, `This needs the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(' ')}.`, {
      requiredScopes: [...scopes],
    });
  }
}
