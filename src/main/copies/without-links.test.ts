import type * as FileSystem from 'node:fs/promises'
import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startTarget } from '../transfers/transfers.fixture.ts'
import { countedAt, openCopies, temporary, texts } from './copies.fixture.ts'

// A stand-in for a disk without hard links, such as exFAT: what is refused a link here is refused it there.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof FileSystem>()),
  link: () => Promise.reject(Object.assign(new Error('EPERM: link'), { code: 'EPERM' })),
}))

it('a disk without hard links gets whole copies, which say so, and nothing is read twice', async () => {
  const target = await startTarget()
  const file = join(target.folder, 'notes.txt')
  await writeFile(file, 'mine')
  await utimes(file, 1_700_000_000, 1_700_000_000)
  const { line, read } = await countedAt({ baseUrl: target.service.baseUrl, token: target.token })
  const at = await openCopies(line, await temporary())
  await at.copy(target.serverId)
  read.length = 0
  at.now = Date.now() + 60_000
  const { copies } = await at.copy(target.serverId)
  expect(read).toEqual([])
  expect(copies).toMatchObject([{ shares: false, isWhole: true }, { shares: false }])
  const [now, before] = [await at.pathOf(target.serverId, 0), await at.pathOf(target.serverId, 1)]
  expect(await texts(now)).toEqual(await texts(before))
  const [one, other] = [await stat(join(now, 'notes.txt')), await stat(join(before, 'notes.txt'))]
  expect(one.ino).not.toBe(other.ino)
  expect(one.mtimeMs).toBe(1_700_000_000_000)
})
