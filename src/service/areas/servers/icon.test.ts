import { rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startFileService } from '../../files/files.fixture.ts'

/** A PNG of so many pixels, as far as its header says. */
function png(side: number, bytes = 0): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080600000000000000', 'hex')
  header.writeUInt32BE(side, 16)
  header.writeUInt32BE(side, 20)
  return Buffer.concat([header, deflateSync(Buffer.alloc(64)), Buffer.alloc(bytes)])
}

test('answers the icon of a server as an address that holds it, and null for whatever Minecraft would not show', async () => {
  const { call, token, serverId, root } = await startFileService()
  const file = path.join(root, 'server-icon.png')
  const picture = async () => {
    const { status, body } = await call(`GET /servers/icon/${serverId}`, { token })
    return status === 200 ? body.picture : status
  }
  expect(await picture()).toBeNull()

  await writeFile(file, png(64))
  expect(await picture()).toBe(`data:image/png;base64,${png(64).toString('base64')}`)
  for (const other of [png(65), png(64, 64 * 1024), Buffer.alloc(0), Buffer.from('<svg/>'.repeat(20))]) {
    await writeFile(file, other)
    expect(await picture()).toBeNull()
  }

  // What is outside of the server's folder is not read through a link.
  await writeFile(path.join(root, '..', 'outside.png'), png(64))
  await rm(file)
  await symlink('../outside.png', file)
  expect(await picture()).toBeNull()
})
