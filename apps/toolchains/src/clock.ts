/** A port: an abstract class is its token. */
export abstract class Clock {
  abstract now(): Date;
}

/** Always the same moment, so that every toolchain gives the same answer. */
export class StandingClock extends Clock {
  override now(): Date {
    return new Date(0);
  }
}
