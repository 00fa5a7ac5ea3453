import type { ConsolePiece, LineBatch } from '../../../../contract/bridge/values.ts'
import { said, t } from '../../../messages/t.svelte.ts'
import type { Sentence } from '../../../../contract/messages/localized-text.ts'
import { hasOwnTime, levelOf } from './line-level.ts'
import { LOG_PREFIX } from '../../../../contract/rules/log-text.ts'

type Source = LineBatch['sources'][number] | undefined

export interface LineStyle {
  /** Formats the time of lines without their own; null: none. Called at most once per second of log time. */
  clock: ((time: number) => string) | null
  gap: (from: string | null, to: string | null) => string
}

/** Anything but plain text: control characters, line ends, bidi overrides, Minecraft color codes. */
// eslint-disable-next-line no-control-regex -- these are what must not reach a terminal
const SPECIAL = /[\u0000-\u001f\u007f-\u009f\u00a7\u2028\u2029\u202a-\u202e\u2066-\u2069]/

const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- as above
  /\u001b\[([0-9;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const LINE_ENDS = /[\n\u2028\u2029]/g
const HEX_CODE = /\u00a7x((?:\u00a7[0-9a-f]){6})/gi
const CODE = /\u00a7([0-9a-fk-or])/gi

const ESC = '\u001b['
const RESET = `${ESC}0m`

/** Minecraft codes → ANSI. As in the game, a color resets the format. */
const codes: Record<string, string> = {
  '0': '0;30', '1': '0;34', '2': '0;32', '3': '0;36', '4': '0;31', '5': '0;35', '6': '0;33', '7': '0;37',
  '8': '0;90', '9': '0;94', a: '0;92', b: '0;96', c: '0;91', d: '0;95', e: '0;93', f: '0;97',
  // Obfuscated text would be unreadable.
  k: '', l: '1', m: '9', n: '4', o: '3', r: '0',
} // prettier-ignore

const sourceStyles = { error: '31', command: '1;36', service: '3;90', unreadable: '3;90' } as const

export function textOf({ texts, sources }: LineBatch, at: number): string {
  const source = sources[at]
  if (source === 'unreadable') return t('console.unreadable')
  return typeof source === 'object' ? toldText(source, texts[at]!) : texts[at]!
}

/** In the person's language, if the panel knows all of it. */
function toldText(sentences: readonly Sentence[], text: string): string {
  const parts = sentences.map((sentence) => said({ message: '', text: sentence }))
  return parts.every(Boolean) ? parts.join(' ') : text
}

/** A (wrapped) row per entry, each starting with a line break, except the first in an empty terminal (`fresh`). */
export function terminalText(pieces: readonly ConsolePiece[], style: LineStyle, fresh: boolean): string {
  let text = ''
  for (const piece of pieces)
    text +=
      piece.kind === 'lines'
        ? batchText(piece.batch, style)
        : `\n${ESC}33m${style.gap(piece.from, piece.to)}${RESET}`
  return fresh ? text.slice(1) : text
}

function batchText(batch: LineBatch, style: LineStyle): string {
  const { texts } = batch
  // One scan per batch: hardly any needs per-line work.
  const together = texts.join('')
  let plain = !SPECIAL.test(together)
  if (plain) for (const _ in batch.sources) { plain = false; break } // prettier-ignore
  if (plain && (together.includes('WARN') || together.includes('ERROR') || together.includes('FATAL') || together.includes('SEVERE'))) plain = false // prettier-ignore
  if (plain && !style.clock) return `\n${texts.join('\n')}`

  let text = ''
  let second = NaN
  let time = ''
  for (let at = 0; at < texts.length; at++) {
    if (style.clock) {
      const now = Math.floor((batch.times[at] ?? 0) / 1000)
      if (now !== second) {
        second = now
        time = now > 0 ? `${ESC}90m${style.clock(now * 1000)}${RESET} ` : `${ESC}90m--:--:--${RESET} `
      }
    }
    const before = hasOwnTime(texts[at]!) ? '' : time
    text += `\n${before}${plain ? texts[at]! : lineText(textOf(batch, at), batch.sources[at])}`
  }
  return text
}

/** A line with only SGR sequences left; other control sequences are removed. */
export function lineText(text: string, source: Source): string {
  const special = SPECIAL.test(text)
  let shown = special ? cleaned(text) : text
  if (source) {
    if (source === 'command' && !shown.startsWith('>')) shown = `> ${shown}`
    return `${ESC}${sourceStyles[typeof source === 'object' ? 'service' : source]}m${shown}${RESET}`
  }
  const level = levelOf(text)
  if (level) return `${ESC}${level === 'warning' ? '33' : '31'}m${shown}${RESET}`
  return special ? `${shown}${RESET}` : shown
}

/** Without colors, for screen readers. */
export function plainText(text: string, source: Source): string {
  // eslint-disable-next-line no-control-regex -- the colors that `lineText` leaves or makes
  return lineText(text, source).replace(/\u001b\[[0-9;:]*m/g, '')
}

function cleaned(text: string): string {
  return text
    .replace(SEQUENCES, (_whole, params: string | undefined) =>
      params === undefined ? '' : graphics(params),
    )
    .replace(CONTROLS, '')
    .replaceAll('\t', '    ')
    .replace(LINE_ENDS, '\u21b5')
    .replace(HEX_CODE, (_whole, digits: string) => hexColor(digits.replaceAll('\u00a7', '')))
    .replace(CODE, (_whole, code: string) => {
      const sgr = codes[code.toLowerCase()]
      return sgr ? `${ESC}${sgr}m` : ''
    })
}

/** Keeps an SGR sequence except faint, blink and hidden. */
function graphics(params: string): string {
  const parts = params.split(/[;:]/)
  if (parts.includes('38') || parts.includes('48')) return `${ESC}${params}m`
  const kept = parts.filter((part) => !['2', '5', '6', '8'].includes(part))
  return kept.length > 0 ? `${ESC}${kept.join(';')}m` : ''
}

function hexColor(digits: string): string {
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16))
  return `${ESC}0;38;2;${red};${green};${blue}m`
}

const LEVEL = /\b(WARN|ERROR|FATAL|SEVERE)/

interface ShortLine {
  text: string
  level: 'warn' | 'error' | null
}

/** A line without time, thread and level, where only the newest are shown. */
export function shortLine(text: string, source: LineBatch['sources'][number] | undefined): ShortLine {
  const plain = plainText(text, source)
  const prefix = source ? '' : (LOG_PREFIX.exec(plain)?.[0] ?? '')
  const level = LEVEL.exec(prefix)?.[1]
  const isError = source === 'error' || (level !== undefined && level !== 'WARN')
  return { text: plain.slice(prefix.length), level: isError ? 'error' : level ? 'warn' : null }
}
