import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Databases, type DatabaseHandle, type DatabaseLocation } from '../../storage/databases.ts'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import { openRoom, put, startTarget, temporary } from '../transfers.fixture.ts'

/** What a call of the store waits for, before it is made and after it was answered. */
interface Gates {
  before(method: string): Promise<void>
  after(method: string): Promise<void>
}

/** The real databases, of which single calls or answers come late. */
class LateDatabases extends Databases {
  readonly #gates: Gates

  constructor(gates: Gates) {
    super()
    this.#gates = gates
  }

  override async open<T extends DatabaseHandle>(wanted: DatabaseLocation): Promise<RemoteMethods<T>> {
    const { before, after } = this.#gates
    return new Proxy(await super.open<T>(wanted), {
      get(own, method: string) {
        const call: unknown = Reflect.get(own, method)
        if (typeof call !== 'function' || method === 'then') return call
        return async (...args: unknown[]) => {
          await before(method)
          const answer: unknown = await Reflect.apply(call, own, args)
          await after(method)
          return answer
        }
      },
    })
  }
}

/** A queue in which the first `claim` waits for `release`, before it is made or with its answer. */
async function openLate(which: keyof Gates) {
  const target = await startTarget()
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const late = async (method: string) => {
    if (method !== 'claim') return
    begun.resolve()
    await gate.promise
  }
  const none = async () => {}
  const databases = new LateDatabases({ before: none, after: none, [which]: late })
  const opened = await openRoom(
    { here: { baseUrl: target.service.baseUrl, token: target.token } },
    { databases },
  )
  const { room } = opened
  await room.limit({ limit: null, atOnce: 1 })
  const source = await temporary()
  const upload = async (name: string) => {
    const to = { connectionId: 'here', serverId: target.serverId, folder: '' }
    const files = [{ path: name, file: await put(source, name, 10) }]
    return (await room.upload({ to, files, folders: [] })).transferId
  }
  return {
    ...opened,
    upload,
    begun: begun.promise,
    release: gate.resolve,
    stateOf: async (id: string) => (await room.list()).items.find((one) => one.id === id)?.state,
    arrived: async () => (await readdir(target.folder)).filter((name) => name.endsWith('.txt')),
    wait: (id: string) => opened.until((one) => one.id === id && one.endedAt !== null),
  }
}

it.each(['before', 'after'] as const)(
  'what is canceled while it is being taken out of the queue never arrives (%s the answer)',
  async (which) => {
    const { room, upload, begun, release, stateOf, arrived, wait } = await openLate(which)
    const canceled = await upload('cancelled.txt')
    await begun
    const canceling = room.cancel(canceled)
    await expect.poll(() => stateOf(canceled)).toBe('cancelled')
    release()
    await canceling
    // One at a time: this one moves when nothing else does.
    await wait(await upload('next.txt'))
    expect(await arrived()).toEqual(['next.txt'])
    expect(await stateOf(canceled)).toBe('cancelled')
  },
)

it.each(['before', 'after'] as const)(
  'what is paused while it is being taken out of the queue stands, and goes on when it is told to (%s the answer)',
  async (which) => {
    const { room, upload, begun, release, stateOf, arrived, wait } = await openLate(which)
    const paused = await upload('paused.txt')
    await begun
    const pausing = room.pause(paused)
    await expect.poll(() => stateOf(paused)).toBe('paused')
    release()
    await pausing
    await wait(await upload('next.txt'))
    expect(await arrived()).toEqual(['next.txt'])
    await room.resume(paused)
    expect(await wait(paused)).toMatchObject({ state: 'done', filesDone: 1 })
  },
)

it('what is signed out of while it is being taken out of the queue never arrives', async () => {
  const { room, upload, begun, release, stateOf, arrived, wait } = await openLate('after')
  const left = await upload('left.txt')
  await begun
  const wiping = room.wipe('here')
  await expect.poll(async () => ['cancelled', undefined].includes(await stateOf(left))).toBe(true)
  release()
  await wiping
  await wait(await upload('next.txt'))
  expect(await arrived()).toEqual(['next.txt'])
})
