import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signedIn } from './pterodactyl.fixture.ts'

/** As Minecraft has them: what is in them isn't looked at. */
function icon(letter: string, side = 64): Buffer {
  const header = Buffer.alloc(33)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header)
  header.writeUInt32BE(side, 16)
  header.writeUInt32BE(side, 20)
  return Buffer.concat([header, Buffer.from(letter)])
}
const address = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`

test('icons are read once, until they are changed from here, and only what Minecraft shows', async () => {
  const { view, call, host, server, files, folder, at, ref } = await signedIn()
  const file = path.join(files, 'server-icon.png')
  writeFileSync(file, icon('a'))
  const asked = () => host.seen.filter(({ path: to }) => to.includes('server-icon.png')).length
  const picture = async (serverId = server.uuid) =>
    (await view('servers.icon', { ...at, params: { serverId } }, true)).value?.picture
  expect(await picture()).toBe(address(icon('a')))
  writeFileSync(file, icon('b'))
  expect(await picture()).toBe(address(icon('a')))
  expect(asked()).toBe(1)
  const items = [{ from: 'server-icon.png', to: 'old.png' }]
  await call('files.move', { ...ref, items, conflict: 'refuse' })
  expect(await picture()).toBe(null)

  const huge = Buffer.concat([icon('x'), Buffer.alloc(5 * 1024 * 1024)])
  const others = {
    huge,
    large: icon('x'.repeat(70_000)),
    wide: icon('', 128),
    none: null,
    suspended: icon('s'),
  }
  for (const [name, png] of Object.entries(others)) {
    const place = path.join(folder, name)
    mkdirSync(place)
    if (png) writeFileSync(path.join(place, 'server-icon.png'), png)
    const { uuid } = host.add(place, { suspended: name === 'suspended' })
    expect([name, await picture(uuid)]).toEqual([name, null])
  }
  expect([host.sshKeys, host.wings.heard]).toEqual([[], []])
})
