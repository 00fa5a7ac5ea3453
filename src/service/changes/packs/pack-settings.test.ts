import { expect, it } from 'vitest'
import { openPacks } from './packs.fixture.ts'
import { propertiesIn } from '../../worlds/server-properties.ts'
import { settingsIn } from './pack-settings.ts'

it.each([
  ...['white-list=false', 'enforce-whitelist=false', 'online-mode=false', 'enforce-secure-profile=false'],
  ...['op-permission-level=1', 'function-permission-level=4', 'server-port=25566', 'server-ip=0.0.0.0'],
  ...['enable-rcon=true', 'rcon.port=1', 'rcon.password=x', 'enable-query=true', 'query.port=1'],
  ...['management-server-enabled=true', 'management-server-secret=x', 'enable-jmx-monitoring=true'],
  ...['prevent-proxy-connections=true', 'accepts-transfers=true', 'bug-report-link=http://a.example'],
  ...['text-filtering-config=x', 'broadcast-rcon-to-ops=false', 'enable-status=false', 'log-ips=false'],
  ...['level-name=../other', 'level-name=/etc', 'level-name=logs', 'level-name=a:b', 'level-name=OPS.json'],
  ...['resource-pack=http://a.example/a.zip', 'resource-pack=file:///etc/passwd', 'view-distance=many'],
  ...['online\\-mode=false', 'enable-rcon true', '\\u0065nable-rcon:true', 'pvp=false ', 'level-name ../x'],
  ...['pvp=perhaps', 'difficulty=a b', `motd=${'x'.repeat(501)}`, 'motd=one\\ntwo'],
])('a pack may not set %j, and that is told', (line) => {
  const [key] = propertiesIn(line).keys()
  // What says what is so anyway need not be told.
  const isDefault = ['white-list=false', 'enforce-whitelist=false', 'enable-query=false'].includes(line)
  expect(settingsIn(`${line}\n`)).toEqual({ values: {}, refused: isDefault ? [] : [key] })
})

it('a pack may set how the game is played', () => {
  const text =
    'allow-flight=true\nlevel-type=biomesoplenty\\:biomesoplenty\nmotd=\\u00a7aHello\nmax-tick-time=-1\nlevel-name=Sky Block\n'
  expect(settingsIn(`#Minecraft\n${text}`)).toEqual({
    values: {
      ...{ 'allow-flight': 'true', 'level-type': 'biomesoplenty:biomesoplenty', motd: '§aHello' },
      ...{ 'max-tick-time': '-1', 'level-name': 'Sky Block' },
    },
    refused: [],
  })
})

it('settings of the game come with a pack, what somebody has set stays over an update, and who may join is for the owner alone', async () => {
  const { ask, offer, create, install, reaches, all, put, undo } = await openPacks()
  const properties = (text: string) => ({
    'overrides/server.properties': `${text}\nonline-mode=false\nrcon.password=x\n`,
  })
  const { versions } = await offer([
    { version: '1.0', within: properties('allow-flight=true\ndifficulty=hard\npvp=false\nlevel-name=sky') },
    {
      version: '2.0',
      within: properties('allow-flight=true\ndifficulty=normal\npvp=true\nlevel-name=sea\nmotd=New'),
    },
  ])
  const [one, two] = versions.map(({ id }) => id) as [string, string]
  const plan = (await ask(`GET /modpacks/plan?versionId=${one}`)).body
  expect(plan.settings).toContainEqual({ key: 'allow-flight', value: 'true' })
  expect(plan.refused).toEqual(['server.properties (online-mode)', 'server.properties (rcon.password)'])
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  const properties1 = (await all(id))['server.properties']!
  expect(properties1.trim().split('\n').sort()).toEqual([
    ...['allow-flight=true', 'difficulty=hard', 'level-name=sky', 'pvp=false'],
  ])
  const mine = '# mine\nallow-flight=true\ndifficulty=peaceful\npvp=false\nlevel-name=sky\nwhite-list=true\n'
  await put(id, 'server.properties', mine)
  expect((await ask(`GET /servers/modpacks/plan/${id}?versionId=${two}`)).body.settings).toEqual([
    { key: 'pvp', value: 'true' },
    { key: 'motd', value: 'New' },
  ])
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  expect((await all(id))['server.properties']).toBe(`${mine.replace('pvp=false', 'pvp=true')}motd=New\n`)
  expect((await undo(id)).status).toBe(202)
  expect((await all(id))['server.properties']).toBe(mine)
})
