import path from 'node:path'
import { expect } from 'vitest'
import { openPaper } from '../../changes/server-changes.fixture.ts'

/** A Paper server and its backups. */
export async function withPaper() {
  const it = await openPaper()
  const { ask, id, folder } = it
  const list = async () => (await ask(`GET /servers/backups/${id}`)).body.items
  const settled = () =>
    expect
      .poll(
        async () =>
          (await list()).every(
            ({ state, progress }: never) => state !== 'waiting' && state !== 'running' && !progress,
          ),
        { interval: 20, timeout: 20_000 },
      )
      .toBe(true)
  return {
    ...it,
    list,
    settled,
    archives: path.join(folder, 'backups', id),
    async backUp(name?: string) {
      const made = await ask(`POST /servers/backups/${id}`, { name })
      expect(made.status).toBe(202)
      await settled()
      return (await list()).find((one: { id: string }) => one.id === made.body.id)
    },
    bringBack: (body: object) => ask(`POST /servers/backups/restore/${id}`, { to: 'here', ...body }),
  }
}
