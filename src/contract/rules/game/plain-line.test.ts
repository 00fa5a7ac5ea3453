import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

const LINE = '[12:34:56] [Server thread/INFO]: Alex joined the game'

test.each([
  ['a prompt', `> ${LINE}`],
  ['a prompt without a blank', `>${LINE}`],
  ['several prompts', `> > >${LINE}`],
  ['a prompt that is erased', `>\u001b[2K\r${LINE}`],
  ['an old prompt', `>....\r${LINE}`],
  ['an old prompt that is not overwritten', `>....${LINE}`],
  ['what somebody is typing', `> stop the ser\r\u001b[K${LINE}`],
  ['a prompt and column 1', `> \u001b[1G${LINE}`],
  ['column 1 and an erased line', `\u001b[G\u001b[2K${LINE}\u001b[0K`],
  ['an erased screen', `old words\u001b[2J\u001b[H${LINE}`],
  ['an erased beginning', `old words\u001b[1K${LINE}`],
  ['a prompt taken back', `> \b\b  \b\b${LINE}`],
  ['a cursor moved back', `> \u001b[2D${LINE}`],
  ['a cursor moved back by more than there is', `10 % \u001b[1000D${LINE}`],
  ['a carriage return behind it', `${LINE}\r`],
  ['two carriage returns behind it', `${LINE}\r\r`],
  ['a new prompt behind it', `${LINE}\r\u001b[K> `],
  ['an erased rest', `${LINE}\u001b[K`],
  ['blanks behind it', `${LINE}   \t`],
  ['a progress display', `10%\r20%\r${LINE}`],
  ['colors', `\u001b[33m[12:34:56] [Server thread/INFO]: \u001b[1;38;2;1;2;3mAlex joined the game\u001b[m`],
  ["Minecraft's colors", '[12:34:56] [Server thread/INFO]: \u00a7eAlex joined\u00a7R the game\u00a7r'],
  ['bracketed paste', `\u001b[?2004h\u001b[?2004l${LINE}`],
  ['a title', `\u001b]0;My server\u0007${LINE}`],
  ['a title with the other end', `\u001b]2;My server\u001b\\${LINE}`],
  ['a saved cursor', `\u001b7\u001b[s${LINE}\u001b8\u001b[u`],
  ['a hidden cursor', `\u001b[?25l${LINE}\u001b[?25h`],
  ['the keypad', `\u001b=\u001b>${LINE}`],
  ['blanks as the console of Windows writes them', LINE.replaceAll(' ', '\u001b[1C')],
  ['the mark of a byte order', `\ufeff${LINE}`],
  ['a bell and zeros', `\u0000\u0007${LINE}\u0000`],
])('the plain text is left of a line with %s', (_, drawn) => {
  expect(plainLine(drawn)).toBe(LINE)
  expect(plainLine(plainLine(drawn))).toBe(LINE)
})

test.each([
  '\tat net.minecraft.server.Main.main(Main.java:5)',
  '[12:34:56 INFO]: <Eve> > quoted',
  '[12:34:56 INFO]: 1 > 0',
  'Gr\u00fc\u00dfe \ud83c\udf0d',
  '',
])('other lines stay unchanged: %j', (line) => {
  expect(plainLine(line)).toBe(line)
})

test('a line of nothing but control sequences is empty', () => {
  for (const line of [
    '> ',
    '>\r',
    '\u001b[K',
    '\u001b[2K\r',
    '\u001b]0;title',
    '\r',
    '\b\b',
    '\u001b[',
    '\u001b',
  ])
    expect([line, plainLine(line)]).toEqual([line, ''])
})

test('control sequences cannot make a line grow', () => {
  for (const sign of [
    '\b',
    '\r',
    '>',
    '\u001b',
    '\u001b[',
    '\u001b]',
    '\u001b[999999999Cx',
    '\u001b[9Cx',
    'a\b',
  ])
    expect(plainLine(sign.repeat(2_000)).length).toBeLessThanOrEqual(4 * 2_000 * sign.length)
})
