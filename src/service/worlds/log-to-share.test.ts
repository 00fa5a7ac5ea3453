import { expect, test } from 'vitest'
import { logToShare } from './log-to-share.ts'

const share = async (text: string, players: string[] = []) =>
  (await logToShare(text, { players, users: ['gustav.w'] })).text
const at = '[12:34:56] [Server thread/INFO]: '

test('players have the same stand-in everywhere: where they join, in chat, in commands, in deaths', async () => {
  const log = [
    '[12:34:55] [User Authenticator #1/INFO]: UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
    `${at}Steve[/203.0.113.7:50123] logged in with entity id 27 at (8.5, 65.0, 8.5)`,
    `${at}Steve joined the game`,
    `${at}.Rock_1 joined the game`,
    `${at}<Steve> hello .Rock_1, and rock_1`,
    `${at}Steve was slain by Evelyn`,
    `${at}Steve issued server command: /tp steve Stevenson`,
    `${at}Steve lost connection: Disconnected`,
    `${at}Steve left the game`,
  ].join('\r\n')
  expect((await share(log)).split('\r\n')).toEqual([
    '[12:34:55] [User Authenticator #1/INFO]: UUID of player Player1 is [uuid 1]',
    `${at}Player1[/[address 1]:50123] logged in with entity id 27 at (8.5, 65.0, 8.5)`,
    `${at}Player1 joined the game`,
    `${at}Player2 joined the game`,
    `${at}<Player1> hello Player2, and rock_1`,
    `${at}Player1 was slain by Evelyn`,
    `${at}Player1 issued server command: /tp Player1 Stevenson`,
    `${at}Player1 lost connection: Disconnected`,
    `${at}Player1 left the game`,
  ])
})

test('players are found who are known already, who were refused, or who joined a proxy', async () => {
  expect(await share(`${at}Unknown player evelyn`, ['Evelyn', 'Steve'])).toBe(`${at}Unknown player Player1`)
  expect(
    await share('[12:34:56 INFO]: [connected player] Alexa (/198.51.100.4:5000) has connected\nAlexa!'),
  ).toBe('[12:34:56 INFO]: [connected player] Player1 (/[address 1]:5000) has connected\nPlayer1!')
  expect(await share(`${at}Alexa (/198.51.100.4:5000) lost connection: You are not white-listed`)).toBe(
    `${at}Player1 (/[address 1]:5000) lost connection: You are not white-listed`,
  )
  expect(await share(`${at}\u001b[93mAlexa joined the game\u001b[m\nAlexa`)).toContain('\nPlayer1')
})

test('a player whose name is a word of the log, or no name at all, does not make it unreadable', async () => {
  const line = `${at}java.lang.Error of Server`
  expect(await share(line, ['Server', 'java', 'ERROR', '', 'a b', '.*'])).toBe(line)
  expect(await share('the end of The', ['The'])).toBe('the end of Player1')
})

test.each([
  ['203.0.113.7', '[address 1]'],
  ['/203.0.113.7:25565 and 203.0.113.7, 203.0.113.8', '/[address 1]:25565 and [address 1], [address 2]'],
  ['2001:db8::1', '[address 1]'],
  ['[2001:DB8:0:0:0:0:0:1]:25565', '[[address 1]]:25565'],
  ['/2001:db8:0:0:0:0:0:1:50123 /2001:db8::1', '/[address 1]:50123 /[address 2]'],
  ['/[0:0:0:0:0:0:0:0%0]:25577', '/[0:0:0:0:0:0:0:0%0]:25577'],
  ['fe80::1%eth0', '[address 1]'],
  ['::ffff:203.0.113.7', '[address 1]'],
  ['127.0.0.1 0.0.0.0 ::1', '127.0.0.1 0.0.0.0 ::1'],
])('of %s the address is gone', async (text, shared) => {
  expect(await share(text)).toBe(shared)
})

test.each([
  'Minecraft 1.21.4, Java 21.0.5+11',
  'neoforge-26.1.0.5.jar and NeoForge 26.1.0.5',
  'Forge version: 47.2.6.1',
  '[12:34:56] 12:34:56 05:35:14.246',
  'at net.minecraft.server.Main.main(Main.java:123)',
  'minecraft:stone foo::bar',
  'https://example.org/a/b',
])('what is no secret stays: %s', async (text) => {
  expect(await share(text)).toBe(text)
})

test('home folders do not tell whose they are', async () => {
  expect(
    await share('/home/gustav/games /Users/Eva/x C:\\Users\\Max Muster\\x C:\\\\Users\\\\Max\\\\x'),
  ).toBe('/home/[user]/games /Users/[user]/x C:\\Users\\[user]\\x C:\\\\Users\\\\[user]\\\\x')
  expect(await share('/srv/gustav.w/world, gustav.w@box: gustavXw')).toBe(
    '/srv/[user]/world, gustav.w@box: gustavXw',
  )
})

test('secrets in addresses of the web, and beside them, are gone', async () => {
  expect(await share('https://me:pw@example.org/a?token=abc&x=1#frag "next')).toBe(
    'https://[removed]@example.org/a?[removed] "next',
  )
  expect(await share(`https://chat.example/api/webhooks/1234/${'aB3_'.repeat(16)} end`)).toBe(
    'https://chat.example/api/webhooks/1234/[removed] end',
  )
  expect(await share('Authorization: Bearer abcdefgh.ijkl')).toBe('Authorization: Bearer [removed]')
  expect(await share('rcon.password=hunter22, management-server-secret=abcdef')).toBe(
    'rcon.password=[removed], management-server-secret=[removed]',
  )
  expect(await share('"token": "abc def')).toBe('"token": "abc def')
})

test('of a very long log the end is taken, from the beginning of a line, and no text takes long', async () => {
  const long = `${at}first\n${'x'.repeat(100)}\n`.repeat(60_000)
  const shared = await share(`203.0.113.7\n${long}last`)
  expect(shared.length).toBeLessThanOrEqual(4 * 1024 * 1024)
  expect(shared).toMatch(/^(?:\[12|x{100}\n)/)
  expect(shared.endsWith('last')).toBe(true)
  for (const sign of ['/', 'a:', '1.', ':', 'a://', '@', '<A', '\\', 'password='])
    expect((await share(sign.repeat(50_000))).length).toBeGreaterThan(0)
})

test('while a long log is made ready, others have their turn all the time', async () => {
  let [turns, over] = [0, false]
  const others = () => {
    turns++
    if (!over) setImmediate(others)
  }
  setImmediate(others)
  await share(`${at}token Steve\n`.repeat(40_000))
  over = true
  expect(turns).toBeGreaterThan(100)
})

test('in all parts of a long log a player, an address and an id have the same stand-in, and secrets are gone', async () => {
  const id = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  const entry = `${at}Steve 203.0.113.7 ${id} rcon.password=\n  hunter22\n`
  const joined = `\n${at}Steve joined the game`
  const { text, removed } = await logToShare(entry.repeat(5_000) + joined, { users: [] })
  expect(text).toBe(
    `${at}Player1 [address 1] [uuid 1] rcon.password=\n  [removed]\n`.repeat(5_000) +
      `\n${at}Player1 joined the game`,
  )
  expect(removed).toEqual({ addresses: 1, players: 1, ids: 1, secrets: 5_000, users: 0 })
})
