import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { movedServer, paperJar, VERSION, zipOf } from '../../../../tests/fixtures/moved-server.ts'
import { folderOf, openImports } from './imports.fixture.ts'

it('plugins can be listed and changed at a jar that loads them, and it is told where nobody knows what one loads', async () => {
  const { ask, sent, create, reaches, folder } = await openImports()
  const { id } = await sent(await zipOf(await movedServer()))
  const server = (await create(id, { software: { id: 'custom' } })).body.id
  await writeFile(
    folderOf(folder, server, 'plugins/Homes.jar'),
    await pluginJar({ name: 'Homes', version: '2', depends: ['Vault'] }),
  )
  const listed = async () => (await ask(`GET /servers/extensions/${server}`)).body.items
  expect(await listed()).toMatchObject([
    { id: 'plugin-Homes', version: '2', problems: [{ kind: 'missing-dependency', name: 'Vault' }] },
  ])
  expect((await ask(`DELETE /servers/extensions/${server}/plugin-Homes`)).status).toBe(204)
  expect(await listed()).toEqual([])

  // From the next start on it is what that has found.
  const untold = await paperJar({
    entries: { 'version.json': JSON.stringify({ id: VERSION, java_version: 17 }) },
  })
  await writeFile(folderOf(folder, server, 'paper.jar'), untold)
  await ask(`POST /servers/power/${server}`, { action: 'start' })
  await reaches(server, 'online')
  const software = (await ask(`GET /servers/${server}`)).body.software
  expect(software).toEqual({ id: 'custom', name: 'Custom jar', version: VERSION })
  expect(await listed()).toEqual([])
})
