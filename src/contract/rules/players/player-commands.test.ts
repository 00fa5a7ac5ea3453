import { expect, test } from 'vitest'
import { commandOf } from './player-commands.ts'

test('a name is written the way each command parses it', () => {
  for (const name of ['Steve', '.Rock_1', 'Yoooo+', 'my-name']) {
    expect(commandOf('kick', name, 'too loud')).toBe(`kick ${name} too loud`)
    expect(commandOf('ban', name, '')).toBe(`ban ${name}`)
  }
  expect(commandOf('kick', '*The Guy', '')).toBe('kick "*The Guy"')
  expect(commandOf('message', 'a"b\\', 'hi')).toBe('tell "a\\"b\\\\" hi')
  expect(commandOf('whitelist-add', '*Rock1', '')).toBe('whitelist add *Rock1')
})

test('a name that a command would misread is not sent', () => {
  for (const action of ['ban', 'pardon', 'op', 'deop', 'whitelist-add', 'whitelist-remove'] as const)
    for (const name of ['The Guy', '@a', '@p[name=Steve]', ''])
      expect([action, name, commandOf(action, name, '')]).toEqual([action, name, null])
  for (const name of ['a\nstop', 'a\u2028b', ' Steve', '069a79f4-44e9-4726-a5be-fca90e38aaf5'])
    expect([name, commandOf('kick', name, '')]).toEqual([name, null])
  // In quotes it names one player.
  expect(commandOf('kick', '@a', '')).toBe('kick "@a"')
})
