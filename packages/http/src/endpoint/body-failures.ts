import { HttpFailure, INVALID_REQUEST, PARSE_ERROR } from './http-failure.js';

export function notJson(): HttpFailure {
  return new HttpFailure(400, PARSE_ERROR, 'The body is not JSON.');
}

export function tooManyParts({ message }: Error): HttpFailure {
  return new HttpFailure(400, INVALID_REQUEST, message);
}

export function notUtf8(): HttpFailure {
  return new HttpFailure(400, PARSE_ERROR, 'The body is not UTF-8.');
}

/** The application has read the body, and did not keep it for others. */
export function readBefore(): HttpFailure {
  return new HttpFailure(
    400,
    PARSE_ERROR,
    'The body was read before. Pass `request.clone()` to who reads it first.',
  );
}

export function endedEarly(): HttpFailure {
  return new HttpFailure(400, PARSE_ERROR, 'The body ended early.');
}

export function tooLarge(maxBytes: number): HttpFailure {
  return new HttpFailure(413, INVALID_REQUEST, `The body is larger than ${maxBytes} bytes.`);
}
