import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProxySign, readSign } from './log-lines.ts'

/** Prefixes of Vanilla and Fabric, Paper, Forge, hybrids, Quilt, and of servers before Minecraft 1.7. */
const PREFIXES = [
  '[12:34:56] [Server thread/INFO]: ',
  '[12:34:56 INFO]: ',
  '[11Feb2026 05:35:14.246] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ',
  '[12:34:56] [Server thread/INFO] [minecraft/DedicatedServer]: ',
  '[12:34:56 INFO] [minecraft/PlayerList]: ',
  '[12:34:56] [Server thread/INFO] (Minecraft) ',
  '2013-01-31 12:34:56 [INFO] ',
  '2013-01-31 12:34:56 [INFO] [Minecraft-Server] ',
  '12:34:56 [INFO] ',
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
  expect(sign('Steve lost connection: Disconnected')).toEqual({ kind: 'left', name: 'Steve' })
  expect(sign('Steve (formerly known as Old_1) joined the game')).toEqual({ kind: 'joined', name: 'Steve' })
  expect(sign('Steve[local:E:5f1b] logged in with entity id 5 at (1.5)')).toMatchObject({ name: 'Steve' })
})

test.each(PREFIXES)('a refused or canceled login is not a leave, in lines that begin with %s', (prefix) => {
  for (const said of [
    'com.mojang.authlib.GameProfile@1a2b3c4d[id=<null>,name=Steve,properties={},legacy=false] (/203.0.113.5:1) lost connection: Disconnected',
    'GameProfile[id=069a79f4-44e9-4726-a5be-fca90e38aaf5, name=Steve, properties={}] (/203.0.113.5:1) lost connection: Timed out',
    'Steve (/203.0.113.5:50123) lost connection: You are not white-listed on this server!',
    '/203.0.113.5:50123 lost connection: Disconnected',
    'Disconnecting Steve (/203.0.113.5:50123): You are not whitelisted on this server!',
    'Disconnecting Steve [/203.0.113.5:50123]: Outdated client!',
  ])
    expect([said, readSign(prefix + said)]).toEqual([said, null])
})

test('names may have any 16 printable characters, and spaces after a prefix', () => {
  const name = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 16,
  })
  fc.assert(
    fc.property(
      name.filter((one) => !one.startsWith('/')),
      fc.constantFrom(...PREFIXES),
      (one, prefix) => {
        expect(
          readSign(`${prefix}${one}[/203.0.113.5:50123] logged in with entity id 5 at (1.5, 64.0, 8.5)`),
        ).toEqual({
          ...{ kind: 'joined', name: one, from: '203.0.113.5' },
        })
        expect(readSign(`${prefix}${one} lost connection: Disconnected`)).toEqual({ kind: 'left', name: one })
      },
    ),
  )
  for (const one of [
    'Yoooo+',
    'my-name',
    '-Prefix',
    '*The',
    '.The Guy 123',
    '*The Guy',
    '+A b',
    'A!B',
    '[BE]Steve',
    '.\u041c\u0430\u0448\u0430',
  ])
    for (const [kind, word] of [
      ['joined', 'joined'],
      ['left', 'left'],
    ] as const)
      expect(readSign(`[12:34:56 INFO]: ${one} ${word} the game`)).toEqual({ kind, name: one })
  // Floodgate without a prefix.
  expect(readSign('[12:34:56 INFO]: The Guy[/203.0.113.5:1] logged in with entity id 5')).toMatchObject({
    name: 'The Guy',
  })
  expect(readSign('[12:34:56 INFO]: The Guy lost connection: Disconnected')).toEqual({
    kind: 'left',
    name: 'The Guy',
  })
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
    expect([written, from(written)]).toEqual([written, { kind: 'joined', name: 'Steve', from: address }])
  // Where addresses are withheld, nobody is told any.
  expect(readSign(`${prefix}Steve[<ip address withheld>] logged in with entity id 27 at (1.5)`)).toEqual({
    ...{ kind: 'joined', name: 'Steve' },
  })
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
    '<Eve> Steve lost connection: Disconnected',
    '<Eve> joined the game',
    '[Server] joined the game',
    '* joined the game',
    'Eve: joined the game',
    'Eve: Steve left the game',
    'Eve: Steve lost connection: Disconnected',
    'Eve \u00bb Steve joined the game',
    'Eve > Steve left the game',
    'Eve | Steve left the game',
    '[Member] Eve: Steve left the game',
    '[Member] Eve Steve[/203.0.113.5:1] logged in with entity id 1 at (1)',
    '<Eve> Steve (formerly known as Old) joined the game',
    '<Eve> UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
  ])
    expect([said, readSign(prefix + said)]).toEqual([said, null])
  // The reason may be chosen by the player.
  expect(
    readSign(`${prefix}Eve lost connection: Steve[/203.0.113.5:1] logged in with entity id 1 at (1)`),
  ).toEqual({
    ...{ kind: 'left', name: 'Eve' },
  })
})

test('lines of Paper’s chat thread are no signs, however a plugin formats chat', () => {
  expect(readSign('[12:34:56] [Async Chat Thread - #0/INFO]: Steve left the game')).toBe(null)
})

test('a line of a stack trace, which has no prefix, is no sign', () => {
  expect(readSign('Steve joined the game')).toBe(null)
  expect(readSign('\tat Steve left the game')).toBe(null)
})
