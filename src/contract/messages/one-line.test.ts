import { describe, expect, test } from 'vitest'
import { Command } from '../areas/console.ts'
import { api } from '../areas/index.ts'
import { ServerName } from '../areas/server-config.ts'
import { asOneLine, linesOf } from './one-line.ts'

/** Everything that some program takes for the end of a line. */
const breaks = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']
const spelled = breaks.map((end) => [JSON.stringify(end), end] as const)

describe('one line', () => {
  test.each(spelled)('a command with %s in it is refused by a sentence that says what to do', (_, end) => {
    const { error } = Command.safeParse(`say a${end}stop`)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'A command is a single line. Send the lines one by one.',
    ])
    expect(linesOf(`say a${end}stop`)).toEqual(['say a', 'stop'])
  })

  test('a command cannot hold NUL, escapes or C1 controls; a tab and everything that is written may stand in it', () => {
    for (const control of ['\0', '\u001b', '\u007f', '\u0090', '\u009b'])
      expect(Command.safeParse(`say a${control}b`).error?.issues[0]?.message).toBe(
        'A command cannot contain control characters.',
      )
    for (const text of ['say a\tb', 'say Grüße 👋🏽', 'say \u00a0\u200d\u2027\u202f'])
      expect(Command.safeParse(text).success).toBe(true)
  })

  test.each(spelled)('no name of a server or an account holds %s', (_, end) => {
    expect(ServerName.safeParse(`Mine${end}x`).success).toBe(false)
    const register = { email: 'a@example.org', password: 'long enough, is it' }
    expect(api.account.register.body.safeParse({ ...register, name: 'Ann' }).success).toBe(true)
    expect(api.account.register.body.safeParse({ ...register, name: `Ann${end}x` }).success).toBe(false)
  })

  test('an address that would write a header of a mail is none', () => {
    for (const end of breaks)
      expect(
        api.account.register.body.safeParse({
          name: 'Ann',
          email: `a@example.org${end}Bcc: b@example.org`,
          password: 'long enough, is it',
        }).success,
      ).toBe(false)
  })

  test('a text from elsewhere becomes one line', () => {
    expect(asOneLine('Ann\r\n\r\nyour code is\n\n    123456\u2028\0')).toBe('Ann your code is     123456')
  })
})
