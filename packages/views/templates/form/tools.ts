import { type integer, McpService, McpTool, ToolError } from '@toolwright/core';

/** What the form begins with. */
export interface Draft {
  name?: string;
  guests?: integer;
}

export interface Booking {
  reference: string;
  day: string;
  guests: integer;
}

@McpService()
export class ViewNameTools {
  private bookings = 0;

  /**
   * Ask the user for the details of a visit, in a form that makes the booking. Returns what the form begins with. (Say here
   * what your form is for, and when to use it.)
   * @param name who comes, if it is known
   * @param guests how many people come, if it is known
   */
  @McpTool({
    name: 'view_name',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { view: './views/view-name.tsx' },
  })
  viewName(/** @maxLength 100 */ name?: string, /** @minimum 1 @maximum 12 */ guests?: integer): Draft {
    return { ...(name !== undefined && { name }), ...(guests !== undefined && { guests }) };
  }

  /**
   * Book a visit. Returns the reference of the booking. The form calls it.
   * @param name who comes
   * @param email where the confirmation goes
   * @param day the day of the visit, such as 2026-12-24
   * @param guests how many people come
   * @param tour which tour they take
   * @param note what the house should know
   */
  @McpTool({ name: 'submit_view_noun', annotations: { destructiveHint: false, openWorldHint: false } })
  submitViewNoun(
    /** @minLength 2 @maxLength 100 */ name: string,
    /** @format email @maxLength 200 */ email: string,
    /** @format date */ day: string,
    /** @minimum 1 @maximum 12 */ guests: integer,
    tour: 'none' | 'short' | 'long',
    /** @maxLength 500 */ note?: string,
  ): Booking {
    // What only the server knows is checked here. The form shows the text of the error.
    if (new Date(`${day}T00:00:00Z`).getUTCDay() === 1)
      throw new ToolError('The house is closed on Mondays. Choose another day.');
    void [name, email, tour, note];
    this.bookings += 1;
    return { reference: `V-${1000 + this.bookings}`, day, guests };
  }
}
