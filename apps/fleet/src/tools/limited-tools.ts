import {
  Cache,
  Concurrency,
  Inject,
  type integer,
  McpService,
  McpTool,
  RateLimit,
  ToolContext,
} from '@toolwright/core';
import { setTimeout as wait } from 'node:timers/promises';
import { INSTANCE } from './identity-tools.js';

export interface Held {
  instance: string;
  /** When the slot was taken, in milliseconds since the epoch. */
  from: number;
  /** When it was given back. */
  to: number;
}

export interface Measured {
  /** The replica that measured. */
  instance: string;
  /** A number that is never the same. */
  value: number;
}

/** Limits and results that count for all replicas together. */
@McpService()
export class LimitedTools {
  constructor(@Inject(INSTANCE) private readonly instance: string) {}

  /** Answer at most 50 times in 10 seconds for each caller. Returns the replica that answered. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit({ points: 50, per: '10s' })
  limited(): string {
    return this.instance;
  }

  /** Answer at most 20 times in an hour for each caller. Returns the replica that answered. */
  @McpTool({ name: 'rarely', annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit({ points: 20, per: '1h' })
  rarely(): string {
    return this.instance;
  }

  /**
   * Return the text that came. The call is counted, but the limit is out of reach: this shows what counting costs.
   * @param text any text
   */
  @McpTool({ name: 'counted_echo', annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit({ points: 1_000_000_000, per: '1h' })
  countedEcho(text: string): string {
    return text;
  }

  /**
   * Hold one of two slots for a while. Calls that find no free slot wait. Reports progress when it has the slot.
   * @param ms how long, in milliseconds
   */
  @McpTool({ name: 'hold_slot', annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit(false)
  @Concurrency({ max: 2 })
  async holdSlot(/** @minimum 1 @maximum 60000 */ ms: integer, ctx: ToolContext): Promise<Held> {
    const from = Date.now();
    ctx.progress(0, 1, 'held');
    await wait(ms, undefined, { signal: ctx.signal });
    return { instance: this.instance, from, to: Date.now() };
  }

  /**
   * Measure something. The result is kept for a minute, and any replica returns it again.
   * @param topic what to measure
   */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @Cache({ ttl: '1m' })
  measure(topic: string): Measured {
    return { instance: this.instance, value: Math.random() + topic.length };
  }
}
