/**
 * Makes one line feed of each end of a line, over all parts of a text. The parser of events holds back a carriage return at the end of
 * a part, because a line feed may follow: it would hold back the last event of a server that writes no line feeds.
 */
export function lineEnds(): (part: string) => string {
  let isAfterReturn = false;
  return (part) => {
    if (part === '') return '';
    const rest = isAfterReturn && part.startsWith('\n') ? part.slice(1) : part;
    isAfterReturn = part.endsWith('\r');
    return rest.replace(/\r\n?/g, '\n');
  };
}
