import { LOG_PREFIX } from '../log-text.ts'

/*
 * Consoles redraw their prompt around each line: `>....\r`, `ESC[2K`, `ESC[1G`. Programs also print colors, window
 * titles and progress with carriage returns. All parsers use the plain text.
 */

// eslint-disable-next-line no-control-regex -- these steer terminals
const DRAWS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00a7\ufeff]/
const AROUND = /^\s*>|\s$/

/** CSI with parameters and final byte; OSC, DCS, SOS, PM and APC up to their terminator; all others. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- as above
  /\u001b\[([0-?]*)[ -/]*([@-~]?)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g
const COLOR = /\u00a7[0-9a-fk-orx]/gi
// eslint-disable-next-line no-control-regex -- as above
const CONTROL = /[\u0000-\u0007\u000b-\u001f\u007f-\u009f\ufeff]/g
/** One or more prompts. Older consoles fill them with dots. */
const PROMPT = /^\s*(?:>[ .]*)+/
/** Moving the cursor farther back than this, in columns, means the start of the line. */
const BACK_MOST = 16
/** Longest gap that is kept, in columns, so that a line cannot grow. */
const GAP_MOST = 8

export function plainLine(line: string): string {
  if (!DRAWS.test(line) && !AROUND.test(line)) return line
  const drawn = line.replace(SEQUENCE, simplified).replace(COLOR, '')
  return (
    drawn
      .split('\r')
      .map(shown)
      .findLast((text) => text !== '') ?? ''
  )
}

/** Replaces a sequence by the equivalent carriage return, spaces or backspaces. */
function simplified(_sequence: string, parameters: string | undefined, final: string | undefined): string {
  const first = Number.parseInt(parameters ?? '', 10) || 0
  switch (final) {
    // The Windows console writes spaces this way.
    case 'C':
      return ' '.repeat(Math.min(first || 1, GAP_MOST))
    case 'D':
      return first > BACK_MOST ? '\r' : '\b'.repeat(first || 1)
    case 'E':
    case 'F':
    case 'H':
    case 'f':
      return '\r'
    case 'G':
      return first <= 1 ? '\r' : ''
    // Nothing was written to the right yet.
    case 'J':
    case 'K':
      return first === 1 || first === 2 ? '\r' : ''
    default:
      return ''
  }
}

function shown(drawn: string): string {
  const text = drawn.includes('\b') ? withoutTakenBack(drawn) : drawn
  return text.replace(CONTROL, '').replace(PROMPT, '').trimEnd()
}

function withoutTakenBack(drawn: string): string {
  const left: string[] = []
  for (const sign of drawn) {
    if (sign === '\b') left.pop()
    else left.push(sign)
  }
  return left.join('')
}

/** What follows the time and level of a log's line; null of a line without them. */
export function messageOf(line: string): string | null {
  const plain = plainLine(line)
  const prefix = LOG_PREFIX.exec(plain)
  return prefix && plain.slice(prefix[0].length)
}
