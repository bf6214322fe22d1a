/** Under which key a call remembers the id that all its audit records have, from round to round. */
export const CALL_ID = 'toolwright.call';
