import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newSshKey } from './new-ssh-key.ts'

test('every key that is made can be read', () => {
  const made = Array.from({ length: 1500 }, () => newSshKey('Wheelhouse').private)
  expect(made.filter((key) => ssh2.utils.parseKey(key) instanceof Error)).toEqual([])
})
