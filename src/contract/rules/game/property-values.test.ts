import { expect, it, test } from 'vitest'
import { problemOf, propertiesView } from './property-values.ts'
import { KNOWN_PROPERTIES } from './properties-table.ts'

const view = (text: string, running: Record<string, string> | null = null) => {
  const all = propertiesView(text, '1.21.4', running && new Map(Object.entries(running)))
  return (key: string) => all.find((one) => one.key === key)
}

it.each([
  // What the game makes of a value, and what is said of it.
  ['white-list', 'true ', 'false', 'blank'],
  ['white-list', ' false', 'false', 'blank'],
  ['online-mode', 'true\u00a0', 'false', 'blank'],
  ['online-mode', '\ufefftrue', 'false', 'blank'],
  ['online-mode', 'yes', 'false', 'type'],
  ['online-mode', '', 'false', 'type'],
  ['online-mode', '1', 'false', 'type'],
  ['online-mode', 'TRUE', 'true', undefined],
  ['white-list', 'False', 'false', undefined],
  ['max-players', '30 ', '20', 'blank'],
  ['max-players', '３０', '30', undefined],
  ['max-players', '+30', '30', undefined],
  ['max-players', '3e1', '20', 'type'],
  ['max-players', '2147483648', '20', 'type'],
  ['max-tick-time', '2147483648', undefined, undefined],
  ['max-tick-time', '60000 ', '60000', 'blank'],
  ['view-distance', '99', undefined, 'range'],
  ['gamemode', '1', 'creative', undefined],
  ['gamemode', 'Creative', 'survival', 'choice'],
  ['gamemode', 'creative ', 'survival', 'blank'],
  ['gamemode', '9', undefined, 'choice'],
  ['difficulty', '0', 'peaceful', undefined],
  ['region-file-compression', '1', 'deflate', 'choice'],
  ['level-name', 'my world ', undefined, 'blank'],
  ['level-name', '', undefined, 'type'],
  ['motd', ' Hello ', undefined, undefined],
])('%s with the value %j is told as the game reads it', (key, value, reads, problem) => {
  const told = view(`${key}=${value.replace(/^ /, '\\ ')}`)(key)
  expect([told?.value, told?.reads, told?.problem]).toEqual([value, reads, problem])
})

it('a default needs no explanation', () => {
  const of = view(KNOWN_PROPERTIES.map(({ key, default: value }) => `${key}=${value}\n`).join(''))
  for (const { key } of KNOWN_PROPERTIES) expect([key, of(key)?.reads]).toEqual([key, undefined])
})

it('what the service decides is not called wrong: it is written at each start', () => {
  const told = view('server-port=many\n')('server-port')
  expect(told).toMatchObject({ value: 'many', readOnly: true })
  expect(told).not.toHaveProperty('problem')
  expect(told).not.toHaveProperty('reads')
})

it('the first line behind a byte order mark is told as lost to the game', () => {
  const of = view('\ufeffonline-mode=false\nwhite-list=true\n')
  expect(of('online-mode')).toMatchObject({ value: null, default: 'true', problem: 'byte-order-mark' })
  expect(of('white-list')).toMatchObject({ value: 'true' })
  expect(of('\ufeffonline-mode')).toMatchObject({ value: 'false', problem: 'byte-order-mark' })
  const set = view('\ufeffonline-mode=false\nonline-mode=true\n')
  expect(set('online-mode')).not.toHaveProperty('problem')
  // A comment there is lost too, and nobody misses it.
  expect(view('\ufeff#Minecraft server properties\n')('\ufeff#Minecraft')).toBeUndefined()
})

it('a malformed escape is told at its setting', () => {
  const of = view('motd=\\u00zz\nown.key=\\u1\nmax-players=3\n')
  expect(of('motd')).toMatchObject({ problem: 'escape' })
  expect(of('own.key')).toMatchObject({ problem: 'escape' })
  expect(of('max-players')).not.toHaveProperty('problem')
})

it('a value that only looks different is not one the server has to be restarted for', () => {
  const of = view('pvp=TRUE\nwhite-list=true\nmax-players=20 \n', { pvp: 'true', 'max-players': '30' })
  expect(of('pvp')).not.toHaveProperty('running')
  expect(of('max-players')).toMatchObject({ running: '30', reads: '20' })
})

test('what is set has to be what the game reads', () => {
  const known = (key: string) => KNOWN_PROPERTIES.find((one) => one.key === key)!
  expect(problemOf(known('pvp'), 'true ')).toBe('blank')
  expect(problemOf(known('gamemode'), 'creative')).toBeNull()
})
