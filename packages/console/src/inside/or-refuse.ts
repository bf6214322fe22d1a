import { isToolwrightError } from '@toolwright/core';
import { ConsoleRefusal } from '../api/console-api.js';

/** Says why a change was not made, such as that it could not be recorded. */
export async function orRefuse<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw isToolwrightError(error) ? new ConsoleRefusal(error.message) : error;
  }
}
