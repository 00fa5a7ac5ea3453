import { expect, it } from 'vitest'
import { hashes, openRoom, put, startTarget, temporary } from '../transfers.fixture.ts'

const COUNT = 16
const BYTES = 200_000

it.each([null, 16 * 1024 * 1024])(
  'batches of many parts arrive byte for byte, two at the same time and one after the other, at %s bytes a second',
  async (limit) => {
    const target = await startTarget()
    const source = await temporary()
    const { room, until } = await openRoom({ here: { baseUrl: target.service.baseUrl, token: target.token } })
    await room.limit({ limit, atOnce: 2 })
    for (const round of ['first', 'second']) {
      const begun: string[] = []
      for (const side of ['left', 'right']) {
        const files = []
        for (let at = 0; at < COUNT; at++) {
          const path = `${round}/${side}/${at}.dat`
          files.push({ path, file: await put(source, path, BYTES) })
        }
        const to = { connectionId: 'here', serverId: target.serverId, folder: '' }
        begun.push((await room.upload({ to, files, folders: [] })).transferId)
      }
      for (const transferId of begun)
        expect(await until(({ id, endedAt }) => id === transferId && endedAt !== null)).toMatchObject({
          state: 'done',
          filesDone: COUNT,
        })
    }
    expect(await hashes(target.folder)).toEqual(await hashes(source))
  },
)
