import { Injectable, type ToolContext } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { settle } from '../wire.js';
import { MARK, NAME } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way } from '../world.js';

const MINUTE = 60_000;

/** Runs that nobody asks for. */
export const byClock: readonly Way[] = [
  {
    name: 'a scheduled run',
    does: 'clock',
    kind: 'tool',
    eras: ['2026-07-28'],
    methods: [],
    has: new Set<Fact>(['operation', 'context']),
    services(world) {
      @Injectable()
      class Jobs {
        @Scheduled('* * * * *', { name: NAME })
        subject(ctx: ToolContext) {
          return world.run({}, ctx);
        }
      }
      const method = Object.getOwnPropertyDescriptor(Jobs.prototype, 'subject')!;
      for (const [policy, ...args] of world.plan.uses ?? [])
        (policy(...(args as never[])) as MethodDecorator)(Jobs.prototype, 'subject', method);
      return { services: [Jobs] };
    },
    async reach(world) {
      const before = world.runs;
      await world.clock.advance(MINUTE);
      await settle();
      const failed = JSON.stringify(world.logs.slice(-1));
      const isReached = world.runs > before && !failed.includes('A scheduled run failed');
      return { isReached, text: isReached ? MARK : failed };
    },
  },
];
