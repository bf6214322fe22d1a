import { HttpFault, INVALID_REQUEST, PARSE_ERROR } from './http-fault.js';

export function notJson(): HttpFault {
  return new HttpFault(400, PARSE_ERROR, 'The body is not JSON.');
}

export function notUtf8(): HttpFault {
  return new HttpFault(400, PARSE_ERROR, 'The body is not UTF-8.');
}

/** The application has read the body, and did not keep it for others. */
export function readBefore(): HttpFault {
  return new HttpFault(
    400,
    PARSE_ERROR,
    'The body was read before. Pass `request.clone()` to who reads it first.',
  );
}

export function endedEarly(): HttpFault {
  return new HttpFault(400, PARSE_ERROR, 'The body ended early.');
}

export function tooLarge(maxBytes: number): HttpFault {
  return new HttpFault(413, INVALID_REQUEST, `The body is larger than ${maxBytes} bytes.`);
}
