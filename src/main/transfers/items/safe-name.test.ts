import { expect, it } from 'vitest'
import { isUsable } from './local-names.ts'
import { safeName } from './safe-name.ts'

it.each([
  ['world.zip', 'world.zip'],
  ['世界 🙂.txt', '世界 🙂.txt'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a:b?.txt', 'a_b_.txt'],
  ['con.txt', '_con.txt'],
  ['name. . ', 'name'],
  ['.env', '.env'],
  ['..', 'download'],
  ['', 'download'],
  ['\u0000\n', 'download'],
  // Written so that it reads as a picture.
  ['photo\u202egpj.exe', 'photogpj.exe'],
])('%j is suggested as %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

it('a long name keeps its ending, and fits', () => {
  const safe = safeName(`${'ä'.repeat(400)}.tar.gz`)
  expect(safe.endsWith('.tar.gz')).toBe(true)
  expect(isUsable(safe)).toBe(true)
})
