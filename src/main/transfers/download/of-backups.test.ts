import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openRoom, put, startTarget } from '../transfers.fixture.ts'

it('a backup is downloaded as it was: a folder with all in it, and a file', async () => {
  const target = await startTarget()
  const { baseUrl } = target.service
  await put(target.folder, 'world/region/r.0.0.mca', 100_000)
  await writeFile(path.join(target.folder, 'motd.txt'), 'then')
  const at = `${baseUrl}/servers/backups/${target.serverId}`
  const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' }
  const made = (await (await fetch(at, { method: 'POST', headers, body: '{}' })).json()) as { id: string }
  const stateOf = async () => {
    const { items } = (await (await fetch(at, { headers })).json()) as { items: { state: string }[] }
    return items[0]?.state
  }
  await expect.poll(stateOf).toBe('done')
  await rm(path.join(target.folder, 'world'), { recursive: true })
  await writeFile(path.join(target.folder, 'motd.txt'), 'now')

  const { room, until, downloads } = await openRoom({ here: { baseUrl, token: target.token } })
  await room.download({
    ...{ connectionId: 'here', serverId: target.serverId, backup: made.id },
    paths: ['world', 'motd.txt'],
  })
  expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done', filesFailed: 0 })
  expect((await readFile(path.join(downloads, 'world/region/r.0.0.mca'))).length).toBe(100_000)
  expect(await readFile(path.join(downloads, 'motd.txt'), 'utf8')).toBe('then')
  expect((await readdir(downloads)).sort()).toEqual(['motd.txt', 'world'])
  await expect(
    room.download({
      ...{ connectionId: 'here', serverId: target.serverId, backup: 'nothing' },
      paths: ['world'],
    }),
  ).rejects.toMatchObject({ problem: { code: 'not-found' } })
})
