import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JavaSettings, openJavaSettings } from '../../../../tests/fixtures/java-settings.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import { PlayersFixture, STEVE } from './players.fixture.ts'

let java: JavaSettings
beforeAll(async () => {
  java = await openJavaSettings()
})
afterAll(() => java.close())

/** The service of one server, with these settings. */
async function withSettings(text: string | Buffer) {
  const it = await PlayersFixture.start()
  await it.write('server.properties', text)
  const bytes = () => readFile(path.join(it.folder, 'server.properties'))
  return {
    ...{ it, bytes },
    write: (next: string | Buffer) => it.write('server.properties', next),
    isOn: async () => (await it.call('GET', 'players/whitelist/ID')).body.enabled as boolean | null,
    turn: (on: boolean) => it.call('PUT', 'players/whitelist/ID', { enabled: on }),
    javaSays: async () => new Map(await java.file(await bytes())).get('white-list'),
  }
}

test('the whitelist is on where the game reads that it is, and turning it makes the game read it so', async () => {
  const { write, isOn, turn, javaSays, bytes } = await withSettings('')
  for (const [said, on] of [
    ['white-list=true ', false],
    ['white-list=True', true],
    ['white-list\ttrue', true],
    ['white\\-list true', true],
    ['motd=x\rwhite-list=TRUE\r', true],
    ['\ufeffwhite-list=true', false],
    ['\u00a0white-list=true', false],
    ['white-list=\u00a0true', false],
    ['white-list=true\nwhite-list=false', false],
    ['motd=\\\nwhite-list=true', false],
  ] as const) {
    await write(said)
    expect([said, await isOn()]).toEqual([said, on])
    expect((await turn(!on)).body).toEqual({ enabled: !on })
    expect([said, await isOn(), await javaSays()]).toEqual([said, !on, String(!on)])
  }
  await write('white-list=true \n')
  await turn(true)
  expect((await bytes()).toString()).toBe('white-list=true\n')
})

test('of settings that Java refuses nobody says whether the whitelist is on, and they are left alone', async () => {
  const { isOn, turn, bytes } = await withSettings('motd=\\u12\nwhite-list=false\n')
  expect(await isOn()).toBeNull()
  expect((await turn(true)).body.error.code).toBe('players.settings-damaged')
  expect((await bytes()).toString()).toBe('motd=\\u12\nwhite-list=false\n')
})

test('the world of a server is found by its name in UTF-8 and in Latin-1', async () => {
  const { it, write } = await withSettings('')
  await it.write(`Welt-Üben/stats/${STEVE}.json`, {
    stats: { 'minecraft:custom': { 'minecraft:deaths': 3 } },
  })
  for (const bytes of ['utf8', 'latin1'] as const) {
    await write(Buffer.from('level-name=Welt-Üben\n', bytes))
    expect([bytes, (await it.items('players/stats/ID')).map(({ uuid }) => uuid)]).toEqual([bytes, [STEVE]])
  }
})

test('an operator gets the level that the settings give', async () => {
  const { it, write } = await withSettings('')
  for (const [said, level] of [
    ['2', 2],
    ['2 ', 4],
    ['0', 0],
    ['9', 4],
    ['', 4],
  ] as const) {
    await write(`op-permission-level=${said}`)
    await it.write('ops.json', [])
    await it.act({ action: 'op', names: ['Steve'] })
    const entry = { uuid: offlineUuid('Steve'), name: 'Steve', level, bypassesPlayerLimit: false }
    expect(await it.readJson('ops.json')).toEqual([entry])
  }
})

test('the whitelist of a running server is turned in its settings, however they were written', async () => {
  const { it, turn, isOn, bytes } = await withSettings(
    Buffer.from('#white-list=x\r\nwhite-list : True\r\nmotd=Gr\u00fc\u00dfe\r\n', 'latin1'),
  )
  await it.online()
  expect(await isOn()).toBe(true)
  await turn(false)
  expect(await bytes()).toEqual(
    Buffer.from('#white-list=x\r\nwhite-list=false\r\nmotd=Gr\u00fc\u00dfe\r\n', 'latin1'),
  )
})

test('a setting that is set is one that the game reads, and no other line of it remains', async () => {
  const { it, bytes } = await withSettings('online-mode=true \nonline\\-mode true \rmax-players=20 \n')
  const set = (key: string, value: string) => it.call('PATCH', 'config/ID', { properties: [{ key, value }] })
  expect((await set('online-mode', 'true')).status).toBe(200)
  expect((await set('max-players', '20')).status).toBe(200)
  expect(await java.file(await bytes())).toEqual([
    ['online-mode', 'true'],
    ['max-players', '20'],
  ])
  const refused = await set('online-mode', 'true ')
  expect([refused.status, refused.body.error.values.why]).toEqual([422, 'setting-blank'])
})
