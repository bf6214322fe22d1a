import { Inject, Injectable, ToolContext } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { Database } from '../database.js';
import { INSTANCE } from './identity-tools.js';

/** What the fleet does by itself, once for all processes: here it only writes down that it did. */
@Injectable()
export class BeatJobs {
  constructor(
    private readonly database: Database,
    @Inject(INSTANCE) private readonly instance: string,
  ) {}

  /** Its effect is a step, so a run whose process dies may be repeated. */
  @Scheduled('* * * * * *', { name: 'beat', rerun: true })
  async beat(ctx: ToolContext): Promise<void> {
    await ctx.once(
      'beat',
      ({ attempted }) =>
        this.database.recordBeat({ due: String(ctx.requestId), attempted, instance: this.instance }),
      { rerun: true },
    );
  }
}
