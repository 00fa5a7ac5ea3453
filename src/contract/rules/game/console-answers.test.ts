import { expect, test } from 'vitest'
import { answerReader, whitelistReader } from './console-answers.ts'
import { messageOf } from './plain-line.ts'

const says = (text: string) => messageOf(`[12:34:56] [Server thread/INFO]: ${text}`) ?? ''
const kindOf = (reader: ReturnType<typeof answerReader>, text: string) => reader(says(text))?.kind ?? null

test('what a server answers is read in the words of old and new versions, for Bedrock names too', () => {
  for (const name of ['Steve', '.Rock_1', '*Rock1', 'Yoooo+', '.The Guy 123', 'a(b)$&|^'])
    for (const [action, words] of [
      ['kick', [`Kicked ${name}: take a break`, `Kicked ${name} from the game: 'x'`]],
      ['ban', [`Banned ${name}: dug holes`, `Banned player ${name}`]],
      ['pardon', [`Unbanned ${name}`, `Unbanned player ${name}`]],
      ['op', [`Made ${name} a server operator`, `Opped ${name}`]],
      ['deop', [`Made ${name} no longer a server operator`, `De-opped ${name}`]],
      ['whitelist-add', [`Added ${name} to the whitelist`]],
      ['whitelist-remove', [`Removed ${name} from the whitelist`]],
      ['message', [`You whisper to ${name}: tea?`, `[me -> ${name}] tea?`]],
    ] as const)
      for (const text of words)
        expect([text, kindOf(answerReader(action, name), text)]).toEqual([text, 'done'])
  expect(kindOf(answerReader('op', 'Steve'), 'Nothing changed. The player already is an operator')).toBe(
    'unchanged',
  )
  expect(kindOf(answerReader('kick', 'Steve'), 'No player was found')).toBe('refused')
  expect(kindOf(answerReader('kick', '@a'), 'Invalid name or UUID')).toBe('refused')
  expect(kindOf(whitelistReader(true), 'Turned on the whitelist')).toBe('done')
  expect(kindOf(whitelistReader(true), 'Whitelist is already turned on')).toBe('unchanged')
})

test('an answer about somebody else, or what a player writes, is no answer', () => {
  const read = answerReader('op', '.Rock_1')
  for (const text of [
    'Made ARock_1 a server operator',
    'Made .Rock_12 a server operator',
    '<Eve> Made .Rock_1 a server operator',
    '[Eve: Made .Rock_1 a server operator]',
  ])
    expect([text, read(says(text))]).toEqual([text, null])
  expect(messageOf('Made .Rock_1 a server operator')).toBe(null)
})
