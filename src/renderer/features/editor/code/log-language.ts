import type { StreamParser } from '@codemirror/language'

/** Logs of game servers: the head of a line, its level, and the lines of a stack below it. */
export const log: StreamParser<unknown> = {
  name: 'log',
  startState: () => ({}),
  token(stream) {
    if (stream.sol()) {
      if (stream.match(/^\s+at .*/) || stream.match(/^\s*\.\.\. \d+ (more|common).*/)) return 'comment'
      if (stream.match(/^(Caused by: )?[\w.$]+(Exception|Error)\b.*/)) return 'invalid'
      if (stream.match(/^\[?[\d:.,T -]{5,}Z?\]?/)) return 'comment'
    }
    if (stream.match(/^\[[^\]]*\b(ERROR|FATAL|SEVERE)\]/)) return 'invalid'
    if (stream.match(/^\[[^\]]*\bWARN(ING)?\]/)) return 'keyword'
    if (stream.match(/^\[[^\]]*\b(INFO|DEBUG|TRACE)\]/)) return 'meta'
    if (stream.match(/^(ERROR|FATAL|SEVERE)\b/)) return 'invalid'
    if (stream.match(/^WARN(ING)?\b/)) return 'keyword'
    // A word at a time, so that a level in the middle of a line is met at its beginning.
    if (!stream.match(/^\w+/)) stream.next()
    return null
  },
}
