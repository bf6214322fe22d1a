/** What the desk is at the issuer: one client for the pages, the approvals, and tokens for the billing service. */
export interface DeskClient {
  readonly id: string;
  readonly secret: string;
}

/** What all processes of a desk have in common, and the name of this one. */
export interface DeskSettings {
  /** Such as http://127.0.0.1:3000. */
  readonly origin: string;
  readonly issuer: string;
  readonly client: DeskClient;
  /** Seal what leaves the process. */
  readonly secrets: string[];
  readonly instance: string;
  /** Where the audit log is. */
  readonly dataFolder: string;
  /** The webhook of a chat that gets what waits for an approval. */
  readonly chat?: string | undefined;
}

export const endpointOf = ({ origin }: Pick<DeskSettings, 'origin'>) => `${origin}/mcp`;
export const billingOf = ({ origin }: Pick<DeskSettings, 'origin'>) => `${origin}/billing`;
