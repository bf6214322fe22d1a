import { randomBytes } from 'node:crypto';

const ownSecrets = new WeakMap<object, readonly string[]>();

/** The secrets of a server. Without any, they are random: what it seals is for this process. */
export function sealingSecrets(server: {
  readonly secrets?: readonly string[] | undefined;
}): readonly string[] {
  const secrets = server.secrets ?? ownSecrets.get(server) ?? [randomBytes(32).toString('hex')];
  ownSecrets.set(server, secrets);
  return secrets;
}
