import fc from 'fast-check'
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

test('renamed and refused players are found, and names with symbols and spaces', async () => {
  const log = [
    `${at}Newnick (formerly known as Oldnick) joined the game`,
    `${at}Disconnecting Kicked99 (/198.51.100.5:4242): You are not whitelisted on this server!`,
    `${at}my-name joined the game`,
    `${at}.The Guy 123[/198.51.100.6:4242] logged in with entity id 5 at (1.5)`,
    `\u001b[93m${at}Yoooo+ joined the game\u001b[0m`,
    `${at}\u00a7eAlexa joined the game\u00a7r`,
    `${at}oldnick, my-name: .The Guy 123 (Yoooo+) <Kicked99> Alexa; my-names`,
  ].join('\n')
  expect((await share(log)).split('\n')).toEqual([
    `${at}Player1 (formerly known as Player2) joined the game`,
    `${at}Disconnecting Player3 (/[address 1]:4242): You are not whitelisted on this server!`,
    `${at}Player4 joined the game`,
    `${at}Player5[/[address 2]:4242] logged in with entity id 5 at (1.5)`,
    `${at}Player6 joined the game`,
    `${at}Player7 joined the game`,
    `${at}Player2, Player4: Player5 (Player6) <Player3> Player7; my-names`,
  ])
})

/** Lines that reveal a player's name. */
const NAMING: readonly ((name: string) => string)[] = [
  (name) => `UUID of player ${name} is 069a79f4-44e9-4726-a5be-fca90e38aaf5`,
  (name) => `${name}[/203.0.113.7:50123] logged in with entity id 27 at (8.5, 65.0, 8.5)`,
  (name) => `${name}[play.example.org/[2001:db8::1]:50123] logged in with entity id 27`,
  (name) => `${name} lost connection: Disconnected`,
  (name) => `${name} (/203.0.113.7:50123) lost connection: Timed out`,
  (name) => `Disconnecting ${name} (/203.0.113.7:50123): Outdated client`,
  (name) =>
    `Disconnecting com.mojang.authlib.GameProfile@1a2b[id=<null>,name=${name},properties={}] (/203.0.113.7:5): No`,
  (name) =>
    `GameProfile[id=069a79f4-44e9-4726-a5be-fca90e38aaf5, name=${name}, properties={}] (/1.2.3.4:5) lost connection: No`,
  (name) => `<${name}> hi`,
  (name) => `[Not Secure] <${name}> hi`,
  (name) => `${name} issued server command: /spawn`,
  (name) => `${name} has made the advancement [Stone Age]`,
  (name) => `${name} whispers to you: hi`,
  (name) => `You whisper to ${name}: hi`,
  (name) => `Made ${name} a server operator`,
  (name) => `Added ${name} to the whitelist`,
  (name) => `Banned ${name}: too loud`,
  (name) => `Kicked ${name} from the game`,
  (name) => `[${name}: Set the time to 1000]`,
  (name) => `[connected player] ${name} (/203.0.113.7:50123) has connected`,
  (name) => `There are 2 of a max of 20 players online: Zed, ${name}`,
]
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_']
const word = (most: number) => fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: most })
/** Each contains `Zz`, which nothing else in the log does. */
const anyName = fc.oneof(
  word(14).map((one) => `Zz${one}`),
  word(12).map((one) => `.Zz${one}`),
  word(12).map((one) => `Zz${one}+`),
  fc
    .tuple(word(5), fc.constantFrom(...'!"#$%&\'()*+,-./:;=?@[]^`{|}~'), word(5))
    .map(([first, sign, second]) => `Zz${first}${sign}${second}`),
  fc.tuple(word(5), word(5)).map(([first, second]) => `*Zz${first} ${second}`),
)
const naming = fc.tuple(anyName, fc.constantFrom(...NAMING))

test('no name that a log reveals remains in the shared log', async () => {
  const namesAll = async (named: [string, (name: string) => string][]) => {
    const names = named.map(([name]) => name)
    const mentions = names.map((name) => `${at}Somebody gave a cake to ${name}, said "${name}"`)
    const shared = await share([...mentions, ...named.map(([name, line]) => at + line(name))].join('\n'))
    for (const name of names) expect([name, shared.includes(name), shared]).toEqual([name, false, shared])
  }
  await fc.assert(fc.asyncProperty(fc.array(naming, { minLength: 1, maxLength: 5 }), namesAll), {
    numRuns: 500,
  })
})

test('a player named like a stand-in is replaced too', async () => {
  expect(await share(`${at}Player2 joined the game\n${at}Steve joined the game\n${at}Player2`)).toBe(
    `${at}Person1 joined the game\n${at}Person2 joined the game\n${at}Person1`,
  )
})

test('a name of digits does not change times', async () => {
  expect(await share(`${at}12 joined the game`)).toBe(`${at}Player1 joined the game`)
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

test.each([
  ['play.example.org/203.0.113.7:25565', '[address 2]/[address 1]:25565'],
  ['mail to ann.b+c@mail.example.org.', 'mail to [address 1].'],
  [
    'at TRANSFORMER/minecraft@1.20.1/net.minecraft.Main',
    'at TRANSFORMER/minecraft@1.20.1/net.minecraft.Main',
  ],
  ['UnknownHostException: den-pc: unknown', 'UnknownHostException: [address 1]: unknown'],
  ['den-pc/127.0.1.1 and ann@den-pc', '[address 2]/[address 1] and ann@[address 2]'],
  ['a den-pc is a computer', 'a den-pc is a computer'],
  [
    '--accessToken abc.def --password hunter22 --port 5',
    '--accessToken [removed] --password [removed] --port 5',
  ],
  ['password: "two words" next', 'password: "[removed]" next'],
  ["secret='x'", "secret='[removed]'"],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[removed]'],
  [
    'https://api.telegram.org/bot123456:AAH-abcdefghijklmnopqrstuvwxyz/send',
    'https://api.telegram.org/[removed]/send',
  ],
  [
    'https://hooks.example/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://hooks.example/services/T00000000/B00000000/[removed]',
  ],
  ['Ann issued server command: /login hunter22', 'Ann issued server command: /login [removed]'],
  [
    'Ann issued server command: /authme:register a b',
    'Ann issued server command: /authme:register [removed]',
  ],
  ['Ann issued server command: /lobby a', 'Ann issued server command: /lobby a'],
  [
    'jdbc:mysql://me:pw@db.example.org:3306/x?password=y',
    'jdbc:mysql://[removed]@db.example.org:3306/x?[removed]',
  ],
  ['USERNAME=Max, user.name = max', 'USERNAME=[user], user.name = [user]'],
  [String.raw`\\box\Users\Max Muster\x`, String.raw`\\box\Users\[user]\x`],
])('private parts of %s are replaced', async (text, shared) => {
  expect((await logToShare(text, { users: ['gustav.w'], hosts: ['den-pc'] })).text).toBe(shared)
})

test('of a very long log the end is taken, from the beginning of a line, and no text takes long', async () => {
  const long = `${at}first\n${'x'.repeat(100)}\n`.repeat(60_000)
  const shared = await share(`203.0.113.7\n${long}last`)
  expect(shared.length).toBeLessThanOrEqual(4 * 1024 * 1024)
  expect(shared).toMatch(/^(?:\[12|x{100}\n)/)
  expect(shared.endsWith('last')).toBe(true)
  for (const sign of [
    '/',
    'a:',
    '1.',
    ':',
    'a://',
    '@',
    '<A',
    '\\',
    'password=',
    'a@b.',
    '--token ',
    '"secret":"',
    'a.',
    '\u001b[',
  ])
    expect((await share(`x${sign.repeat(50_000)}`)).length).toBeGreaterThan(0)
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
