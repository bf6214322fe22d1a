import { Token } from '@toolwright/core';

/** An interface has no class, so it needs a token. */
export interface Greeting {
  readonly text: string;
}

export const GREETING = new Token<Greeting>('greeting');
