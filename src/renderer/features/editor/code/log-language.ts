import type { StreamParser } from '@codemirror/language'

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
    // Word by word, so a level in mid-line is matched at its start.
    if (!stream.match(/^\w+/)) stream.next()
    return null
  },
}
