import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import { systemClock } from '../../base/retry.ts'
import type { Bytes } from '../bytes/methods.ts'
import { openBytes } from '../open.ts'
import { newTransfer } from '../store/rows.ts'
import type { Store } from '../store/tables.ts'
import { openStore } from '../open.ts'
import { put, temporary } from '../transfers.fixture.ts'
import { collectPicked } from './picked.ts'

const to = { connectionId: 'here', serverId: 'one', folder: '' }

let store: Store
let bytes: Bytes
beforeEach(async () => {
  store = await openStore(join(await temporary(), 'transfers.db'))
  bytes = openBytes()
  onTestFinished(async () => {
    await bytes.close()
    await store.close()
  })
})

/** Collects one file; `forgetting` is called whenever it is looked whether the connection is still there. */
async function collect(forgetting: () => void) {
  const transfer = newTransfer(systemClock, 'upload', to, '')
  const file = await put(await temporary(), 'a.txt', 3)
  const picked = { to, files: [{ path: 'a.txt', file }], folders: [] }
  await collectPicked({ store, bytes, client: forgetting }, transfer, picked)
  return transfer.id
}

it('what was picked is there with all of it once it was collected', async () => {
  const id = await collect(() => undefined)
  expect(await store.all()).toMatchObject([{ id, name: 'a.txt', state: 'active', files: 1, bytes: 3 }])
})

it('of a connection that was forgotten right before, nothing comes to the queue', async () => {
  const gone = () => {
    throw problem('not-found', localized('account.gone'))
  }
  await expect(collect(gone)).rejects.toMatchObject({ problem: { code: 'not-found' } })
  expect(await store.all()).toEqual([])
  expect(await store.wipe('here')).toEqual([])
})
