import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signedIn } from './exaroton.fixture.ts'

test('settings are those of the game and the memory of exaroton, and both can be changed', async () => {
  const { view, send, host, server, files, at } = await signedIn({ status: 0 })
  const file = path.join(files, 'server.properties')
  writeFileSync(file, '# ours\nmotd=Hello\npvp=true\n')
  const config = async () => (await view('servers.read-config', at, true)).value
  const motd = { key: 'motd', value: 'Hello' }
  expect(await config()).toMatchObject({ name: 'survival', memoryMb: 4096 })
  expect((await config())?.properties).toContainEqual(expect.objectContaining(motd))
  const change = (body: object) => send('servers.change-config', { ...at, body: body })
  await change({ memoryMb: 6144, properties: [{ key: 'motd', value: 'Bye' }] })
  expect(readFileSync(file, 'utf8')).toBe('# ours\nmotd=Bye\npvp=true\n')
  expect(server.ram).toBe(6)
  expect(await config()).toMatchObject({ memoryMb: 6144 })
  for (const memoryMb of [1024, 2560, 32_768])
    await expect(change({ memoryMb })).rejects.toMatchObject({
      problem: { code: 'invalid', serviceCode: 'exaroton.memory' },
    })
  await expect(change({ name: 'Other' })).rejects.toMatchObject({
    problem: { serviceCode: 'host.elsewhere' },
  })
  expect(server.ram).toBe(6)
  // While it starts, its files are on their way.
  host.enter(server, 6)
  await expect(change({ properties: [{ key: 'pvp', value: 'false' }] })).rejects.toMatchObject({
    problem: { serviceCode: 'exaroton.moving-files' },
  })
})

test('settings of a shared server are shown as far as its owner lets them be seen', async () => {
  const { view, server, files, at } = await signedIn({ shared: true })
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
  server.allows = (asked) => !asked.startsWith('options/')
  const { value } = await view('servers.read-config', at, true)
  expect(value?.properties).toContainEqual(expect.objectContaining({ key: 'motd' }))
  expect(value?.memoryMb ?? null).toBeNull()
})
