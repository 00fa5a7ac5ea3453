/*
 * Consoles with a prompt redraw it around each line: `>....\r`, `ESC[2K`, `ESC[1G`. Other programs color their lines, set
 * the window's title or show progress with carriage returns. Whatever reads lines reads them without all that.
 */

/** Most lines have none of it, so one look is enough for them. */
// eslint-disable-next-line no-control-regex -- these steer terminals
const DRAWS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00a7\ufeff]/
const AROUND = /^\s*>|\s$/

/** CSI with its parameters and its final byte; OSC, DCS, SOS, PM and APC up to their end; all others. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- as above
  /\u001b\[([0-?]*)[ -/]*([@-~]?)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g
/** Minecraft's own colors. */
const COLOR = /\u00a7[0-9a-fk-orx]/gi
// eslint-disable-next-line no-control-regex -- as above
const CONTROL = /[\u0000-\u0007\u000b-\u001f\u007f-\u009f\ufeff]/g
/** A prompt, or several. Older ones have dots. */
const PROMPT = /^\s*(?:>[ .]*)+/
/** Farther back than this a program goes to begin the line anew. In columns. */
const BACK_MOST = 16
/** Longer gaps are shortened, so that a line cannot grow by them. In columns. */
const GAP_MOST = 8

/** A line of output as a person sees it: without colors and prompts, and without what was erased or overwritten. */
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

/** A sequence as a return, blanks or backspaces, where it does the same as these; else nothing. */
function simplified(_sequence: string, parameters: string | undefined, final: string | undefined): string {
  const first = Number.parseInt(parameters ?? '', 10) || 0
  switch (final) {
    // Windows' console writes blanks this way.
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
    // What is behind the cursor is not erased: nothing was written there yet.
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
