import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { movedServer, zipOf } from '../../../../tests/fixtures/moved-server.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { folderOf, openImports } from './imports.fixture.ts'

/** The world of a server: ten regions that no archive makes smaller. */
const regions = Object.fromEntries(
  Array.from({ length: 10 }, (_, n) => [`old-server/overworld/region/r.${n}.1.mca`, randomBytes(256 * 1024)]),
)

it('a disk that gets full while a server is moved in is said, nothing half is there, and what was sent is not lost', async ({
  skip,
}) => {
  const disk = await smallDisk(60)
  if (!disk) return skip(NO_DISK)
  const { begin, send, looked, create, folder } = await openImports({
    dataDir: path.join(disk.folder, 'data'),
  })
  const archive = await zipOf({ ...(await movedServer()), ...regions })
  const id = await begin()
  const [files, staging] = ['files', 'staging'].map((part) => path.join(folder, 'imports', id, part)) as [
    string,
    string,
  ]
  const within = (at: string) => (existsSync(at) ? readdirSync(at) : [])
  const full = { code: 'files.disk-full', message: expect.stringContaining('Free up space') }

  expect(await send(id, 'server.zip', archive)).toBe(201)

  // Halfway through the archive.
  const failed = looked(id, 'server.zip')
  const isHalf = () =>
    readdirSync(files.replace(/files$/, ''), { recursive: true })
      .join()
      .includes('.mca')
  let isOver = false
  void failed.finally(() => (isOver = true)).catch(() => undefined)
  while (!isHalf() && !isOver) await turn()
  disk.fill()
  expect(await failed).toMatchObject({ state: 'failed', error: full })
  expect([within(files), within(staging)]).toEqual([['server.zip'], []])
  expect(readFileSync(path.join(files, 'server.zip')).equals(archive)).toBe(true)
  expect((await looked(id, 'server.zip')).error).toMatchObject(full)

  disk.clear()
  expect(await looked(id, 'server.zip')).toMatchObject({ state: 'ready' })
  const { body } = await create(id, { software: { id: 'custom' } })
  const arrived = Object.entries(regions).map(([name, bytes]) =>
    readFileSync(folderOf(folder, body.id, name.replace('old-server/', ''))).equals(bytes),
  )
  expect(arrived).toEqual(Array.from({ length: 10 }, () => true))
})
