import { expect, test } from 'vitest'
import { readProxySign, readSign } from './log-lines.ts'

/** As Vanilla and Fabric, Paper, and Forge begin a line. */
const PREFIXES = [
  '[12:34:56] [Server thread/INFO]: ',
  '[12:34:56 INFO]: ',
  '[11Feb2026 05:35:14.246] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ',
]

test.each(PREFIXES)('who joins and leaves is read of lines that begin with %s', (prefix) => {
  const sign = (text: string) => readSign(prefix + text)
  expect(sign('Steve joined the game')).toEqual({ kind: 'joined', name: 'Steve' })
  expect(sign('Steve left the game')).toEqual({ kind: 'left', name: 'Steve' })
  // Bedrock players behind Floodgate.
  for (const name of ['.Rock_1', '*Rock1'])
    expect(sign(`${name} joined the game`)).toEqual({ kind: 'joined', name })
  expect(sign('\u001b[93mSteve joined the game\u001b[0m')).toEqual({ kind: 'joined', name: 'Steve' })
  const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  expect(sign(`UUID of player .Rock_1 is ${uuid}`)).toEqual({ kind: 'known', name: '.Rock_1', uuid })
  expect(sign('Done (3.2s)! For help, type "help"')).toEqual({ kind: 'online' })
  expect(sign('Stopping server')).toEqual({ kind: 'stopping' })
  // It comes with the line of leaving, and would count twice.
  expect(sign('Steve lost connection: Disconnected')).toBe(null)
})

test.each(PREFIXES)('from where somebody joins is read of lines that begin with %s', (prefix) => {
  const from = (address: string) =>
    readSign(`${prefix}Steve[/${address}:50123] logged in with entity id 27 at (8.5, 65.0, 8.5)`)
  for (const [written, address] of [
    ['192.168.1.5', '192.168.1.5'],
    ['[2001:db8:0:0:0:0:0:1]', '2001:db8:0:0:0:0:0:1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:1'],
    ['[fe80:0:0:0:0:0:0:7%eth0]', 'fe80:0:0:0:0:0:0:7%eth0'],
  ] as const)
    expect([written, from(written)]).toEqual([written, { kind: 'from', from: address }])
  // Where addresses are withheld, nobody is told any.
  expect(readSign(`${prefix}Steve[<ip address withheld>] logged in with entity id 27 at (1.5)`)).toBe(null)
})

test('from where somebody joins a proxy is read, where it says so', () => {
  const joins = (text: string) =>
    readProxySign(`[12:34:56 INFO]: [connected player] Steve (${text}) has connected`)
  expect(joins('/203.0.113.5:50123')).toEqual({ kind: 'joined', name: 'Steve', from: '203.0.113.5' })
  expect(joins('/[2001:db8:0:0:0:0:0:1]:50123')).toMatchObject({ from: '2001:db8:0:0:0:0:0:1' })
  expect(joins('<ip address withheld>')).toEqual({ kind: 'joined', name: 'Steve' })
})

test('of a proxy it is read when it is online and when it stops', () => {
  expect(readSign('[12:34:56 INFO]: Done (2.31s)!')).toEqual({ kind: 'online' })
  expect(readSign('[12:34:56 INFO]: Shutting down the proxy...')).toEqual({ kind: 'stopping' })
  expect(readSign('[12:34:56 INFO]: <Eve> Done (2.31s)!')).toBe(null)
  expect(readSign('[12:34:56 INFO]: [plugin] Done (2.31s)! Have fun!')).toBe(null)
  expect(readSign('[12:34:56 INFO]: Eve: Shutting down the proxy...')).toBe(null)
})

test.each(PREFIXES)('what a player writes is no sign, in lines that begin with %s', (prefix) => {
  for (const said of [
    '<Eve> Steve left the game',
    '[Not Secure] <Eve> Steve left the game',
    '[Server] Steve joined the game',
    '* Eve Steve left the game',
    '<Eve> [12:34:56 INFO]: Steve left the game',
    'Eve has made the advancement [Steve joined the game]',
    'a b joined the game',
    'ABCDEFGHIJKLMNOPQ joined the game',
    '<Eve> Steve[/203.0.113.5:1] logged in with entity id 1 at (1)',
    'Eve lost connection: Steve[/203.0.113.5:1] logged in with entity id 1 at (1)',
  ])
    expect([said, readSign(prefix + said)]).toEqual([said, null])
})

test('a line of a stack trace, which has no prefix, is no sign', () => {
  expect(readSign('Steve joined the game')).toBe(null)
  expect(readSign('\tat Steve left the game')).toBe(null)
})
